#include "sim/gensim/device_file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include "sim/base/crash.h"
#include "sim/base/process.h"
#include "sim/gensim/observers.h"
#include "sim/gensim/level_zero_arguments.h"
#include "sim/gensim/opencl_arguments.h"
#include "sim/gensim/real.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct device_file *open_files; /* the list grows only: it is read without the lock */
static struct kernel_device device;
static int device_ready;
static pid_t device_process;
static int device_forked; /* in the child of a fork, until it uses the device */

/* Locks before a fork(), which copies the program with one thread only: no other thread may be changing data then. */
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

/* Restarts the device's threads, which a fork does not copy, in a child that uses the device. Call it with the lock
 * held. */
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
    observers_start(&options);
    device_process = getpid();
    __atomic_store_n(&device_forked, 0, __ATOMIC_RELEASE);
    return 0;
}

/* Creates the device at the first open, so that programs without GPU use start no threads. Call it with the lock held.
 */
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
    observers_read(&options);
    int error = kernel_device_create(&device, &options, kernel_interface_find(options.interface));
    if (error)
        return error;
    observers_begin(&options);
    if (options.checks & SIM_CHECK_MEMORY) {
        opencl_arguments_follow();
        level_zero_arguments_follow();
    }
    device_process = getpid();
    pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
    device_forked = 0; /* by a fork before there was a device */
    device_ready = 1;
    return 0;
}

/* Creates a device file: its descriptor, or a negative errno value. Call it with the lock held. */
static int new_device_file(int flags)
{
    struct stat status;
    struct device_file *entry = open_files;
    while (entry && entry->keeper >= 0)
        entry = entry->next;
    int is_new = !entry;
    if (is_new)
        entry = calloc(1, sizeof *entry);
    int descriptor = memfd_create(device.interface->name, flags & O_CLOEXEC ? MFD_CLOEXEC : 0);
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

int device_file_open(int flags)
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

/* True if only the simulator still has the file open. Call it with the lock held. */
static int is_unused(const struct device_file *entry)
{
    struct stat status;
    DIR *directory = REAL(opendir)("/proc/self/fd");
    int others = directory == NULL;
    for (const struct dirent *each; directory && (each = readdir(directory));) {
        int descriptor = (int)strtol(each->d_name, NULL, 10);
        others += each->d_name[0] != '.' && descriptor != entry->keeper && REAL(fstat)(descriptor, &status) == 0 &&
                  status.st_dev == entry->device && status.st_ino == entry->inode;
    }
    if (directory)
        closedir(directory);
    return !others;
}

void device_file_close_if_unused(struct device_file *entry)
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

struct device_file *device_file_look_up(int descriptor)
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

struct device_file *device_file_use(int descriptor)
{
    struct device_file *entry = device_file_look_up(descriptor);
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

int device_is_running(void)
{
    return device_ready && device_process == getpid();
}

int device_was_opened(void)
{
    return device_ready;
}

/* Says so if a driver has opened the device and made nothing of it: the program only tells that it found no GPU. */
static void report_refusal(void)
{
    int used = __atomic_load_n(&device.was_used, __ATOMIC_RELAXED);
    for (const struct device_file *entry = open_files; entry && !used; entry = entry->next)
        used = entry->keeper >= 0 && kernel_file_was_used(&entry->file);
    if (!used)
        fprintf(stderr,
                "gensim: no driver has used the simulated %s: the installed ones may not know it (Intel's legacy "
                "branch knows older platforms than the newest driver)\n",
                device.platform->ocloc);
}

__attribute__((destructor)) static void finish(void)
{
    if (!device_is_running())
        return;
    report_refusal();
    observers_finish();
}
