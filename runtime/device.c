/* Implements the public calls on devices, memory and queues: checks what can be checked without a driver, then calls
 * the device's backend. */
#include <stdlib.h>
#include "runtime/internal.h"

enum cmrt_status cmrt_device_open(enum cmrt_target target, cmrt_device **device)
{
    CMRT_MAKES(device);
    if (target != CMRT_TARGET_GPU && target != CMRT_TARGET_CPU)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "no target has the number %d", (int)target);
    return target == CMRT_TARGET_CPU ? host_open(device) : level_zero_open(device);
}

enum cmrt_status cmrt_device_open_level_zero(const struct cmrt_level_zero *handles, cmrt_device **device)
{
    CMRT_MAKES(device);
    CMRT_NEEDS(handles);
    if (!handles->driver || !handles->context || !handles->device)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "Level Zero's driver, context and device are all needed");
    return level_zero_open_handles(handles, device);
}

enum cmrt_status cmrt_device_level_zero(const cmrt_device *device, struct cmrt_level_zero *handles)
{
    CMRT_NEEDS(device);
    CMRT_NEEDS(handles);
    if (device->target != CMRT_TARGET_GPU)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "the CPU has no handles of Level Zero");
    return level_zero_handles(device, handles);
}

const char *cmrt_device_name(const cmrt_device *device)
{
    return device ? device->name : NULL;
}

const char *cmrt_device_driver(const cmrt_device *device)
{
    return device ? device->driver : NULL;
}

const char *cmrt_device_platform(const cmrt_device *device)
{
    return device ? device->platform : NULL;
}

int cmrt_device_has(const cmrt_device *device, enum cmrt_feature feature)
{
    return device && (device->features & (unsigned)feature) != 0;
}

uint64_t cmrt_device_property(const cmrt_device *device, enum cmrt_property property)
{
    size_t count = sizeof device->properties / sizeof *device->properties;
    return device && (size_t)property < count ? device->properties[property] : 0;
}

void cmrt_device_close(cmrt_device *device)
{
    if (device)
        device->backend->device_close(device);
}

enum cmrt_status cmrt_buffer_open(cmrt_device *device, enum cmrt_memory memory, size_t bytes, cmrt_buffer **buffer)
{
    CMRT_MAKES(buffer);
    CMRT_NEEDS(device);
    if (!bytes)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "a buffer of no bytes");
    if (memory != CMRT_MEMORY_SHARED && memory != CMRT_MEMORY_HOST && memory != CMRT_MEMORY_DEVICE)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "no kind of memory has the number %d", (int)memory);
    return device->backend->buffer_open(device, memory, bytes, buffer);
}

void *cmrt_buffer_pointer(const cmrt_buffer *buffer)
{
    return !buffer || buffer->memory == CMRT_MEMORY_DEVICE ? NULL : buffer->pointer;
}
uint64_t cmrt_buffer_address(const cmrt_buffer *buffer)
{
    return buffer ? (uintptr_t)buffer->pointer : 0;
}
size_t cmrt_buffer_bytes(const cmrt_buffer *buffer)
{
    return buffer ? buffer->bytes : 0;
}

static enum cmrt_status check_range(const cmrt_buffer *buffer, size_t offset, size_t bytes)
{
    if (offset <= buffer->bytes && bytes <= buffer->bytes - offset)
        return CMRT_OK;
    return cmrt_fail(CMRT_BAD_ARGUMENT, "%zu bytes at offset %zu of a buffer of %zu bytes", bytes, offset,
                     buffer->bytes);
}

enum cmrt_status cmrt_buffer_write(cmrt_queue *queue, cmrt_buffer *buffer, size_t offset, const void *from,
                                   size_t bytes)
{
    CMRT_NEEDS(queue);
    CMRT_NEEDS(buffer);
    CMRT_NEEDS(from || !bytes);
    CMRT_NEEDS_SAME_DEVICE(queue->device, buffer->device);
    enum cmrt_status status = check_range(buffer, offset, bytes);
    return status || !bytes ? status : buffer->device->backend->buffer_write(queue, buffer, offset, from, bytes);
}

