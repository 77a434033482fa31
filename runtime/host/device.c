/* Opens the CPU as a device: the backend that runs kernel libraries of cmc -march=host. A launch is complete when
 * cmrt_launch returns. */
#include "runtime/host/host.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MAXIMUM_GROUP_THREADS = 256 };

struct queue {
    cmrt_queue common;
    uint64_t nanoseconds;
    int launched;
};

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static enum cmrt_status launch_kernel(cmrt_queue *base, cmrt_kernel *kernel, const uint32_t groups[3],
                                      const uint32_t local[3])
{
    struct queue *queue = (struct queue *)base;
    uint64_t start = now();
    enum cmrt_status status = host_launch((struct host_kernel *)kernel, groups, local);
    queue->nanoseconds = now() - start;
    queue->launched = !status;
    return status;
}

static enum cmrt_status queue_open(cmrt_device *device, cmrt_queue **out)
{
    struct queue *queue = calloc(1, sizeof *queue);
    if (!queue)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    queue->common.device = device;
    *out = &queue->common;
    return CMRT_OK;
}

static enum cmrt_status queue_wait(cmrt_queue *queue)
{
    (void)queue;
    return CMRT_OK;
}

static enum cmrt_status queue_elapsed(cmrt_queue *queue, uint64_t *nanoseconds)
{
    if (!((struct queue *)queue)->launched)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "no launch on this queue to take the time of");
    *nanoseconds = ((struct queue *)queue)->nanoseconds;
    return CMRT_OK;
}

static void queue_close(cmrt_queue *queue)
{
    free(queue);
}

/* Everything that was launched has ended. */
static enum cmrt_status event_open(cmrt_queue *queue, cmrt_event **out)
{
    cmrt_event *event = malloc(sizeof *event);
    if (!event)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    event->device = queue->device;
    *out = event;
    return CMRT_OK;
}

static enum cmrt_status event_done(cmrt_event *event, int *done)
{
    (void)event;
    *done = 1;
    return CMRT_OK;
}

static enum cmrt_status event_wait(cmrt_event *event, uint64_t nanoseconds)
{
    (void)event, (void)nanoseconds;
    return CMRT_OK;
}

static enum cmrt_status queue_after(cmrt_queue *queue, cmrt_event *event)
{
    (void)queue, (void)event;
    return CMRT_OK;
}

static void event_close(cmrt_event *event)
{
    free(event);
}

static enum cmrt_status memory_of(cmrt_device *device, const void *pointer, size_t bytes, enum cmrt_memory *memory)
{
    (void)device, (void)pointer, (void)bytes;
    *memory = CMRT_MEMORY_SHARED;
    return CMRT_OK;
}

static void device_close(cmrt_device *device)
{
    free(device);
}

static const struct cmrt_backend host = {
    .program_load = host_program_load,
    .program_close = host_program_close,
    .buffer_open = host_buffer_open,
    .buffer_write = host_buffer_write,
    .buffer_read = host_buffer_read,
    .buffer_close = host_buffer_close,
    .image_open = host_image_open,
    .image_write = host_image_write,
    .image_read = host_image_read,
    .image_close = host_image_close,
    .sampler_open = host_sampler_open,
    .sampler_close = host_sampler_close,
    .kernel_open = host_kernel_open,
    .set_value = host_set_value,
    .set_buffer = host_set_buffer,
    .set_image = host_set_image,
    .set_sampler = host_set_sampler,
    .set_local = host_set_local,
    .set_indirect = host_set_indirect,
    .suggest_local = host_suggest_local,
    .kernel_close = host_kernel_close,
    .queue_open = queue_open,
    .launch = launch_kernel,
    .wait = queue_wait,
    .elapsed = queue_elapsed,
    .queue_close = queue_close,
    .memory_of = memory_of,
    .event_open = event_open,
    .event_done = event_done,
    .event_wait = event_wait,
    .queue_after = queue_after,
    .event_close = event_close,
    .device_close = device_close,
};

enum cmrt_status host_open(cmrt_device **out)
{
    cmrt_device *device = calloc(1, sizeof *device);
    if (!device)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    device->backend = &host;
    device->maximum_group_threads = MAXIMUM_GROUP_THREADS;
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    device->properties[CMRT_PROPERTY_THREADS] = processors > 0 ? (uint64_t)processors : 0;
    device->properties[CMRT_PROPERTY_GROUP_THREADS] = MAXIMUM_GROUP_THREADS;
    device->properties[CMRT_PROPERTY_GROUP_ITEMS] = MAXIMUM_GROUP_THREADS;
    device->properties[CMRT_PROPERTY_GROUP_BYTES] = HOST_SHARED_BYTES;
    device->target = CMRT_TARGET_CPU;
    snprintf(device->name, sizeof device->name, "CPU");
    snprintf(device->driver, sizeof device->driver, "none");
    device->features = CMRT_FEATURE_DOUBLE | CMRT_FEATURE_MEDIA_BLOCKS;
    *out = device;
    return CMRT_OK;
}

/* A program that also closes its device. */
static void inspected_close(cmrt_program *program)
{
    cmrt_device *device = program->device;
    host_program_close(program);
    free(device);
}

static const struct cmrt_backend inspection = {.program_close = inspected_close};

enum cmrt_status host_inspect(const char *path, cmrt_program **out)
{
    cmrt_device *device;
    enum cmrt_status status = host_open(&device);
    if (status)
        return status;
    status = host_program_load(device, path, NULL, 0, out);
    device->backend = &inspection;
    if (status)
        free(device);
    return status;
}
