/* Interposes the C library calls that a program makes on a GPU's device file and on its paths in /dev and /sys.
 *
 * libgensim.so is loaded into the simulated program before all other libraries (LD_PRELOAD). Calls on other files go on
 * to the C library. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "sim/base/poll.h"
#include "sim/gensim/device_file.h"
#include "sim/gensim/discovery.h"
#include "sim/gensim/real.h"

enum { DRM_REQUEST = 'd' }; /* the type of all requests of GPUs */

/* Opens `path` if it is simulated: a descriptor or -1; -2 for every other path. */
static int intercept_open(int directory, const char *path, int flags)
{
    const struct discovery_node *node;
    int result;
    switch (discovery_find(directory, path, !(flags & O_NOFOLLOW), &node)) {
    case DISCOVERY_OTHER: return -2;
    case DISCOVERY_DEVICE:
        if (!(flags & O_DIRECTORY))
            return device_file_open(flags);
        result = -ENOTDIR;
        break;
    case DISCOVERY_HIDDEN: result = -ENOENT; break;
    default: result = discovery_open(node, flags);
    }
    if (result >= 0)
        return result;
    errno = -result;
    return -1;
}

/* Reads the mode argument of open(), which exists only if a file may be created. */
#define MODE_ARGUMENT(FLAGS)                                                                                           \
    ({                                                                                                                 \
        mode_t mode_ = 0;                                                                                              \
        if ((FLAGS) & (O_CREAT | __O_TMPFILE)) {                                                                       \
            va_list arguments_;                                                                                        \
            va_start(arguments_, FLAGS);                                                                               \
            mode_ = va_arg(arguments_, mode_t);                                                                        \
            va_end(arguments_);                                                                                        \
        }                                                                                                              \
        mode_;                                                                                                         \
    })

/* The fortified variants, which no header declares. */
int __open_2(const char *path, int flags);
int __open64_2(const char *path, int flags);
int __openat_2(int directory, const char *path, int flags);
int __openat64_2(int directory, const char *path, int flags);

EXPORT int open(const char *path, int flags, ...)
{
    mode_t mode = MODE_ARGUMENT(flags);
    int result = intercept_open(AT_FDCWD, path, flags);
    return result != -2 ? result : REAL(open)(path, flags, mode);
}

EXPORT int open64(const char *path, int flags, ...)
{
    mode_t mode = MODE_ARGUMENT(flags);
    int result = intercept_open(AT_FDCWD, path, flags);
    return result != -2 ? result : REAL(open64)(path, flags, mode);
}

EXPORT int openat(int directory, const char *path, int flags, ...)
{
    mode_t mode = MODE_ARGUMENT(flags);
    int result = intercept_open(directory, path, flags);
    return result != -2 ? result : REAL(openat)(directory, path, flags, mode);
}

EXPORT int openat64(int directory, const char *path, int flags, ...)
{
    mode_t mode = MODE_ARGUMENT(flags);
    int result = intercept_open(directory, path, flags);
    return result != -2 ? result : REAL(openat64)(directory, path, flags, mode);
}

EXPORT int __open_2(const char *path, int flags)
{
    int result = intercept_open(AT_FDCWD, path, flags);
    return result != -2 ? result : REAL(__open_2)(path, flags);
}

EXPORT int __open64_2(const char *path, int flags)
{
    int result = intercept_open(AT_FDCWD, path, flags);
    return result != -2 ? result : REAL(__open64_2)(path, flags);
}

EXPORT int __openat_2(int directory, const char *path, int flags)
{
    int result = intercept_open(directory, path, flags);
    return result != -2 ? result : REAL(__openat_2)(directory, path, flags);
}

EXPORT int __openat64_2(int directory, const char *path, int flags)
{
    int result = intercept_open(directory, path, flags);
    return result != -2 ? result : REAL(__openat64_2)(directory, path, flags);
}

static FILE *open_stream(__typeof__(fopen) *real, const char *path, const char *mode)
{
    int descriptor = strchr(mode, '+') || mode[0] != 'r' ? -2 : intercept_open(AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    return descriptor == -2 ? real(path, mode) : descriptor < 0 ? NULL : fdopen(descriptor, mode);
}

EXPORT FILE *fopen(const char *path, const char *mode)
{
    return open_stream(REAL(fopen), path, mode);
}

EXPORT FILE *fopen64(const char *path, const char *mode)
{
    return open_stream(REAL(fopen64), path, mode);
}

EXPORT int close(int descriptor)
{
    struct device_file *entry = device_file_look_up(descriptor);
    if (!entry)
        return REAL(close)(descriptor);
    if (descriptor == entry->keeper) { /* the program has not opened it */
        errno = EBADF;
        return -1;
    }
    int result = REAL(close)(descriptor);
    device_file_close_if_unused(entry);
    return result;
}

EXPORT int ioctl(int descriptor, unsigned long request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    /* Requests of other types are about any file: whether it is a terminal, whether it blocks. */
    struct device_file *entry = _IOC_TYPE(request) == DRM_REQUEST ? device_file_use(descriptor) : NULL;
    if (!entry)
        return REAL(ioctl)(descriptor, request, argument);
    int result = entry->file.device->interface->ioctl(&entry->file, request, argument);
    if (result >= 0)
        return result;
    errno = -result;
    return -1;
}

typedef void *mmap_function(void *address, size_t length, int protection, int flags, int descriptor, off_t offset);

static void *map(mmap_function *real, void *address, size_t length, int protection, int flags, int descriptor,
                 off_t offset)
{
    struct device_file *entry = flags & MAP_ANONYMOUS ? NULL : device_file_use(descriptor);
    if (!entry)
        return real(address, length, protection, flags, descriptor, offset);
    uint64_t inside;
    struct object *object = entry->file.device->interface->map(&entry->file, (uint64_t)offset, length, &inside);
    if (!object) {
        errno = EINVAL;
        return MAP_FAILED;
    }
    void *result = real(address, length, protection, flags, object->memory_file, (off_t)inside);
    object_release(object);
    return result;
}

EXPORT void *mmap(void *address, size_t length, int protection, int flags, int descriptor, off_t offset)
{
    return map(REAL(mmap), address, length, protection, flags, descriptor, offset);
}

EXPORT void *mmap64(void *address, size_t length, int protection, int flags, int descriptor, off_t offset)
{
    return map(REAL(mmap64), address, length, protection, flags, descriptor, offset);
}

/* Waits until the GPU is idle before unmapping memory that it uses, as Linux does. */
EXPORT int munmap(void *address, size_t length)
{
    if (device_is_running())
        object_wait_range(address, length);
    return (int)syscall(SYS_munmap, address, length);
}

/* Called by drivers that wait for the GPU: sim/base/poll.h. */
EXPORT int sched_yield(void)
{
    if (device_is_running() && sim_poll_wait())
        return 0;
    return (int)syscall(SYS_sched_yield);
}
