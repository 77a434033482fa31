/* Calls that ask for files by name, or what a descriptor is. A driver or a tool that looks for GPUs finds one: the
 * device file, a character device with the numbers of the first render node, its directory, and the piece of sysfs that
 * says where the GPU is on the bus and how fast it is. */
#include "sim/gensim/discovery.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "sim/options.h"

enum { DRM_MAJOR = 226, FIRST_RENDER_NODE = 128, FIRST_INODE = 1000 };

#define PCI "/sys/bus/pci/devices/0000:00:02.0"

static const struct node {
    const char *path;
    enum discovery_kind kind;
    const char *target; /* of a link */
} nodes[] = {
    {"/dev/dri", DISCOVERY_DIRECTORY, NULL},
    {"/dev/dri/renderD128", DISCOVERY_DEVICE, NULL},
    {"/sys/dev/char/226:128", DISCOVERY_LINK, "../../devices/pci0000:00/0000:00:02.0/drm/renderD128"},
    {PCI "/drm", DISCOVERY_DIRECTORY, NULL},
    {PCI "/drm/card0", DISCOVERY_DIRECTORY, NULL},
    {PCI "/drm/card0/gt_max_freq_mhz", DISCOVERY_TEXT, NULL},
    {PCI "/drm/renderD128", DISCOVERY_DIRECTORY, NULL},
};
enum { NODES = sizeof nodes / sizeof nodes[0] };

/* Below these, what is not a node does not exist. */
static const char *const hidden[] = {"/dev/dri", "/sys/dev/char/226:", "/sys/class/drm", PCI};

/* The node at `path`; a directory also by what its listing begins with, "." and "..". */
static const struct node *find_node(const char *path)
{
    size_t length = path ? strlen(path) : 0;
    if (length > 2 && path[length - 1] == '.' && path[length - 2] == '/')
        length -= 2;
    else if (length > 3 && strcmp(path + length - 3, "/..") == 0)
        length -= 3;
    while (length > 1 && path[length - 1] == '/')
        length--;
    for (size_t i = 0; path && i < NODES; i++)
        if (strncmp(nodes[i].path, path, length) == 0 && nodes[i].path[length] == 0)
            return &nodes[i];
    return NULL;
}

enum discovery_kind discovery_find(const char *path)
{
    const struct node *node = find_node(path);
    if (node)
        return node->kind;
    for (size_t i = 0; path && i < sizeof hidden / sizeof hidden[0]; i++) {
        size_t length = strlen(hidden[i]);
        char next = strncmp(path, hidden[i], length) == 0 ? path[length] : 'x';
        if (next == 0 || next == '/' || (next != 'x' && hidden[i][length - 1] == ':'))
            return DISCOVERY_HIDDEN;
    }
    return DISCOVERY_OTHER;
}

int discovery_open_text(const char *path)
{
    struct sim_options options;
    (void)path; /* there is one */
    if (sim_options_read(&options))
        return -EIO;
    int file = memfd_create("gt_max_freq_mhz", MFD_CLOEXEC);
    if (file < 0)
        return -errno;
    dprintf(file, "%u\n", options.platform->max_mhz);
    lseek(file, 0, SEEK_SET);
    return file;
}

static void fill_status(const struct node *node, struct stat *status)
{
    static const mode_t modes[] = {[DISCOVERY_DIRECTORY] = S_IFDIR | 0755,
                                   [DISCOVERY_DEVICE] = S_IFCHR | 0666,
                                   [DISCOVERY_TEXT] = S_IFREG | 0444,
                                   [DISCOVERY_LINK] = S_IFLNK | 0777};
    memset(status, 0, sizeof *status);
    status->st_mode = modes[node->kind];
    status->st_ino = FIRST_INODE + (ino_t)(node - nodes);
    status->st_nlink = 1;
    status->st_blksize = 4096;
    if (node->kind == DISCOVERY_DEVICE)
        status->st_rdev = makedev(DRM_MAJOR, FIRST_RENDER_NODE);
    if (node->kind == DISCOVERY_LINK)
        status->st_size = (off_t)strlen(node->target);
}

/* Status of a path: 1 when it is one of ours, with the result in `*result`. */
static int answer_status(const char *path, int follow, struct stat *status, int *result)
{
    const struct node *node = find_node(path);
    if (node && node->kind == DISCOVERY_LINK && follow)
        node = find_node(PCI "/drm/renderD128");
    *result = 0;
    if (node) {
        fill_status(node, status);
        return 1;
    }
    if (discovery_find(path) != DISCOVERY_HIDDEN)
        return 0;
    errno = ENOENT;
    *result = -1;
    return 1;
}

