/* Checks the ways in which programs look for GPUs, under gensim: listings, paths relative to directories, links, and
 * libdrm. The argument is the expected PCI number of the device. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xf86drm.h>
#include "test/unit/sim_kernel/check.h"

#define DRI "/dev/dri"
#define PCI "/sys/devices/pci0000:00/0000:00:02.0"

static int is_render_node(const struct dirent *entry)
{
    return strncmp(entry->d_name, "render", 6) == 0;
}

static void scans(void)
{
    struct dirent **list;
    CHECK_EQUAL(scandir(DRI, &list, is_render_node, alphasort), 1);
    CHECK(strcmp(list[0]->d_name, "renderD128") == 0 && list[0]->d_type == DT_CHR);
    struct stat status;
    CHECK_EQUAL(stat(DRI "/renderD128", &status), 0);
    CHECK_EQUAL(status.st_ino, list[0]->d_ino);
    free(list[0]);
    free(list);
    CHECK_EQUAL(scandir(DRI, &list, NULL, alphasort), 3);
    CHECK(strcmp(list[0]->d_name, ".") == 0 && strcmp(list[1]->d_name, "..") == 0);
    for (int i = 0; i < 3; i++)
        free(list[i]);
    free(list);
    errno = 0;
    CHECK_EQUAL(scandir(DRI "/by-id", &list, NULL, NULL), -1);
    CHECK_EQUAL(errno, ENOENT);
    CHECK_EQUAL(scandir("/", &list, NULL, NULL) > 2, 1); /* of others */
}

/* A directory that is listed twice, with telldir and seekdir. */
static void lists(void)
{
    DIR *directory = opendir("/dev//dri/.");
    CHECK(directory);
    for (int pass = 0; pass < 2; pass++) {
        int entries = 0;
        while (readdir(directory))
            entries++;
        CHECK_EQUAL(entries, 3);
        rewinddir(directory);
    }
    CHECK(readdir(directory) && readdir(directory));
    long place = telldir(directory);
    const struct dirent *entry = readdir(directory);
    CHECK(entry && strcmp(entry->d_name, "renderD128") == 0 && !readdir(directory));
    seekdir(directory, place);
    CHECK((entry = readdir(directory)) && strcmp(entry->d_name, "renderD128") == 0);
    CHECK_EQUAL(faccessat(dirfd(directory), "renderD128", R_OK | W_OK, 0), 0);
    CHECK_EQUAL(closedir(directory), 0);
    CHECK(!opendir(DRI "/renderD128") && errno == ENOTDIR);
}

/* The device and its status by a descriptor of the directory, which is then listed with two functions. */
static void walks_from_a_descriptor(void)
{
    _Alignas(8) char buffer[64];
    struct stat status;
    int directory = open(DRI, O_RDONLY | O_DIRECTORY | O_CLOEXEC), listed = 0;
    CHECK(directory >= 0);
    CHECK(fstat(directory, &status) == 0 && S_ISDIR(status.st_mode));
    CHECK(fstatat(directory, "renderD128", &status, 0) == 0 && S_ISCHR(status.st_mode));
    CHECK_EQUAL(major(status.st_rdev), 226);
    CHECK_EQUAL(fstatat(directory, "../dri/./renderD128", &status, 0), 0);
    CHECK(fstatat(directory, "card0", &status, 0) == -1 && errno == ENOENT);
    int file = openat(directory, "renderD128", O_RDWR | O_CLOEXEC);
    CHECK(file >= 0 && fstat(file, &status) == 0 && S_ISCHR(status.st_mode));
    CHECK(openat(directory, "renderD128", O_RDONLY | O_DIRECTORY) == -1 && errno == ENOTDIR);
    close(file);
    for (ssize_t bytes; (bytes = getdents64(directory, buffer, sizeof buffer)) > 0;)
        for (char *at = buffer; at < buffer + bytes; at += ((struct dirent64 *)(void *)at)->d_reclen)
            listed++;
    CHECK_EQUAL(listed, 3);
    CHECK_EQUAL(lseek(directory, 0, SEEK_SET), 0);
    CHECK(getdents64(directory, buffer, 8) == -1 && errno == EINVAL);
    DIR *stream = fdopendir(dup(directory));
    for (listed = 0; readdir(stream);)
        listed++;
    CHECK_EQUAL(listed, 3);
    closedir(stream);
    CHECK_EQUAL(fcntl(directory, F_GETFD), FD_CLOEXEC);
    close(directory);
    CHECK(open(DRI, O_RDWR) == -1 && errno == EISDIR);
}

