/* Describes the GPU's entries in /dev and /sys: the device file, its directory, and the part of sysfs with its
 * identity, bus address and clock. Paths are resolved as text: `.`, `..`, doubled slashes and our own links. */
#include "sim/gensim/discovery.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "sim/base/options.h"
#include "sim/gensim/device_file.h"

#define PCI  "/sys/devices/pci0000:00/0000:00:02.0"
#define CARD PCI "/drm/card0"
#define NODE PCI "/drm/renderD128"

/* In a text `@d` and `@D` stand for the PCI number of the device, `@r` for its revision, `@m` for its clock. */
static const struct discovery_node nodes[] = {
    {"/dev/dri", DISCOVERY_DIRECTORY, NULL},
    {"/dev/dri/renderD128", DISCOVERY_DEVICE, NULL},
    {"/sys/dev/char/226:128", DISCOVERY_LINK, "../../devices/pci0000:00/0000:00:02.0/drm/renderD128"},
    {"/sys/class/drm", DISCOVERY_DIRECTORY, NULL},
    {"/sys/class/drm/card0", DISCOVERY_LINK, "../../devices/pci0000:00/0000:00:02.0/drm/card0"},
    {"/sys/class/drm/renderD128", DISCOVERY_LINK, "../../devices/pci0000:00/0000:00:02.0/drm/renderD128"},
    {"/sys/bus/pci/devices/0000:00:02.0", DISCOVERY_LINK, "../../../devices/pci0000:00/0000:00:02.0"},
    {PCI, DISCOVERY_DIRECTORY, NULL},
    {PCI "/class", DISCOVERY_TEXT, "0x030000\n"},
    {PCI "/device", DISCOVERY_TEXT, "0x@d\n"},
    {PCI "/drm", DISCOVERY_DIRECTORY, NULL},
    {PCI "/numa_node", DISCOVERY_TEXT, "-1\n"},
    {PCI "/revision", DISCOVERY_TEXT, "0x@r\n"},
    {PCI "/subsystem", DISCOVERY_LINK, "../../../bus/pci"},
    {PCI "/subsystem_device", DISCOVERY_TEXT, "0x0000\n"},
    {PCI "/subsystem_vendor", DISCOVERY_TEXT, "0x8086\n"},
    {PCI "/uevent", DISCOVERY_TEXT,
     "DRIVER=@i\nPCI_CLASS=30000\nPCI_ID=8086:@D\nPCI_SUBSYS_ID=8086:0000\nPCI_SLOT_NAME=0000:00:02.0\n"},
    {PCI "/vendor", DISCOVERY_TEXT, "0x8086\n"},
    {CARD, DISCOVERY_DIRECTORY, NULL},
    {CARD "/device", DISCOVERY_LINK, "../../../0000:00:02.0"},
    {CARD "/gt_max_freq_mhz", DISCOVERY_TEXT, "@m\n"},
    {NODE, DISCOVERY_DIRECTORY, NULL},
    {NODE "/dev", DISCOVERY_TEXT, "226:128\n"},
    {NODE "/device", DISCOVERY_LINK, "../../../0000:00:02.0"},
    {NODE "/subsystem", DISCOVERY_LINK, "../../../../../class/drm"},
    {NODE "/uevent", DISCOVERY_TEXT, "MAJOR=226\nMINOR=128\nDEVNAME=dri/renderD128\nDEVTYPE=drm_minor\n"},
};
enum { NODES = sizeof nodes / sizeof nodes[0], PATH_SIZE = 512, MOST_LINKS = 16 };

/* Directories that hide the host's entries: a path below them that is not a node does not exist. */
static const char *const hidden[] = {"/dev/dri", "/sys/dev/char/226:", "/sys/class/drm",
                                     "/sys/bus/pci/devices/0000:00:02.0", PCI};

size_t discovery_count(void)
{
    return NODES;
}

const struct discovery_node *discovery_node(size_t place)
{
    return &nodes[place];
}

size_t discovery_place(const struct discovery_node *node)
{
    return (size_t)(node - nodes);
}

static const struct discovery_node *node_of(const char *path)
{
    for (size_t i = 0; i < NODES; i++)
        if (strcmp(nodes[i].path, path) == 0)
            return &nodes[i];
    return NULL;
}

static int is_hidden(const char *path)
{
    for (size_t i = 0; i < sizeof hidden / sizeof hidden[0]; i++) {
        size_t length = strlen(hidden[i]);
        if (strncmp(path, hidden[i], length) == 0 &&
            (path[length] == 0 || path[length] == '/' || hidden[i][length - 1] == ':'))
            return 1;
    }
    return 0;
}

/* Appends a component to the path, or removes one. 0: no room. */
static int step(char *path, const char *component, size_t length)
{
    size_t used = strlen(path);
    if (length == 0 || (length == 1 && component[0] == '.'))
        return 1;
    if (length == 2 && component[0] == '.' && component[1] == '.') {
        char *slash = strrchr(path, '/');
        if (slash)
            *slash = 0;
        return 1;
    }
    if (used + 1 + length >= PATH_SIZE)
        return 0;
    path[used] = '/';
    memcpy(path + used + 1, component, length);
    path[used + 1 + length] = 0;
    return 1;
}

