/* Finds a request's row for all kernel interfaces, copies its structure in and out, and answers the requests of DRM
 * itself. */
#ifndef CMKIT_SIM_KERNEL_REQUESTS_H
#define CMKIT_SIM_KERNEL_REQUESTS_H

#include "sim/kernel/kernel.h"

#define KERNEL_PAGE UINT64_C(4096)

/* One row for each ioctl. HANDLER takes the structure, copied in and zero-extended to its full size; NULL marks a known
 * request that is not modelled. */
struct kernel_request {
    unsigned number;
    size_t size; /* of the structure, at most KERNEL_REQUEST_BYTES */
    const char *name;
    int (*handler)(struct kernel_file *file, void *structure);
};
enum { KERNEL_REQUEST_BYTES = 256 };

/* Performs the request that `number` names (an ioctl number with direction and size). One without a row or handler
 * stops the program with its name: a driver must not get a guessed answer to a request that is not modelled. */
int kernel_request_run(struct kernel_file *file, const struct kernel_request *requests, size_t count,
                       unsigned long number, void *argument);

/* DRM_IOCTL_VERSION, GEM_CLOSE, PRIME_HANDLE_TO_FD, PRIME_FD_TO_HANDLE */
int kernel_get_version(struct kernel_file *file, void *argument);
int kernel_close_handle(struct kernel_file *file, void *argument);
int kernel_export_handle(struct kernel_file *file, void *argument);
int kernel_import_handle(struct kernel_file *file, void *argument);

/* Gives the object a handle, or releases it; NULL: there was no memory for it. 0 or -ENOMEM. */
int kernel_publish(struct kernel_file *file, struct object *object, uint32_t *handle);

/* The offset at which mmap() finds the object of that handle, and what is at an offset: see struct kernel_interface. */
uint64_t kernel_map_offset(uint32_t handle);
struct object *kernel_find_mapping(struct kernel_file *file, uint64_t offset, uint64_t length, uint64_t *inside);

/* Strips the sign extension that drivers put on GPU addresses of 48 bits; 0 if the address is not canonical. */
int kernel_strip_canonical(uint64_t address, uint64_t *stripped);

/* True if all of the program's memory in [address, address + size), whole pages, is mapped. It is not touched. */
int kernel_user_is_mapped(const void *address, uint64_t size);

#endif
