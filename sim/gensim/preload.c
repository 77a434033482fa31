/* libgensim.so: loaded into the simulated program before all other libraries (LD_PRELOAD), it answers for the device
 * file of a GPU that is not there. Only calls about that file are answered here, everything else goes on to the C
 * library. A device file is a real, empty memory file, so that duplicating, passing, polling and closing it need no
 * help; it is recognised by its inode. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include "sim/kernel/kernel.h"
#include "sim/fidelity.h"
#include "sim/poll.h"
#include "sim/process.h"
#include "sim/save.h"
#include "sim/stats.h"
#include "sim/trace.h"

#define EXPORT __attribute__((visibility("default")))

static const char DEVICE_DIRECTORY[] = "/dev/dri";

/* An open device file. Its descriptor `keeper` is ours: as long as it is open nobody else gets the inode. */
struct device_file {
    struct device_file *next;
    dev_t device;
    ino_t inode;
    int keeper;
    struct kernel_file file;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct device_file *open_files; /* grows only: the list is read without the lock */
static struct kernel_device device;
static int device_ready;
static pid_t device_process;

#define REAL(NAME) ((__typeof__(&NAME))find_real(#NAME))

static void *find_real(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function)
        sim_process_stop("the C library has no %s", name);
    return function;
}

/* Whether the simulated device's file is meant; `hidden` when it is another one of a real GPU, which must not show. */
static int is_device_node(const char *path, int *hidden)
{
    size_t length = sizeof DEVICE_DIRECTORY - 1;
    *hidden = 0;
    if (!path || strncmp(path, DEVICE_DIRECTORY, length) != 0 || (path[length] && path[length] != '/'))
        return 0;
    if (strcmp(path, kernel_i915.node) == 0)
        return 1;
    *hidden = 1;
    return 0;
}

/* With the lock held: the device, made at the first open so that programs that use no GPU start no threads. */
static int prepare_device(void)
{
    struct sim_options options;
    if (device_ready)
        return device_process == getpid() ? 0 : -ENODEV; /* threads do not survive a fork */
    const char *problem = sim_options_read(&options);
    if (problem)
        sim_process_stop("%s", problem);
    int error = kernel_device_create(&device, &options, &kernel_i915);
    if (error)
        return error;
    if (options.stats)
        sim_stats_start(options.platform, options.stats);
    if (options.tracing)
        sim_trace_start(&options.trace);
    sim_save_start(options.save_kernels);
    if (options.check_scoreboard)
        eu_check_scoreboards();
    if (options.fidelity)
        sim_fidelity_start();
    device_process = getpid();
    device_ready = 1;
    return 0;
}

/* With the lock held: a descriptor for a new device file, or a negative errno value. */
static int new_device_file(int flags)
{
    struct stat status;
    struct device_file *entry = calloc(1, sizeof *entry);
    int descriptor = memfd_create(kernel_i915.name, flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
    int error = !entry ? -ENOMEM : descriptor < 0 ? -errno : kernel_file_open(&entry->file, &device);
    if (!error) {
        entry->keeper = fcntl(descriptor, F_DUPFD_CLOEXEC, 200);
        if (entry->keeper < 0)
            entry->keeper = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
        if (entry->keeper < 0 || fstat(descriptor, &status) != 0) {
            error = -errno;
            kernel_file_close(&entry->file);
        }
    }
    if (error) {
        if (descriptor >= 0)
            close(descriptor);
        free(entry);
        return error;
    }
    entry->device = status.st_dev;
    entry->inode = status.st_ino;
    entry->next = open_files;
    __atomic_store_n(&open_files, entry, __ATOMIC_RELEASE);
    return descriptor;
}

static int open_device(int flags)
{
    pthread_mutex_lock(&lock);
    int result = prepare_device();
    if (!result)
        result = new_device_file(flags);
    pthread_mutex_unlock(&lock);
    if (result < 0) {
        errno = -result;
        return -1;
    }
    return result;
}

/* The device file behind a descriptor, NULL for every other file. errno stays as it is. */
static struct device_file *find_device_file(int descriptor)
{
    struct device_file *entry = __atomic_load_n(&open_files, __ATOMIC_ACQUIRE);
    struct stat status;
    int saved = errno;
    if (!entry || descriptor < 0 || device_process != getpid())
        return NULL;
    if (fstat(descriptor, &status) != 0)
        entry = NULL;
    while (entry && (entry->device != status.st_dev || entry->inode != status.st_ino))
        entry = entry->next;
    errno = saved;
    return entry;
}

/* What an open of `path` gives: a descriptor or -1, or -2 when the path is none of ours. */
static int intercept_open(const char *path, int flags)
{
    int hidden;
    if (is_device_node(path, &hidden))
        return open_device(flags);
    if (!hidden)
        return -2;
    errno = ENOENT;
    return -1;
}

/* The mode argument of open(), there only when a file may be made. */
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
    int result = intercept_open(path, flags);
    return result != -2 ? result : REAL(open)(path, flags, mode);
}

