/* Implements buffers, and finds out about memory that the caller allocated. */
#include "runtime/level_zero/level_zero.h"

#include <stdlib.h>
#include <string.h>

enum cmrt_status level_zero_buffer_open(cmrt_device *base, enum cmrt_memory memory, size_t bytes, cmrt_buffer **out)
{
    struct level_zero_device *device = level_zero_device_of(base);
    ze_device_mem_alloc_desc_t on_device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    ze_host_mem_alloc_desc_t on_host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    enum { ALIGNMENT = 64 };
    cmrt_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    *buffer = (cmrt_buffer){.device = base, .memory = memory, .bytes = bytes};
    void **pointer = &buffer->pointer;
    enum cmrt_status status;
    if (memory == CMRT_MEMORY_SHARED)
        status = ZE(zeMemAllocShared(device->context, &on_device, &on_host, bytes, ALIGNMENT, device->handle, pointer));
    else if (memory == CMRT_MEMORY_HOST)
        status = ZE(zeMemAllocHost(device->context, &on_host, bytes, ALIGNMENT, pointer));
    else
        status = ZE(zeMemAllocDevice(device->context, &on_device, bytes, ALIGNMENT, device->handle, pointer));
    if (status) {
        free(buffer);
        return status;
    }
    *out = buffer;
    return CMRT_OK;
}

void level_zero_buffer_close(cmrt_buffer *buffer)
{
    zeMemFree(level_zero_device_of(buffer->device)->context, buffer->pointer);
    free(buffer);
}

/* Copies through host memory that the driver allocated, so that it need not pin the caller's pages. */
static enum cmrt_status copy_device(cmrt_queue *base, cmrt_buffer *buffer, size_t offset, void *to, const void *from,
                                    size_t bytes)
{
    struct level_zero_queue *queue = (struct level_zero_queue *)base;
    cmrt_buffer *staging;
    enum cmrt_status status = level_zero_buffer_open(buffer->device, CMRT_MEMORY_HOST, bytes, &staging);
    if (status)
        return status;
    void *there = (char *)buffer->pointer + offset;
    if (from)
        memcpy(staging->pointer, from, bytes);
    status = level_zero_queue_begin(queue);
    if (!status)
        status = ZE(zeCommandListAppendMemoryCopy(queue->current->list, from ? there : staging->pointer,
                                                  from ? staging->pointer : there, bytes, NULL, 0, NULL));
    if (!status)
        status = level_zero_queue_finish(queue);
    if (!status && to)
        memcpy(to, staging->pointer, bytes);
    level_zero_buffer_close(staging);
    return status;
}

enum cmrt_status level_zero_buffer_write(cmrt_queue *queue, cmrt_buffer *buffer, size_t offset, const void *from,
                                         size_t bytes)
{
    if (buffer->memory == CMRT_MEMORY_DEVICE)
        return copy_device(queue, buffer, offset, NULL, from, bytes);
    enum cmrt_status status = level_zero_queue_wait(queue);
    if (!status)
        memcpy((char *)buffer->pointer + offset, from, bytes);
    return status;
}

enum cmrt_status level_zero_buffer_read(cmrt_queue *queue, cmrt_buffer *buffer, size_t offset, void *to, size_t bytes)
{
    if (buffer->memory == CMRT_MEMORY_DEVICE)
        return copy_device(queue, buffer, offset, to, NULL, bytes);
    enum cmrt_status status = level_zero_queue_wait(queue);
    if (!status)
        memcpy(to, (char *)buffer->pointer + offset, bytes);
    return status;
}

enum cmrt_status level_zero_memory_of(cmrt_device *base, const void *pointer, size_t bytes, enum cmrt_memory *memory)
{
    struct level_zero_device *device = level_zero_device_of(base);
    ze_memory_allocation_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
    void *start = NULL;
    size_t size = 0;
    enum cmrt_status status = ZE(zeMemGetAllocProperties(device->context, pointer, &properties, NULL));
    if (status)
        return status;
    switch (properties.type) {
    case ZE_MEMORY_TYPE_HOST: *memory = CMRT_MEMORY_HOST; break;
    case ZE_MEMORY_TYPE_DEVICE: *memory = CMRT_MEMORY_DEVICE; break;
    case ZE_MEMORY_TYPE_SHARED: *memory = CMRT_MEMORY_SHARED; break;
    default: return cmrt_fail(CMRT_BAD_ARGUMENT, "no unified shared memory of the device's context");
    }
    status = ZE(zeMemGetAddressRange(device->context, pointer, &start, &size));
    if (!status && (size_t)((const char *)pointer - (char *)start) + bytes > size)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "%zu bytes reach beyond the end of the caller's memory", bytes);
    return status;
}
