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
#include "sim/crash.h"
#include "sim/fidelity.h"
#include "sim/gensim/discovery.h"
#include "sim/poll.h"
#include "sim/process.h"
#include "sim/save.h"
#include "sim/stats.h"
#include "sim/trace.h"

enum { DRM_REQUEST = 'd' }; /* the type of all requests of GPUs */

/* An open device file. Its descriptor `keeper` is ours: as long as it is open nobody else gets the inode. A closed one
 * has keeper -1 and inode 0, and stays in the list to be used again. */
struct device_file {
    struct device_file *next;
    dev_t device;
    ino_t inode;
    int keeper;
    struct kernel_file file;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct device_file *open_files; /* the list grows only: it is read without the lock */
static struct kernel_device device;
static int device_ready;
static pid_t device_process;
static int device_forked; /* in the child of a fork, until it uses the device */

void *find_real(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (!function)
        sim_process_stop("the C library has no %s", name);
    return function;
}

/* fork() copies the program with one thread: nobody is to change anything meanwhile. */
static void before_fork(void)
{
    pthread_mutex_lock(&lock);
    for (struct device_file *entry = open_files; entry; entry = entry->next)
        if (entry->keeper >= 0)
            kernel_file_before_fork(&entry->file);
}

static void after_fork(int in_child)
{
    for (struct device_file *entry = open_files; entry; entry = entry->next)
        if (entry->keeper >= 0)
            kernel_file_after_fork(&entry->file, in_child);
    if (in_child)
        pthread_mutex_init(&lock, NULL);
    else
        pthread_mutex_unlock(&lock);
}

static void after_fork_in_parent(void)
{
    after_fork(0);
}

static void after_fork_in_child(void)
{
    after_fork(1);
    __atomic_store_n(&device_forked, 1, __ATOMIC_RELEASE);
}

/* With the lock held: what is observed from now on, in this process. */
static void start_observers(const struct sim_options *options)
{
    if (options->stats)
        sim_stats_start(options->platform, options->stats);
    if (options->fidelity)
        sim_fidelity_start();
}

/* With the lock held, in the child of a fork that uses the device: its threads, which were not copied. */
static int revive_device(void)
{
    struct sim_options options;
    const char *problem = sim_options_read(&options);
    if (problem)
        sim_process_stop("%s", problem);
    int error = kernel_device_revive(&device, &options);
    if (error)
        return error;
    for (struct device_file *entry = open_files; entry; entry = entry->next)
        if (entry->keeper >= 0)
            kernel_file_revive(&entry->file);
    start_observers(&options);
    device_process = getpid();
    __atomic_store_n(&device_forked, 0, __ATOMIC_RELEASE);
    return 0;
}

/* With the lock held: the device, made at the first open so that programs that use no GPU start no threads. */
static int prepare_device(void)
{
    struct sim_options options;
    if (device_ready && device_forked)
        return revive_device();
    if (device_ready)
        return device_process == getpid() ? 0 : -ENODEV; /* clone() without fork(): there are no threads */
    const char *problem = sim_options_read(&options);
    if (problem)
        sim_process_stop("%s", problem);
    sim_crash_watch();
    int error = kernel_device_create(&device, &options, &kernel_i915);
    if (error)
        return error;
    if (options.tracing)
        sim_trace_start(&options.trace);
    sim_save_start(options.save_kernels);
    if (options.check_scoreboard)
        eu_check_scoreboards();
    start_observers(&options);
    device_process = getpid();
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    device_forked = 0; /* by a fork before there was a device */
    device_ready = 1;
    return 0;
}

/* With the lock held: a descriptor for a new device file, or a negative errno value. */
static int new_device_file(int flags)
{
    struct stat status;
    struct device_file *entry = open_files;
    while (entry && entry->keeper >= 0)
        entry = entry->next;
    int is_new = !entry;
    if (is_new)
        entry = calloc(1, sizeof *entry);
    int descriptor = memfd_create(kernel_i915.name, flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
    int error = !entry ? -ENOMEM : descriptor < 0 ? -errno : kernel_file_open(&entry->file, &device);
    if (!error) {
        entry->keeper = fcntl(descriptor, F_DUPFD_CLOEXEC, 200);
        if (entry->keeper < 0)
            entry->keeper = fcntl(descriptor, F_DUPFD_CLOEXEC, 0);
        if (entry->keeper < 0 || REAL(fstat)(descriptor, &status) != 0) {
            error = -errno;
            kernel_file_close(&entry->file);
        }
    }
    if (error) {
        if (descriptor >= 0)
            REAL(close)(descriptor);
        if (is_new)
            free(entry);
        else
            entry->keeper = -1;
        return error;
    }
    entry->device = status.st_dev;
    __atomic_store_n(&entry->inode, status.st_ino, __ATOMIC_RELEASE);
    if (is_new) {
        entry->next = open_files;
        __atomic_store_n(&open_files, entry, __ATOMIC_RELEASE);
    }
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

/* Whether nobody but ourselves has the file open any more. With the lock held. */
static int is_unused(const struct device_file *entry)
{
    struct stat status;
    DIR *directory = REAL(opendir)("/proc/self/fd");
    int others = directory == NULL;
    for (const struct dirent *each; directory && (each = readdir(directory));) {
        int descriptor = atoi(each->d_name);
        others += each->d_name[0] != '.' && descriptor != entry->keeper && REAL(fstat)(descriptor, &status) == 0 &&
                  status.st_dev == entry->device && status.st_ino == entry->inode;
    }
    if (directory)
        closedir(directory);
    return !others;
}

/* After a descriptor of the file was closed: the file goes with its last one, as its objects and contexts do. */
static void close_if_unused(struct device_file *entry)
{
    pthread_mutex_lock(&lock);
    if (device_process == getpid() && entry->keeper >= 0 && is_unused(entry)) {
        __atomic_store_n(&entry->inode, 0, __ATOMIC_RELEASE);
        kernel_file_close(&entry->file);
        REAL(close)(entry->keeper);
        entry->keeper = -1;
    }
    pthread_mutex_unlock(&lock);
}

/* The device file behind a descriptor, NULL for every other file. errno stays as it is. In the child of a fork this
 * does not start the device: such a child often only closes what it finds open and becomes another program. */
static struct device_file *look_up(int descriptor)
{
    struct device_file *entry = __atomic_load_n(&open_files, __ATOMIC_ACQUIRE);
    struct stat status;
    int saved = errno;
    if (!entry || descriptor < 0 || (device_process != getpid() && !__atomic_load_n(&device_forked, __ATOMIC_ACQUIRE)))
        return NULL;
    if (REAL(fstat)(descriptor, &status) != 0)
        entry = NULL;
    while (entry &&
           (__atomic_load_n(&entry->inode, __ATOMIC_ACQUIRE) != status.st_ino || entry->device != status.st_dev))
        entry = entry->next;
    errno = saved;
    return entry;
}

/* The same for a descriptor that is used: the device is ready then. */
static struct device_file *find_device_file(int descriptor)
{
    struct device_file *entry = look_up(descriptor);
    int saved = errno;
    if (entry && __atomic_load_n(&device_forked, __ATOMIC_ACQUIRE)) {
        pthread_mutex_lock(&lock);
        int error = prepare_device();
        pthread_mutex_unlock(&lock);
        if (error)
            entry = NULL;
    }
    errno = saved;
    return entry;
}

int device_is_open_at(int descriptor)
{
    return look_up(descriptor) != NULL;
}

/* What an open of `path` gives: a descriptor or -1, or -2 when the path is none of ours. */
static int intercept_open(int directory, const char *path, int flags)
{
    const struct discovery_node *node;
    int result;
    switch (discovery_find(directory, path, !(flags & O_NOFOLLOW), &node)) {
    case DISCOVERY_OTHER: return -2;
    case DISCOVERY_DEVICE:
        if (!(flags & O_DIRECTORY))
            return open_device(flags);
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
    struct device_file *entry = look_up(descriptor);
    if (!entry)
        return REAL(close)(descriptor);
    if (descriptor == entry->keeper) { /* the program has not opened it */
        errno = EBADF;
        return -1;
    }
    int result = REAL(close)(descriptor);
    close_if_unused(entry);
    return result;
}

EXPORT int ioctl(int descriptor, unsigned long request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    /* Requests of other types are about any file: whether it is a terminal, whether it blocks. */
    struct device_file *entry = _IOC_TYPE(request) == DRM_REQUEST ? find_device_file(descriptor) : NULL;
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

/* As in Linux, memory that the GPU uses stays until it is idle. */
EXPORT int munmap(void *address, size_t length)
{
    if (device_ready && device_process == getpid())
        object_wait_range(address, length);
    return (int)syscall(SYS_munmap, address, length);
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
    sim_trace_finish();
    sim_stats_write();
    sim_process_report_dropped();
    sim_fidelity_print();
}