enum cmrt_status cmrt_buffer_read(cmrt_queue *queue, cmrt_buffer *buffer, size_t offset, void *to, size_t bytes)
{
    CMRT_NEEDS(queue);
    CMRT_NEEDS(buffer);
    CMRT_NEEDS(to || !bytes);
    CMRT_NEEDS_SAME_DEVICE(queue->device, buffer->device);
    enum cmrt_status status = check_range(buffer, offset, bytes);
    return status || !bytes ? status : buffer->device->backend->buffer_read(queue, buffer, offset, to, bytes);
}

void cmrt_buffer_close(cmrt_buffer *buffer)
{
    if (buffer && buffer->borrowed)
        free(buffer);
    else if (buffer)
        buffer->device->backend->buffer_close(buffer);
}

static enum cmrt_status borrow(const cmrt_buffer *what, cmrt_buffer **out)
{
    if ((uintptr_t)what->pointer % CMRT_PART_ALIGNMENT)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "memory that does not begin at a multiple of %d bytes",
                         CMRT_PART_ALIGNMENT);
    cmrt_buffer *buffer = malloc(sizeof *buffer);
    if (!buffer)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    *buffer = *what;
    buffer->borrowed = 1;
    *out = buffer;
    return CMRT_OK;
}

enum cmrt_status cmrt_buffer_part(cmrt_buffer *buffer, size_t offset, size_t bytes, cmrt_buffer **part)
{
    CMRT_MAKES(part);
    CMRT_NEEDS(buffer);
    enum cmrt_status status =
        bytes ? check_range(buffer, offset, bytes) : cmrt_fail(CMRT_BAD_ARGUMENT, "a part of no bytes");
    cmrt_buffer inside = *buffer;
    if (status)
        return status;
    inside.pointer = (char *)buffer->pointer + offset;
    inside.bytes = bytes;
    return borrow(&inside, part);
}

enum cmrt_status cmrt_buffer_wrap(cmrt_device *device, void *pointer, size_t bytes, cmrt_buffer **buffer)
{
    CMRT_MAKES(buffer);
    CMRT_NEEDS(device);
    cmrt_buffer given = {.device = device, .bytes = bytes, .pointer = pointer};
    if (!pointer || !bytes)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "a buffer of no bytes");
    enum cmrt_status status = device->backend->memory_of(device, pointer, bytes, &given.memory);
    return status ? status : borrow(&given, buffer);
}

/* Extents that the number of dimensions does not have must be 1. */
static int is_shape(const struct cmrt_image_shape *shape)
{
    return shape->dimensions >= 1 && shape->dimensions <= 3 && shape->width && shape->height && shape->depth &&
           (shape->dimensions > 1 || shape->height == 1) && (shape->dimensions > 2 || shape->depth == 1);
}

enum cmrt_status cmrt_image_open_shape(cmrt_device *device, const struct cmrt_image_shape *shape,
                                       enum cmrt_format format, enum cmrt_access access, cmrt_image **image)
{
    CMRT_MAKES(image);
    CMRT_NEEDS(device);
    CMRT_NEEDS(shape);
    size_t width = shape->width, height = shape->height, depth = shape->depth;
    if (!is_image_format(format))
        return cmrt_fail(CMRT_BAD_ARGUMENT, "no format has the number %d", (int)format);
    if (access != CMRT_READ && access != CMRT_WRITE && access != CMRT_READ_WRITE)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "no access has the number %d", (int)access);
    if (!is_shape(shape))
        return cmrt_fail(CMRT_BAD_ARGUMENT, "an image of %u dimensions and %zu x %zu x %zu elements", shape->dimensions,
                         width, height, depth);
    size_t planes = cmrt_format_planes(format), bytes = image_formats[format].bytes * 2 * planes; /* and more */
    if (width > UINT32_MAX || height > UINT32_MAX || depth > UINT32_MAX || width > SIZE_MAX / height / depth / bytes)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "an image of %zu x %zu x %zu elements is too large", width, height, depth);
    if (planes > 1 && shape->dimensions != 2)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "an image of %u dimensions of format %s, whose planes have 2",
                         shape->dimensions, cmrt_format_name(format));
    cmrt_image wanted = {.device = device,
                         .dimensions = shape->dimensions,
                         .width = width,
                         .height = height,
                         .depth = depth,
                         .format = format,
                         .access = access};
    return device->backend->image_open(&wanted, image);
}