static int answer_descriptor(int descriptor, struct stat *status)
{
    if (!device_is_open_at(descriptor))
        return 0;
    fill_status(find_node("/dev/dri/renderD128"), status);
    return 1;
}

EXPORT int stat(const char *path, struct stat *status)
{
    int result;
    return answer_status(path, 1, status, &result) ? result : REAL(stat)(path, status);
}

EXPORT int lstat(const char *path, struct stat *status)
{
    int result;
    return answer_status(path, 0, status, &result) ? result : REAL(lstat)(path, status);
}

EXPORT int fstat(int descriptor, struct stat *status)
{
    return answer_descriptor(descriptor, status) ? 0 : REAL(fstat)(descriptor, status);
}

EXPORT int fstatat(int directory, const char *path, struct stat *status, int flags)
{
    int result;
    if (path[0] == 0 && flags & AT_EMPTY_PATH && answer_descriptor(directory, status))
        return 0;
    if (answer_status(path, !(flags & AT_SYMLINK_NOFOLLOW), status, &result))
        return result;
    return REAL(fstatat)(directory, path, status, flags);
}

/* On this machine both structures are the same. */
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "struct stat has 64-bit fields");

EXPORT int stat64(const char *path, struct stat64 *status)
{
    return stat(path, (struct stat *)(void *)status);
}

EXPORT int lstat64(const char *path, struct stat64 *status)
{
    return lstat(path, (struct stat *)(void *)status);
}

EXPORT int fstat64(int descriptor, struct stat64 *status)
{
    return fstat(descriptor, (struct stat *)(void *)status);
}

EXPORT int fstatat64(int directory, const char *path, struct stat64 *status, int flags)
{
    return fstatat(directory, path, (struct stat *)(void *)status, flags);
}

EXPORT int statx(int directory, const char *path, int flags, unsigned mask, struct statx *wide)
{
    struct stat status;
    int result = 0, empty = path[0] == 0 && flags & AT_EMPTY_PATH;
    if (!(empty && answer_descriptor(directory, &status)) &&
        !answer_status(path, !(flags & AT_SYMLINK_NOFOLLOW), &status, &result))
        return REAL(statx)(directory, path, flags, mask, wide);
    if (result)
        return result;
    memset(wide, 0, sizeof *wide);
    wide->stx_mask = STATX_BASIC_STATS;
    wide->stx_blksize = (uint32_t)status.st_blksize;
    wide->stx_nlink = (uint32_t)status.st_nlink;
    wide->stx_mode = (uint16_t)status.st_mode;
    wide->stx_ino = status.st_ino;
    wide->stx_size = (uint64_t)status.st_size;
    wide->stx_rdev_major = major(status.st_rdev);
    wide->stx_rdev_minor = minor(status.st_rdev);
    return 0;
}

static int answer_access(enum discovery_kind kind, int mode)
{
    if (kind == DISCOVERY_HIDDEN)
        errno = ENOENT;
    else if ((mode & X_OK && kind != DISCOVERY_DIRECTORY) || (mode & W_OK && kind != DISCOVERY_DEVICE))
        errno = EACCES;
    else
        return 0;
    return -1;
}

EXPORT int access(const char *path, int mode)
{
    enum discovery_kind kind = discovery_find(path);
    return kind == DISCOVERY_OTHER ? REAL(access)(path, mode) : answer_access(kind, mode);
}

EXPORT int faccessat(int directory, const char *path, int mode, int flags)
{
    enum discovery_kind kind = discovery_find(path);
    return kind == DISCOVERY_OTHER ? REAL(faccessat)(directory, path, mode, flags) : answer_access(kind, mode);
}

/* The link's target as readlink() gives it: without an end. */
static ssize_t answer_link(const char *path, char *text, size_t size)
{
    const struct node *node = find_node(path);
    if (!node || node->kind != DISCOVERY_LINK) {
        errno = node ? EINVAL : ENOENT;
        return -1;
    }
    size_t length = strlen(node->target);
    length = length < size ? length : size;
    memcpy(text, node->target, length);
    return (ssize_t)length;
}

