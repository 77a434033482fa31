/* Declares the objects of the backend for GPUs, for the files of this folder. They go through the Level Zero loader. */
#ifndef CMKIT_RUNTIME_LEVEL_ZERO_LEVEL_ZERO_H
#define CMKIT_RUNTIME_LEVEL_ZERO_LEVEL_ZERO_H

#include <level_zero/ze_api.h>
#include "runtime/internal.h"
#include "tables/platforms.h"

struct level_zero_device {
    cmrt_device common;
    ze_driver_handle_t driver;
    int is_callers; /* the context */
    ze_context_handle_t context;
    ze_device_handle_t handle;
    ze_device_properties_t properties;
    uint32_t compute_ordinal;
    uint32_t queue_count;
    _Atomic uint32_t next_queue; /* threads may open queues at the same time */
};

struct level_zero_program {
    cmrt_program common;
    ze_module_handle_t module;
};

struct level_zero_image {
    cmrt_image common;
    ze_image_handle_t handle;
};

struct level_zero_sampler {
    cmrt_sampler common;
    ze_sampler_handle_t handle;
};

struct level_zero_kernel {
    cmrt_kernel common;
    ze_kernel_handle_t handle;
};

/* One operation of a queue: it is filled again when its fence says that it has ended. */
struct level_zero_slot {
    ze_command_list_handle_t list;
    ze_fence_handle_t fence;
    ze_event_handle_t event; /* of a launch */
    int busy;
};

struct level_zero_queue {
    cmrt_queue common;
    ze_command_queue_handle_t handle;
    ze_event_pool_handle_t pool;
    struct level_zero_slot slots[CMRT_LAUNCHES_AHEAD];
    unsigned next;
    struct level_zero_slot *current;  /* the operation that is being filled */
    struct level_zero_slot *launched; /* the last launch's, NULL: none */
};

struct level_zero_event {
    cmrt_event common;
    ze_event_pool_handle_t pool;
    ze_event_handle_t handle;
};

static inline struct level_zero_device *level_zero_device_of(cmrt_device *device)
{
    return (struct level_zero_device *)device;
}

/* call.c: returns the status of a call's result, and records a failure with the call's name. `call`: its text. */
enum cmrt_status level_zero_check(ze_result_t result, const char *call);

/* call.c: the name of a result, as Level Zero's specification spells it. */
const char *level_zero_result_name(ze_result_t result);

/* device.c: the GPU's row of the platform table. NULL: it has none. */
const struct platform *level_zero_row_of(const struct level_zero_device *device);

/* Makes a Level Zero call. The value is a status; on failure the call's name and result are recorded. */
#define ZE(CALL) level_zero_check((CALL), #CALL)

/* The backend's table: runtime/internal.h says what each function does. */
/* program.c */
enum cmrt_status level_zero_program_load(cmrt_device *base, const char *path, const void *bytes, size_t size,
                                         cmrt_program **out);
void level_zero_program_close(cmrt_program *program);

/* queue.c */
enum cmrt_status level_zero_queue_open(cmrt_device *base, cmrt_queue **out);
enum cmrt_status level_zero_queue_wait(cmrt_queue *queue);
enum cmrt_status level_zero_queue_elapsed(cmrt_queue *base, uint64_t *nanoseconds);
void level_zero_queue_close(cmrt_queue *base);

/* queue.c: begin waits for the oldest operation and takes its command list; submit ends the operation; finish submits
 * it and waits for its end. */
enum cmrt_status level_zero_queue_begin(struct level_zero_queue *queue);
enum cmrt_status level_zero_queue_submit(struct level_zero_queue *queue);
enum cmrt_status level_zero_queue_finish(struct level_zero_queue *queue);

/* memory.c */
enum cmrt_status level_zero_buffer_open(cmrt_device *base, enum cmrt_memory memory, size_t bytes, cmrt_buffer **out);
enum cmrt_status level_zero_buffer_write(cmrt_queue *queue, cmrt_buffer *buffer, size_t offset, const void *from,
                                         size_t bytes);
enum cmrt_status level_zero_buffer_read(cmrt_queue *queue, cmrt_buffer *buffer, size_t offset, void *to, size_t bytes);
void level_zero_buffer_close(cmrt_buffer *buffer);
enum cmrt_status level_zero_memory_of(cmrt_device *base, const void *pointer, size_t bytes, enum cmrt_memory *memory);

/* image.c */
enum cmrt_status level_zero_image_open(const cmrt_image *wanted, cmrt_image **out);
enum cmrt_status level_zero_image_write(cmrt_queue *queue, cmrt_image *image, const void *from);
enum cmrt_status level_zero_image_read(cmrt_queue *queue, cmrt_image *image, void *to);
void level_zero_image_close(cmrt_image *image);
enum cmrt_status level_zero_sampler_open(cmrt_device *base, enum cmrt_sampler_address address,
                                         enum cmrt_sampler_filter filter, int normalized, cmrt_sampler **out);
void level_zero_sampler_close(cmrt_sampler *sampler);

/* kernel.c */
enum cmrt_status level_zero_kernel_open(cmrt_program *program, const struct cmrt_kernel_info *info, cmrt_kernel **out);
enum cmrt_status level_zero_set_value(cmrt_kernel *kernel, size_t index, const void *value, size_t bytes);
enum cmrt_status level_zero_set_buffer(cmrt_kernel *kernel, size_t index, cmrt_buffer *buffer);
enum cmrt_status level_zero_set_image(cmrt_kernel *kernel, size_t index, cmrt_image *image);
enum cmrt_status level_zero_set_sampler(cmrt_kernel *kernel, size_t index, cmrt_sampler *sampler);
enum cmrt_status level_zero_set_local(cmrt_kernel *kernel, size_t index, size_t bytes);
enum cmrt_status level_zero_set_indirect(cmrt_kernel *kernel, int indirect);
enum cmrt_status level_zero_suggest_local(cmrt_kernel *kernel, const uint32_t total[3], uint32_t local[3]);
void level_zero_kernel_close(cmrt_kernel *kernel);
enum cmrt_status level_zero_launch(cmrt_queue *base, cmrt_kernel *common, const uint32_t groups[3],
                                   const uint32_t local[3]);

/* event.c */
enum cmrt_status level_zero_event_open(cmrt_queue *base, cmrt_event **out);
enum cmrt_status level_zero_event_done(cmrt_event *event, int *done);
enum cmrt_status level_zero_event_wait(cmrt_event *event, uint64_t nanoseconds);
enum cmrt_status level_zero_queue_after(cmrt_queue *queue, cmrt_event *event);
void level_zero_event_close(cmrt_event *base);

#endif
