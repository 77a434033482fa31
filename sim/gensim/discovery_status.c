/* Implements calls that query a path or a descriptor: stat and its relatives, access, readlink, realpath. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/sysmacros.h>
#include <unistd.h>
#include "sim/gensim/discovery.h"
#include "sim/gensim/real.h"

enum { DRM_MAJOR = 226, FIRST_RENDER_NODE = 128, FIRST_INODE = 1000 };

void discovery_status(const struct discovery_node *node, struct stat *status)
{
    static const mode_t modes[] = {[DISCOVERY_DIRECTORY] = S_IFDIR | 0755,
                                   [DISCOVERY_DEVICE] = S_IFCHR | 0666,
                                   [DISCOVERY_TEXT] = S_IFREG | 0444,
                                   [DISCOVERY_LINK] = S_IFLNK | 0777};
    memset(status, 0, sizeof *status);
    status->st_mode = modes[node->kind];
    status->st_ino = FIRST_INODE + (ino_t)discovery_place(node);
    status->st_nlink = node->kind == DISCOVERY_DIRECTORY ? 2 : 1;
    status->st_blksize = 4096;
    if (node->kind == DISCOVERY_DEVICE)
        status->st_rdev = makedev(DRM_MAJOR, FIRST_RENDER_NODE);
    if (node->kind == DISCOVERY_LINK)
        status->st_size = (off_t)strlen(node->content);
    if (node->kind == DISCOVERY_TEXT)
        status->st_size = 4096; /* as sysfs has it */
}

/* Answers a status query. 1: the path is one of ours, and the result is in `*result`. */
static int answer_status(int directory, const char *path, int flags, struct stat *status, int *result)
{
    const struct discovery_node *node;
    *result = 0;
    if (path && path[0] == 0 && flags & AT_EMPTY_PATH) {
        node = discovery_at(directory);
        if (node)
            discovery_status(node, status);
        return node != NULL;
    }
    enum discovery_kind kind = discovery_find(directory, path, !(flags & AT_SYMLINK_NOFOLLOW), &node);
    if (kind == DISCOVERY_OTHER)
        return 0;
    if (node) {
        discovery_status(node, status);
    } else {
        errno = ENOENT;
        *result = -1;
    }
    return 1;
}

EXPORT int stat(const char *path, struct stat *status)
{
    int result;
    return answer_status(AT_FDCWD, path, 0, status, &result) ? result : REAL(stat)(path, status);
}

EXPORT int lstat(const char *path, struct stat *status)
{
    int result;
    return answer_status(AT_FDCWD, path, AT_SYMLINK_NOFOLLOW, status, &result) ? result : REAL(lstat)(path, status);
}

EXPORT int fstat(int descriptor, struct stat *status)
{
    const struct discovery_node *node = discovery_at(descriptor);
    if (!node)
        return REAL(fstat)(descriptor, status);
    discovery_status(node, status);
    return 0;
}