EXPORT int open64(const char *path, int flags, ...)
{
    mode_t mode = MODE_ARGUMENT(flags);
    int result = intercept_open(path, flags);
    return result != -2 ? result : REAL(open64)(path, flags, mode);
}

EXPORT int openat(int directory, const char *path, int flags, ...)
{
    mode_t mode = MODE_ARGUMENT(flags);
    int result = intercept_open(path, flags);
    return result != -2 ? result : REAL(openat)(directory, path, flags, mode);
}

EXPORT int openat64(int directory, const char *path, int flags, ...)
{
    mode_t mode = MODE_ARGUMENT(flags);
    int result = intercept_open(path, flags);
    return result != -2 ? result : REAL(openat64)(directory, path, flags, mode);
}

EXPORT int __open_2(const char *path, int flags)
{
    int result = intercept_open(path, flags);
    return result != -2 ? result : REAL(__open_2)(path, flags);
}

EXPORT int __open64_2(const char *path, int flags)
{
    int result = intercept_open(path, flags);
    return result != -2 ? result : REAL(__open64_2)(path, flags);
}

EXPORT int __openat_2(int directory, const char *path, int flags)
{
    int result = intercept_open(path, flags);
    return result != -2 ? result : REAL(__openat_2)(directory, path, flags);
}

EXPORT int __openat64_2(int directory, const char *path, int flags)
{
    int result = intercept_open(path, flags);
    return result != -2 ? result : REAL(__openat64_2)(directory, path, flags);
}

/* Drivers look for GPUs by listing this directory first; without it they try the device files by number. */
EXPORT DIR *opendir(const char *path)
{
    int hidden;
    if (is_device_node(path, &hidden) || hidden) {
        errno = hidden ? ENOENT : ENOTDIR;
        return NULL;
    }
    return REAL(opendir)(path);
}

EXPORT int access(const char *path, int mode)
{
    int hidden;
    if (is_device_node(path, &hidden) && !(mode & X_OK))
        return 0;
    if (hidden) {
        errno = ENOENT;
        return -1;
    }
    return REAL(access)(path, mode);
}

EXPORT int ioctl(int descriptor, unsigned long request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    struct device_file *entry = find_device_file(descriptor);
    if (!entry)
        return REAL(ioctl)(descriptor, request, argument);
    int result = kernel_i915.ioctl(&entry->file, request, argument);
    if (result >= 0)
        return result;
    errno = -result;
    return -1;
}

typedef void *mmap_function(void *address, size_t length, int protection, int flags, int descriptor, off_t offset);

static void *map(mmap_function *real, void *address, size_t length, int protection, int flags, int descriptor,
                 off_t offset)
{
    struct device_file *entry = flags & MAP_ANONYMOUS ? NULL : find_device_file(descriptor);
    if (!entry)
        return real(address, length, protection, flags, descriptor, offset);
    uint64_t inside;
    struct object *object = kernel_i915.map(&entry->file, (uint64_t)offset, length, &inside);
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

/* How drivers wait for the GPU: sim/poll.h. */
EXPORT int sched_yield(void)
{
    if (device_ready && device_process == getpid() && sim_poll_wait())
        return 0;
    return (int)syscall(SYS_sched_yield);
}

__attribute__((destructor)) static void finish(void)
{
    if (!device_ready || device_process != getpid())
        return;
    sim_stats_write();
    sim_process_report_dropped();
    sim_fidelity_print();
}