EXPORT ssize_t readlink(const char *path, char *text, size_t size)
{
    return discovery_find(path) == DISCOVERY_OTHER ? REAL(readlink)(path, text, size) : answer_link(path, text, size);
}

EXPORT ssize_t readlinkat(int directory, const char *path, char *text, size_t size)
{
    if (discovery_find(path) == DISCOVERY_OTHER)
        return REAL(readlinkat)(directory, path, text, size);
    return answer_link(path, text, size);
}

/* A directory of ours that is being listed, in place of the C library's DIR. */
struct listing {
    struct listing *next;
    const struct node *directory;
    size_t position; /* 0: ".", 1: "..", then the nodes */
    struct dirent entry;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct listing *listings;

static struct listing *find_listing(const DIR *directory)
{
    if (!__atomic_load_n(&listings, __ATOMIC_ACQUIRE))
        return NULL;
    pthread_mutex_lock(&lock);
    struct listing *listing = listings;
    while (listing && (const void *)listing != (const void *)directory)
        listing = listing->next;
    pthread_mutex_unlock(&lock);
    return listing;
}

EXPORT DIR *opendir(const char *path)
{
    enum discovery_kind kind = discovery_find(path);
    if (kind == DISCOVERY_OTHER)
        return REAL(opendir)(path);
    struct listing *listing = kind == DISCOVERY_DIRECTORY ? calloc(1, sizeof *listing) : NULL;
    if (!listing) {
        errno = kind == DISCOVERY_DIRECTORY ? ENOMEM : kind == DISCOVERY_HIDDEN ? ENOENT : ENOTDIR;
        return NULL;
    }
    listing->directory = find_node(path);
    pthread_mutex_lock(&lock);
    listing->next = listings;
    __atomic_store_n(&listings, listing, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
    return (DIR *)(void *)listing;
}

/* The name of a node directly below the directory, NULL for other nodes. */
static const char *name_below(const struct node *directory, const struct node *node)
{
    size_t length = strlen(directory->path);
    if (strncmp(node->path, directory->path, length) != 0 || node->path[length] != '/')
        return NULL;
    const char *name = node->path + length + 1;
    return strchr(name, '/') ? NULL : name;
}

static struct dirent *next_entry(struct listing *listing)
{
    static const unsigned char types[] = {[DISCOVERY_DIRECTORY] = DT_DIR,
                                          [DISCOVERY_DEVICE] = DT_CHR,
                                          [DISCOVERY_TEXT] = DT_REG,
                                          [DISCOVERY_LINK] = DT_LNK};
    while (listing->position < 2 + NODES) {
        size_t at = listing->position++;
        const struct node *node = at < 2 ? listing->directory : &nodes[at - 2];
        const char *name = at == 0 ? "." : at == 1 ? ".." : name_below(listing->directory, node);
        if (!name)
            continue;
        listing->entry = (struct dirent){.d_ino = FIRST_INODE + (ino_t)(node - nodes),
                                         .d_off = (off_t)listing->position,
                                         .d_reclen = sizeof listing->entry,
                                         .d_type = types[node->kind]};
        strcpy(listing->entry.d_name, name);
        return &listing->entry;
    }
    return NULL;
}

EXPORT struct dirent *readdir(DIR *directory)
{
    struct listing *listing = find_listing(directory);
    return listing ? next_entry(listing) : REAL(readdir)(directory);
}

_Static_assert(sizeof(struct dirent) == sizeof(struct dirent64), "struct dirent has 64-bit fields");

EXPORT struct dirent64 *readdir64(DIR *directory)
{
    return (struct dirent64 *)(void *)readdir(directory);
}

EXPORT void rewinddir(DIR *directory)
{
    struct listing *listing = find_listing(directory);
    if (listing)
        listing->position = 0;
    else
        REAL(rewinddir)(directory);
}

EXPORT int dirfd(DIR *directory)
{
    if (!find_listing(directory))
        return REAL(dirfd)(directory);
    errno = ENOTSUP; /* as POSIX has it for directories without a descriptor */
    return -1;
}

EXPORT int closedir(DIR *directory)
{
    struct listing *listing = find_listing(directory);
    if (!listing)
        return REAL(closedir)(directory);
    pthread_mutex_lock(&lock);
    struct listing **link = &listings;
    while (*link != listing)
        link = &(*link)->next;
    __atomic_store_n(link, listing->next, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&lock);
    free(listing);
    return 0;
}