static void follows_links(void)
{
    char text[PATH_MAX];
    struct stat status;
    CHECK(realpath("/sys/dev/char/226:128/device", text) && strcmp(text, PCI) == 0);
    CHECK(realpath("/sys/class/drm/renderD128/../card0/device/drm", text) && strcmp(text, PCI "/drm") == 0);
    CHECK(!realpath("/sys/dev/char/226:0", NULL) && errno == ENOENT);
    CHECK(realpath("/dev/../dev/null", text) && strcmp(text, "/dev/null") == 0); /* of others */
    ssize_t length = readlink("/sys/dev/char/226:128/device/subsystem", text, sizeof text - 1);
    CHECK(length > 0);
    text[length] = 0;
    CHECK(strcmp(text, "../../../bus/pci") == 0);
    CHECK(lstat("/sys/dev/char/226:128", &status) == 0 && S_ISLNK(status.st_mode));
    CHECK(stat("/sys/dev/char/226:128", &status) == 0 && S_ISDIR(status.st_mode));
    CHECK(access("/sys/dev/char/226:128/device/vendor", R_OK) == 0);
    CHECK(access("/sys/dev/char/226:128/device/vendor", W_OK) == -1 && errno == EACCES);
    CHECK(access("/sys/dev/char/226:128/device/config", R_OK) == -1 && errno == ENOENT);
}

static void globs(void)
{
    glob_t found;
    CHECK_EQUAL(glob("/dev/dri/render*", 0, NULL, &found), 0);
    CHECK(found.gl_pathc == 1 && strcmp(found.gl_pathv[0], "/dev/dri/renderD128") == 0);
    globfree(&found);
    CHECK_EQUAL(glob("/sys/class/drm/*/device/vendor", GLOB_NOSORT, NULL, &found), 0);
    CHECK_EQUAL(found.gl_pathc, 2);
    globfree(&found);
    CHECK_EQUAL(glob("/dev/nul*", 0, NULL, &found), 0); /* of others */
    globfree(&found);
}

/* libdrm reads sysfs; Mesa, media drivers and monitors use libdrm. */
static void is_found_by_libdrm(unsigned pci_id)
{
    drmDevicePtr devices[4];
    CHECK_EQUAL(drmGetDevices2(DRM_DEVICE_GET_PCI_REVISION, devices, 4), 1);
    const drmDevice *device = devices[0];
    CHECK_EQUAL(device->bustype, DRM_BUS_PCI);
    CHECK(device->available_nodes & 1 << DRM_NODE_RENDER);
    CHECK(strcmp(device->nodes[DRM_NODE_RENDER], "/dev/dri/renderD128") == 0);
    CHECK_EQUAL(device->deviceinfo.pci->vendor_id, 0x8086);
    CHECK_EQUAL(device->deviceinfo.pci->device_id, pci_id);
    CHECK_EQUAL(device->businfo.pci->bus, 0);
    CHECK_EQUAL(device->businfo.pci->dev, 2);
    drmFreeDevices(devices, 1);
    int file = open("/dev/dri/renderD128", O_RDWR);
    drmVersionPtr version = drmGetVersion(file);
    CHECK(version && strcmp(version->name, "i915") == 0);
    drmFreeVersion(version);
    drmDevicePtr same;
    CHECK_EQUAL(drmGetDevice2(file, 0, &same), 0);
    CHECK_EQUAL(same->deviceinfo.pci->device_id, pci_id);
    CHECK_EQUAL(drmGetNodeTypeFromFd(file), DRM_NODE_RENDER);
    drmFreeDevice(&same);
    close(file);
}

/* A directory's descriptor stays valid in a child process and in another program. */
static void survives_fork_and_exec(void)
{
    int directory = open(DRI, O_RDONLY | O_DIRECTORY), status;
    pid_t child = fork();
    if (child == 0) {
        char path[32];
        snprintf(path, sizeof path, "%d", directory);
        execlp("python3", "python3", "-c", "import os, sys; sys.exit(os.listdir(int(sys.argv[1])) != ['renderD128'])",
               path, (char *)NULL);
        _exit(1);
    }
    CHECK_EQUAL(waitpid(child, &status, 0), child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    close(directory);
}

int main(int count, char **arguments)
{
    CHECK_EQUAL(count, 2);
    scans();
    lists();
    walks_from_a_descriptor();
    follows_links();
    globs();
    is_found_by_libdrm((unsigned)strtoul(arguments[1], NULL, 16));
    survives_fork_and_exec();
    return 0;
}