EXPORT int fstatat(int directory, const char *path, struct stat *status, int flags)
{
    int result;
    return answer_status(directory, path, flags, status, &result) ? result
                                                                  : REAL(fstatat)(directory, path, status, flags);
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

/* Entry points of programs that were built with older C libraries; no header declares them any more. */
int __xstat(int version, const char *path, struct stat *status);
int __lxstat(int version, const char *path, struct stat *status);
int __fxstat(int version, int descriptor, struct stat *status);
int __fxstatat(int version, int directory, const char *path, struct stat *status, int flags);
int __xstat64(int version, const char *path, struct stat64 *status);
int __lxstat64(int version, const char *path, struct stat64 *status);
int __fxstat64(int version, int descriptor, struct stat64 *status);
int __fxstatat64(int version, int directory, const char *path, struct stat64 *status, int flags);

EXPORT int __xstat(int version, const char *path, struct stat *status)
{
    (void)version; /* there is one on this machine */
    return stat(path, status);
}

EXPORT int __lxstat(int version, const char *path, struct stat *status)
{
    (void)version;
    return lstat(path, status);
}

EXPORT int __fxstat(int version, int descriptor, struct stat *status)
{
    (void)version;
    return fstat(descriptor, status);
}

EXPORT int __fxstatat(int version, int directory, const char *path, struct stat *status, int flags)
{
    (void)version;
    return fstatat(directory, path, status, flags);
}

EXPORT int __xstat64(int version, const char *path, struct stat64 *status)
{
    (void)version;
    return stat64(path, status);
}

EXPORT int __lxstat64(int version, const char *path, struct stat64 *status)
{
    (void)version;
    return lstat64(path, status);
}

EXPORT int __fxstat64(int version, int descriptor, struct stat64 *status)
{
    (void)version;
    return fstat64(descriptor, status);
}

EXPORT int __fxstatat64(int version, int directory, const char *path, struct stat64 *status, int flags)
{
    (void)version;
    return fstatat64(directory, path, status, flags);
}

EXPORT int statx(int directory, const char *path, int flags, unsigned mask, struct statx *wide)
{
    struct stat status;
    int result;
    if (!answer_status(directory, path, flags, &status, &result))
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

/* Answers an access query. 1: the path is one of ours, and the result is in `*result`. */
static int answer_access(int directory, const char *path, int mode, int *result)
{
    const struct discovery_node *node;
    enum discovery_kind kind = discovery_find(directory, path, 1, &node);
    *result = 0;
    if (kind == DISCOVERY_OTHER)
        return 0;
    if (kind == DISCOVERY_HIDDEN)
        errno = ENOENT;
    else if ((mode & X_OK && kind != DISCOVERY_DIRECTORY) || (mode & W_OK && kind != DISCOVERY_DEVICE))
        errno = EACCES;
    else
        return 1;
    *result = -1;
    return 1;
}

EXPORT int access(const char *path, int mode)
{
    int result;
    return answer_access(AT_FDCWD, path, mode, &result) ? result : REAL(access)(path, mode);
}

EXPORT int faccessat(int directory, const char *path, int mode, int flags)
{
    int result;
    return answer_access(directory, path, mode, &result) ? result : REAL(faccessat)(directory, path, mode, flags);
}

EXPORT int euidaccess(const char *path, int mode)
{
    int result;
    return answer_access(AT_FDCWD, path, mode, &result) ? result : REAL(euidaccess)(path, mode);
}

EXPORT int eaccess(const char *path, int mode)
{
    return euidaccess(path, mode);
}

/* Returns the link's target as readlink() does, not terminated; -2 for paths that are not ours. */
static ssize_t answer_link(int directory, const char *path, char *text, size_t size)
{
    const struct discovery_node *node;
    enum discovery_kind kind = discovery_find(directory, path, 0, &node);
    if (kind == DISCOVERY_OTHER)
        return -2;
    if (kind != DISCOVERY_LINK) {
        errno = node ? EINVAL : ENOENT;
        return -1;
    }
    size_t length = strlen(node->content);
    length = length < size ? length : size;
    memcpy(text, node->content, length);
    return (ssize_t)length;
}

EXPORT ssize_t readlink(const char *path, char *text, size_t size)
{
    ssize_t length = answer_link(AT_FDCWD, path, text, size);
    return length == -2 ? REAL(readlink)(path, text, size) : length;
}

EXPORT ssize_t readlinkat(int directory, const char *path, char *text, size_t size)
{
    ssize_t length = answer_link(directory, path, text, size);
    return length == -2 ? REAL(readlinkat)(directory, path, text, size) : length;
}

/* Variants for fortified programs, which have checked the buffer's size themselves. */
ssize_t __readlink_chk(const char *path, char *text, size_t size, size_t room);
ssize_t __readlinkat_chk(int directory, const char *path, char *text, size_t size, size_t room);
char *__realpath_chk(const char *path, char *resolved, size_t room);

EXPORT ssize_t __readlink_chk(const char *path, char *text, size_t size, size_t room)
{
    if (size > room)
        abort();
    return readlink(path, text, size);
}

EXPORT ssize_t __readlinkat_chk(int directory, const char *path, char *text, size_t size, size_t room)
{
    if (size > room)
        abort();
    return readlinkat(directory, path, text, size);
}

EXPORT char *realpath(const char *path, char *resolved)
{
    const struct discovery_node *node;
    enum discovery_kind kind = discovery_find(AT_FDCWD, path, 1, &node);
    if (kind == DISCOVERY_OTHER)
        return REAL(realpath)(path, resolved);
    if (kind == DISCOVERY_HIDDEN) {
        errno = ENOENT;
        return NULL;
    }
    return resolved ? strcpy(resolved, node->path) : strdup(node->path);
}

EXPORT char *__realpath_chk(const char *path, char *resolved, size_t room)
{
    if (room < PATH_MAX)
        abort();
    return realpath(path, resolved);
}

EXPORT char *canonicalize_file_name(const char *path)
{
    return realpath(path, NULL);
}