enum cmrt_status cmrt_image_open(cmrt_device *device, size_t width, size_t height, enum cmrt_format format,
                                 enum cmrt_access access, cmrt_image **image)
{
    struct cmrt_image_shape shape = {.dimensions = 2, .width = width, .height = height, .depth = 1};
    CMRT_MAKES(image);
    CMRT_NEEDS(device);
    if (!width || !height)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "an image of %zu x %zu elements", width, height);
    return cmrt_image_open_shape(device, &shape, format, access, image);
}

enum cmrt_status cmrt_image_write(cmrt_queue *queue, cmrt_image *image, const void *from)
{
    CMRT_NEEDS(queue);
    CMRT_NEEDS(image);
    CMRT_NEEDS(from);
    CMRT_NEEDS_SAME_DEVICE(queue->device, image->device);
    return image->device->backend->image_write(queue, image, from);
}

enum cmrt_status cmrt_image_read(cmrt_queue *queue, cmrt_image *image, void *to)
{
    CMRT_NEEDS(queue);
    CMRT_NEEDS(image);
    CMRT_NEEDS(to);
    CMRT_NEEDS_SAME_DEVICE(queue->device, image->device);
    return image->device->backend->image_read(queue, image, to);
}

void cmrt_image_close(cmrt_image *image)
{
    if (image)
        image->device->backend->image_close(image);
}

enum cmrt_status cmrt_sampler_open(cmrt_device *device, enum cmrt_sampler_address address,
                                   enum cmrt_sampler_filter filter, int normalized, cmrt_sampler **sampler)
{
    CMRT_MAKES(sampler);
    CMRT_NEEDS(device);
    if (address < CMRT_ADDRESS_NONE || address > CMRT_ADDRESS_MIRROR)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "no address mode has the number %d", (int)address);
    if (filter != CMRT_FILTER_NEAREST && filter != CMRT_FILTER_LINEAR)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "no filter has the number %d", (int)filter);
    return device->backend->sampler_open(device, address, filter, normalized, sampler);
}

void cmrt_sampler_close(cmrt_sampler *sampler)
{
    if (sampler)
        sampler->device->backend->sampler_close(sampler);
}

enum cmrt_status cmrt_queue_open(cmrt_device *device, cmrt_queue **queue)
{
    CMRT_MAKES(queue);
    CMRT_NEEDS(device);
    return device->backend->queue_open(device, queue);
}

enum cmrt_status cmrt_wait(cmrt_queue *queue)
{
    CMRT_NEEDS(queue);
    return queue->device->backend->wait(queue);
}

enum cmrt_status cmrt_elapsed(cmrt_queue *queue, uint64_t *nanoseconds)
{
    CMRT_NEEDS(queue);
    CMRT_NEEDS(nanoseconds);
    return queue->device->backend->elapsed(queue, nanoseconds);
}

void cmrt_queue_close(cmrt_queue *queue)
{
    if (queue)
        queue->device->backend->queue_close(queue);
}

enum cmrt_status cmrt_event_open(cmrt_queue *queue, cmrt_event **event)
{
    CMRT_MAKES(event);
    CMRT_NEEDS(queue);
    return queue->device->backend->event_open(queue, event);
}

enum cmrt_status cmrt_queue_after(cmrt_queue *queue, cmrt_event *event)
{
    CMRT_NEEDS(queue);
    CMRT_NEEDS(event);
    CMRT_NEEDS_SAME_DEVICE(queue->device, event->device);
    return queue->device->backend->queue_after(queue, event);
}

enum cmrt_status cmrt_event_done(cmrt_event *event, int *done)
{
    CMRT_NEEDS(event);
    CMRT_NEEDS(done);
    return event->device->backend->event_done(event, done);
}

enum cmrt_status cmrt_event_wait(cmrt_event *event, uint64_t nanoseconds)
{
    CMRT_NEEDS(event);
    return event->device->backend->event_wait(event, nanoseconds);
}

void cmrt_event_close(cmrt_event *event)
{
    if (event)
        event->device->backend->event_close(event);
}
