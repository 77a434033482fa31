/* Declares what the files of libcmrt share: the objects behind handles, and the interface of the two backends. */
#ifndef CMKIT_RUNTIME_INTERNAL_H
#define CMKIT_RUNTIME_INTERNAL_H

#include "runtime/cmrt.h"
#include "runtime/formats.h"
#include "runtime/status.h"
#include "runtime/zebin.h"

/* The operations of a backend (GPU or CPU). `device.c` has checked sizes, kinds and indices before it calls them. Each
 * object begins with a common struct: `open` functions allocate the object with calloc and fill the fields after that
 * struct, `close` functions free it. */
struct cmrt_backend {
    enum cmrt_status (*program_load)(cmrt_device *device, const char *path, const void *bytes, size_t size,
                                     cmrt_program **out);
    void (*program_close)(cmrt_program *program);
    enum cmrt_status (*buffer_open)(cmrt_device *device, enum cmrt_memory memory, size_t bytes, cmrt_buffer **out);
    enum cmrt_status (*buffer_write)(cmrt_queue *queue, cmrt_buffer *buffer, size_t offset, const void *from,
                                     size_t bytes);
    enum cmrt_status (*buffer_read)(cmrt_queue *queue, cmrt_buffer *buffer, size_t offset, void *to, size_t bytes);
    void (*buffer_close)(cmrt_buffer *buffer);
    /* Makes an image like *wanted, whose device and properties are set. */
    enum cmrt_status (*image_open)(const cmrt_image *wanted, cmrt_image **out);
    enum cmrt_status (*image_write)(cmrt_queue *queue, cmrt_image *image, const void *from);
    enum cmrt_status (*image_read)(cmrt_queue *queue, cmrt_image *image, void *to);
    void (*image_close)(cmrt_image *image);
    enum cmrt_status (*sampler_open)(cmrt_device *device, enum cmrt_sampler_address address,
                                     enum cmrt_sampler_filter filter, int normalized, cmrt_sampler **out);
    void (*sampler_close)(cmrt_sampler *sampler);
    enum cmrt_status (*kernel_open)(cmrt_program *program, const struct cmrt_kernel_info *info, cmrt_kernel **out);
    enum cmrt_status (*set_value)(cmrt_kernel *kernel, size_t index, const void *value, size_t bytes);
    enum cmrt_status (*set_buffer)(cmrt_kernel *kernel, size_t index, cmrt_buffer *buffer);
    enum cmrt_status (*set_image)(cmrt_kernel *kernel, size_t index, cmrt_image *image);
    enum cmrt_status (*set_sampler)(cmrt_kernel *kernel, size_t index, cmrt_sampler *sampler);
    enum cmrt_status (*set_local)(cmrt_kernel *kernel, size_t index, size_t bytes);
    enum cmrt_status (*set_indirect)(cmrt_kernel *kernel, int indirect);
    enum cmrt_status (*suggest_local)(cmrt_kernel *kernel, const uint32_t total[3], uint32_t local[3]);
    void (*kernel_close)(cmrt_kernel *kernel);
    enum cmrt_status (*queue_open)(cmrt_device *device, cmrt_queue **out);
    enum cmrt_status (*launch)(cmrt_queue *queue, cmrt_kernel *kernel, const uint32_t groups[3],
                               const uint32_t local[3]);
    enum cmrt_status (*wait)(cmrt_queue *queue);
    enum cmrt_status (*elapsed)(cmrt_queue *queue, uint64_t *nanoseconds);
    void (*queue_close)(cmrt_queue *queue);
    /* Finds what kind of memory a pointer of somebody else's is, up to its last byte. */
    enum cmrt_status (*memory_of)(cmrt_device *device, const void *pointer, size_t bytes, enum cmrt_memory *memory);
    enum cmrt_status (*event_open)(cmrt_queue *queue, cmrt_event **out);
    enum cmrt_status (*event_done)(cmrt_event *event, int *done);
    enum cmrt_status (*event_wait)(cmrt_event *event, uint64_t nanoseconds);
    enum cmrt_status (*queue_after)(cmrt_queue *queue, cmrt_event *event);
    void (*event_close)(cmrt_event *event);
    void (*device_close)(cmrt_device *device);
};

struct cmrt_device {
    const struct cmrt_backend *backend;
    enum cmrt_target target;
    char name[256], driver[64];
    const char *platform; /* ocloc's name, NULL if not known */
    unsigned features;    /* enum cmrt_feature */
    uint64_t properties[CMRT_PROPERTY_BUFFER_BYTES + 1];
    uint32_t maximum_group_threads; /* threads or work items of one group; 0: no limit */
    uint32_t maximum_local[3];
};

struct cmrt_program {
    cmrt_device *device;
    struct zebin contents;
};

struct cmrt_buffer {
    cmrt_device *device;
    enum cmrt_memory memory;
    size_t bytes;
    void *pointer; /* as the kernel sees it; the host may use it unless memory is CMRT_MEMORY_DEVICE */
    int borrowed;  /* the memory is another buffer's, or the caller's */
};

struct cmrt_image {
    cmrt_device *device;
    uint32_t dimensions;
    size_t width, height, depth; /* 1 for a dimension that the image does not have */
    enum cmrt_format format;
    enum cmrt_access access;
};

/* Returns the size of the host's copy of an image. */
static inline size_t image_total_bytes(const cmrt_image *image)
{
    return cmrt_image_bytes(image->format, image->width, image->height) * image->depth;
}

struct cmrt_sampler {
    cmrt_device *device;
};

struct cmrt_kernel {
    cmrt_program *program;
    const struct cmrt_kernel_info *info;
    unsigned char *set; /* one byte for each argument: has it been set? */
};

struct cmrt_queue {
    cmrt_device *device;
};

struct cmrt_event {
    cmrt_device *device;
};

enum cmrt_status level_zero_open(cmrt_device **device);
enum cmrt_status level_zero_open_handles(const struct cmrt_level_zero *handles, cmrt_device **device);
enum cmrt_status level_zero_handles(const cmrt_device *device, struct cmrt_level_zero *handles);
enum cmrt_status host_open(cmrt_device **device);
enum cmrt_status host_inspect(const char *path, cmrt_program **program);

#endif