/* Resolves `rest` relative to `path`, which becomes the canonical path. 0: too long, or too many links. */
static int walk(char *path, const char *rest, int follow, int links)
{
    while (*rest) {
        size_t length = strcspn(rest, "/");
        if (!step(path, rest, length))
            return 0;
        rest += length;
        const struct discovery_node *node = length ? node_of(path) : NULL;
        if (node && node->kind == DISCOVERY_LINK && (*rest || follow)) {
            step(path, "..", 2);
            if (links == 0 || !walk(path, node->content, 1, links - 1))
                return 0;
        }
        rest += *rest == '/';
    }
    return 1;
}

/* A quick test on the first component: most paths are of other places. */
static int may_be_ours(const char *path)
{
    while (path[0] == '/' && (path[1] == '/' || (path[1] == '.' && path[2] == '/')))
        path += path[1] == '/' ? 1 : 2;
    return path[0] == '/' && (strncmp(path + 1, "dev", 3) == 0 || strncmp(path + 1, "sys", 3) == 0 || path[1] == '.');
}

/* Resolves `.`, `..` and our links in a path. 0: the path is not one of ours. */
static int canonical_path(char *canonical, int directory, const char *path, int follow)
{
    canonical[0] = 0;
    if (!path || !*path)
        return 0;
    if (path[0] != '/') {
        const struct discovery_node *from = directory >= 0 ? discovery_at(directory) : NULL;
        if (!from)
            return 0;
        strcpy(canonical, from->path);
    } else if (!may_be_ours(path)) {
        return 0;
    }
    return walk(canonical, path, follow, MOST_LINKS);
}

enum discovery_kind discovery_find(int directory, const char *path, int follow, const struct discovery_node **node)
{
    char canonical[PATH_SIZE];
    *node = NULL;
    if (!canonical_path(canonical, directory, path, follow))
        return DISCOVERY_OTHER;
    *node = node_of(canonical);
    if (*node)
        return (*node)->kind;
    if (is_hidden(canonical))
        return DISCOVERY_HIDDEN;
    /* `..` in a listing: the host may lack the parent directory, so the directory itself is used */
    size_t length = strlen(path);
    if (length < 3 || length >= PATH_SIZE || strcmp(path + length - 3, "/..") != 0)
        return DISCOVERY_OTHER;
    char below[PATH_SIZE];
    memcpy(below, path, length);
    below[length - 3] = 0;
    *node = canonical_path(canonical, directory, below, 1) ? node_of(canonical) : NULL;
    return *node ? (*node)->kind : DISCOVERY_OTHER;
}

/* A directory's descriptor is a memory file whose text names the directory; the file's offset is the listing's
 * position. */
static const char directory_mark[] = "gensim's directory ";

static int open_memory(const char *name, const char *content, int flags)
{
    int file = memfd_create(name, flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
    if (file < 0)
        return -errno;
    size_t length = strlen(content);
    if (write(file, content, length) != (ssize_t)length || lseek(file, 0, SEEK_SET) < 0) {
        close(file);
        return -EIO;
    }
    return file;
}

const struct discovery_node *discovery_at(int descriptor)
{
    char text[sizeof directory_mark + 8] = "";
    int saved = errno;
    const struct discovery_node *node = NULL;
    if (descriptor < 0) {
        node = NULL;
    } else if (device_file_look_up(descriptor)) {
        node = node_of("/dev/dri/renderD128");
    } else if (fcntl(descriptor, F_GET_SEALS) >= 0 && pread(descriptor, text, sizeof text - 1, 0) > 0 &&
               strncmp(text, directory_mark, sizeof directory_mark - 1) == 0) {
        size_t place = strtoul(text + sizeof directory_mark - 1, NULL, 10);
        node = place < NODES && nodes[place].kind == DISCOVERY_DIRECTORY ? &nodes[place] : NULL;
    }
    errno = saved;
    return node;
}

/* Opens a text with its placeholders filled. */
static int open_text(const struct discovery_node *node, int flags)
{
    struct sim_options options;
    char text[512];
    size_t used = 0;
    if (sim_options_read(&options))
        return -EIO;
    for (const char *at = node->content; *at && used + 16 < sizeof text; at++) {
        const struct platform *p = options.platform;
        if (*at != '@')
            text[used++] = *at;
        else
            switch (*++at) {
            case 'i': used += (size_t)sprintf(text + used, "%s", options.interface); break;
            case 'd': used += (size_t)sprintf(text + used, "%04x", p->pci_id); break;
            case 'D': used += (size_t)sprintf(text + used, "%04X", p->pci_id); break;
            case 'r': used += (size_t)sprintf(text + used, "%02x", p->revision); break;
            default: used += (size_t)sprintf(text + used, "%u", p->max_mhz);
            }
    }
    text[used] = 0;
    return open_memory("gensim text", text, flags);
}

int discovery_open(const struct discovery_node *node, int flags)
{
    char mark[sizeof directory_mark + 8];
    int writes = (flags & O_ACCMODE) != O_RDONLY;
    if (node->kind == DISCOVERY_TEXT)
        return writes ? -EACCES : flags & O_DIRECTORY ? -ENOTDIR : open_text(node, flags);
    if (node->kind != DISCOVERY_DIRECTORY)
        return -ELOOP; /* a link that is not to be followed */
    if (writes)
        return -EISDIR;
    sprintf(mark, "%s%zu", directory_mark, discovery_place(node));
    return open_memory("gensim directory", mark, flags);
}
