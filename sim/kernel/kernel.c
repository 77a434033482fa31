/* Implements device files, and copies data from and to the program. */
#include "sim/kernel/kernel.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include "sim/base/clock.h"
#include "sim/base/process.h"
#include "sim/stream/dispatcher.h"

int kernel_device_create(struct kernel_device *device, const struct sim_options *options,
                         const struct kernel_interface *interface)
{
    assert(options->platform && options->threads >= 1 && interface);
    *device = (struct kernel_device){.platform = options->platform, .interface = interface};
    device->dispatcher = dispatcher_create(options->platform, options->threads, options->max_instructions);
    const char *wrong = device->dispatcher ? dispatcher_time(device->dispatcher, options) : NULL;
    if (wrong)
        fprintf(stderr, "gensim: error: --timing: %s\n", wrong);
    if (options->continue_on_faults)
        sim_process_continue_on_faults();
    sim_clock_read(options->platform->timestamp_hz); /* from now on: no event of the driver is before its begin */
    return device->dispatcher && !wrong ? 0 : -ENOMEM;
}

int kernel_device_revive(struct kernel_device *device, const struct sim_options *options)
{
    assert(device->platform == options->platform);
    /* The old dispatcher stays as the fork left it: its locks belong to threads that are not there. */
    device->dispatcher = dispatcher_create(options->platform, options->threads, options->max_instructions);
    if (device->dispatcher && dispatcher_time(device->dispatcher, options))
        return -ENOMEM;
    return device->dispatcher ? 0 : -ENOMEM;
}

void kernel_device_destroy(struct kernel_device *device)
{
    dispatcher_destroy(device->dispatcher);
    device->dispatcher = NULL;
}

int kernel_file_open(struct kernel_file *file, struct kernel_device *device)
{
    assert(device->interface && device->dispatcher);
    *file = (struct kernel_file){.device = device};
    object_table_init(&file->objects);
    int error = context_table_init(&file->contexts, device->platform, device->dispatcher);
    if (!error && device->interface->open) {
        error = device->interface->open(file);
        if (error)
            context_table_destroy(&file->contexts);
    }
    if (error)
        object_table_destroy(&file->objects);
    return error;
}

void kernel_file_before_fork(struct kernel_file *file)
{
    if (file->device->interface->before_fork)
        file->device->interface->before_fork(file);
    context_table_before_fork(&file->contexts);
    object_table_before_fork(&file->objects);
}

void kernel_file_after_fork(struct kernel_file *file, int in_child)
{
    object_table_after_fork(&file->objects, in_child);
    context_table_after_fork(&file->contexts, in_child);
    if (file->device->interface->after_fork)
        file->device->interface->after_fork(file, in_child);
}

void kernel_file_revive(struct kernel_file *file)
{
    context_table_revive(&file->contexts, file->device->dispatcher);
}

int kernel_file_was_used(const struct kernel_file *file)
{
    return file->contexts.context_count > 1; /* one is there by itself */
}

void kernel_file_close(struct kernel_file *file)
{
    if (kernel_file_was_used(file))
        __atomic_store_n(&file->device->was_used, 1, __ATOMIC_RELAXED);
    if (file->device->interface->close)
        file->device->interface->close(file);
    context_table_destroy(&file->contexts);
    object_table_destroy(&file->objects);
}

/* Makes one process_vm_* call in the direction of `transfer`. 1: it worked or failed with an error; 0: the sandbox
 * forbids the call. */
static int transfer_checked(ssize_t (*transfer)(pid_t, const struct iovec *, unsigned long, const struct iovec *,
                                                unsigned long, unsigned long),
                            void *mine, uint64_t user_address, size_t size, int *result)
{
    struct iovec local = {mine, size}, remote = {(void *)(uintptr_t)user_address, size};
    ssize_t moved = transfer(getpid(), &local, 1, &remote, 1, 0);
    if (moved < 0 && (errno == EPERM || errno == ENOSYS))
        return 0;
    *result = moved == (ssize_t)size ? 0 : -EFAULT;
    return 1;
}

int kernel_read_user(void *to, uint64_t user_address, size_t size)
{
    assert(to || !size);
    int result = 0;
    if (size == 0)
        return 0;
    if (user_address == 0)
        return -EFAULT;
    if (!transfer_checked(process_vm_readv, to, user_address, size, &result))
        memcpy(to, (const void *)(uintptr_t)user_address, size);
    return result;
}

int kernel_write_user(uint64_t user_address, const void *from, size_t size)
{
    assert(from || !size);
    int result = 0;
    if (size == 0)
        return 0;
    if (user_address == 0)
        return -EFAULT;
    if (!transfer_checked(process_vm_writev, (void *)from, user_address, size, &result))
        memcpy((void *)(uintptr_t)user_address, from, size);
    return result;
}
