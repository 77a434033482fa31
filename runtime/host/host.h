/* Defines the CPU backend's objects, for the files of this folder. */
#ifndef CMKIT_RUNTIME_HOST_HOST_HOST_H
#define CMKIT_RUNTIME_HOST_HOST_HOST_H

#include "runtime/internal.h"
#include "tables/host_abi.h"

enum { HOST_SHARED_BYTES = 131072 }; /* shared local memory of a group, without that of arguments */

struct host_program {
    cmrt_program common;
    void *library;
    const struct cm_host_kernel *const *kernels;
};

struct host_kernel {
    cmrt_kernel common;
    const struct cm_host_kernel *code;
    struct cm_host_surface *surfaces; /* one for each argument: a surface's handle is its argument's index */
    struct cm_host_sampler *samplers; /* the same */
    void **values;                    /* one for each argument, each of the size it wants */
    size_t *local_bytes;              /* one for each argument: how much shared memory it is */
};

struct host_image {
    cmrt_image common;
    unsigned char *rows;
    struct cm_host_surface planes[1 + MOST_FURTHER_PLANES];
};

struct host_sampler {
    cmrt_sampler common;
    struct cm_host_sampler state;
};

/* program.c: loads a shared library that cmc made. */
enum cmrt_status host_program_load(cmrt_device *device, const char *path, const void *bytes, size_t size,
                                   cmrt_program **out);
void host_program_close(cmrt_program *program);

/* launch.c: runs every thread of the launch on host threads and waits for them. No count is 0. */
enum cmrt_status host_launch(struct host_kernel *kernel, const uint32_t groups[3], const uint32_t local[3]);

/* memory.c, kernel.c: the rest of the backend's table. cmrt.h's functions have checked sizes, ranges and indices of
 * arguments, and answered the user. */
enum cmrt_status host_buffer_open(cmrt_device *device, enum cmrt_memory memory, size_t bytes, cmrt_buffer **out);
enum cmrt_status host_buffer_write(cmrt_queue *queue, cmrt_buffer *buffer, size_t offset, const void *from,
                                   size_t bytes);
enum cmrt_status host_buffer_read(cmrt_queue *queue, cmrt_buffer *buffer, size_t offset, void *to, size_t bytes);
void host_buffer_close(cmrt_buffer *buffer);
enum cmrt_status host_image_open(const cmrt_image *wanted, cmrt_image **out);
enum cmrt_status host_image_write(cmrt_queue *queue, cmrt_image *image, const void *from);
enum cmrt_status host_image_read(cmrt_queue *queue, cmrt_image *image, void *to);
void host_image_close(cmrt_image *image);
enum cmrt_status host_sampler_open(cmrt_device *device, enum cmrt_sampler_address address,
                                   enum cmrt_sampler_filter filter, int normalized, cmrt_sampler **out);
void host_sampler_close(cmrt_sampler *sampler);
enum cmrt_status host_kernel_open(cmrt_program *program, const struct cmrt_kernel_info *info, cmrt_kernel **out);
enum cmrt_status host_set_value(cmrt_kernel *kernel, size_t index, const void *value, size_t bytes);
enum cmrt_status host_set_buffer(cmrt_kernel *kernel, size_t index, cmrt_buffer *buffer);
enum cmrt_status host_set_image(cmrt_kernel *kernel, size_t index, cmrt_image *image);
enum cmrt_status host_set_sampler(cmrt_kernel *kernel, size_t index, cmrt_sampler *sampler);
enum cmrt_status host_set_local(cmrt_kernel *kernel, size_t index, size_t bytes);
enum cmrt_status host_set_indirect(cmrt_kernel *kernel, int indirect);
enum cmrt_status host_suggest_local(cmrt_kernel *kernel, const uint32_t total[3], uint32_t local[3]);
void host_kernel_close(cmrt_kernel *kernel);

#endif
