/* Defines the operating system's side of the GPU: device files and the requests of drivers.
 *
 * A kernel interface (i915, xe) fills a `struct kernel_interface`; all interfaces share buffer objects, contexts and
 * device facts. Requests return 0 or a negative errno value, as inside Linux; the preloaded
 * library converts that to -1 and errno. */
#ifndef CMKIT_SIM_KERNEL_KERNEL_H
#define CMKIT_SIM_KERNEL_KERNEL_H

#include <stddef.h>
#include <stdint.h>
#include "sim/kernel/context.h"
#include "sim/kernel/objects.h"
#include "sim/base/options.h"

struct kernel_interface;

/* The one GPU of a process. */
struct kernel_device {
    const struct platform *platform;
    const struct kernel_interface *interface;
    struct dispatcher *dispatcher; /* runs thread groups for all contexts; sim/stream/dispatcher.h */
    int was_used;                  /* a file that is closed by now had a context of its own */
};

/* One open device file: handles and identifiers are private to it. */
struct kernel_file {
    struct kernel_device *device;
    struct object_table objects;
    struct context_table contexts;
    void *own; /* what the interface keeps besides */
};

struct kernel_interface {
    const char *name; /* "i915" */
    const char *node; /* path of the device file */
    int version[2];   /* what DRM_IOCTL_VERSION says */
    /* Performs `request` (an ioctl number with direction and size) on `argument` in user memory. */
    int (*ioctl)(struct kernel_file *file, unsigned long request, void *argument);
    /* Returns the object that mmap at `offset` refers to, referenced for the caller, and the offset inside it; NULL:
     * none. */
    struct object *(*map)(struct kernel_file *file, uint64_t offset, uint64_t length, uint64_t *inside);

    /* The following keep `kernel_file.own`, and are NULL where nothing is kept. The first returns 0 or -ENOMEM; the
     * last two are called around a fork, as the functions for files below. */
    int (*open)(struct kernel_file *file);
    void (*close)(struct kernel_file *file);
    void (*before_fork)(struct kernel_file *file);
    void (*after_fork)(struct kernel_file *file, int in_child);
};

extern const struct kernel_interface i915_interface;
extern const struct kernel_interface xe_interface; /* sim/kernel/xe */

/* Returns the interface of that name, or NULL. */
const struct kernel_interface *kernel_interface_find(const char *name);

/* The options name a platform and at least one host thread. 0 or -ENOMEM/-EAGAIN. */
int kernel_device_create(struct kernel_device *device, const struct sim_options *options,
                         const struct kernel_interface *interface);
void kernel_device_destroy(struct kernel_device *device);

int kernel_file_open(struct kernel_file *file, struct kernel_device *device);
void kernel_file_close(struct kernel_file *file);
/* True if a driver has created a context: one that does not know the platform asks for its id, and nothing more. */
int kernel_file_was_used(const struct kernel_file *file);

/* Called around a fork(), for each open file. In the child, the device and its files are as in the parent, but no batch
 * runs. */
void kernel_file_before_fork(struct kernel_file *file);
void kernel_file_after_fork(struct kernel_file *file, int in_child);
/* Call it in the child of a fork before the device is used: starts the host threads that the fork has not copied. Then
 * call the function for files, for each file. 0 or -ENOMEM. */
int kernel_device_revive(struct kernel_device *device, const struct sim_options *options);
void kernel_file_revive(struct kernel_file *file);

/* Copies between the simulator and an address from the program. 0 or -EFAULT; unmapped memory is not touched. */
int kernel_read_user(void *to, uint64_t user_address, size_t size);
int kernel_write_user(uint64_t user_address, const void *from, size_t size);

#endif
