/* Allocates the CPU's buffers, images and samplers. */
#include "runtime/host/host.h"
#include "runtime/host/planes.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum cmrt_status host_buffer_open(cmrt_device *device, enum cmrt_memory memory, size_t bytes, cmrt_buffer **out)
{
    assert(out && bytes);
    cmrt_buffer *buffer = calloc(1, sizeof *buffer);
    size_t rounded = (bytes + 63) & ~(size_t)63;
    void *pointer = buffer && rounded >= bytes ? aligned_alloc(64, rounded) : NULL;
    if (!pointer) {
        free(buffer);
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    }
    *buffer = (cmrt_buffer){.device = device, .memory = memory, .bytes = bytes, .pointer = pointer};
    *out = buffer;
    return CMRT_OK;
}

enum cmrt_status host_buffer_write(cmrt_queue *queue, cmrt_buffer *buffer, size_t offset, const void *from,
                                   size_t bytes)
{
    assert(offset <= buffer->bytes && bytes <= buffer->bytes - offset);
    (void)queue;
    memcpy((char *)buffer->pointer + offset, from, bytes);
    return CMRT_OK;
}

enum cmrt_status host_buffer_read(cmrt_queue *queue, cmrt_buffer *buffer, size_t offset, void *to, size_t bytes)
{
    assert(offset <= buffer->bytes && bytes <= buffer->bytes - offset);
    (void)queue;
    memcpy(to, (char *)buffer->pointer + offset, bytes);
    return CMRT_OK;
}

void host_buffer_close(cmrt_buffer *buffer)
{
    free(buffer->pointer);
    free(buffer);
}

enum cmrt_status host_image_open(const cmrt_image *wanted, cmrt_image **out)
{
    assert(wanted && wanted->width && wanted->height && wanted->depth && out);
    size_t row = wanted->width * image_formats[wanted->format].bytes;
    if (image_format_is_packed(wanted->format))
        return cmrt_fail(CMRT_BAD_ARGUMENT,
                         "an image of format %s: the CPU has none whose channels have different bits, GPUs have them",
                         cmrt_format_name(wanted->format));
    if (row > UINT32_MAX - 4) /* a row of a further plane may be longer by a fraction of an element */
        return cmrt_fail(CMRT_BAD_ARGUMENT, "an image with rows of %zu bytes", row);
    struct host_image *image = calloc(1, sizeof *image);
    if (image) {
        image->common = *wanted;
        image->rows = calloc(1, image_total_bytes(wanted));
    }
    if (!image || !image->rows) {
        free(image);
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    }
    host_place_planes(&image->common, image->rows, image->planes);
    *out = &image->common;
    return CMRT_OK;
}

enum cmrt_status host_image_write(cmrt_queue *queue, cmrt_image *image, const void *from)
{
    (void)queue;
    memcpy(((struct host_image *)image)->rows, from, image_total_bytes(image));
    return CMRT_OK;
}

enum cmrt_status host_image_read(cmrt_queue *queue, cmrt_image *image, void *to)
{
    (void)queue;
    memcpy(to, ((struct host_image *)image)->rows, image_total_bytes(image));
    return CMRT_OK;
}

void host_image_close(cmrt_image *image)
{
    free(((struct host_image *)image)->rows);
    free(image);
}

enum cmrt_status host_sampler_open(cmrt_device *device, enum cmrt_sampler_address address,
                                   enum cmrt_sampler_filter filter, int normalized, cmrt_sampler **out)
{
    assert(out);
    struct host_sampler *sampler = calloc(1, sizeof *sampler);
    if (!sampler)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    sampler->common.device = device;
    sampler->state = (struct cm_host_sampler){(uint32_t)address, (uint32_t)filter, normalized != 0};
    *out = &sampler->common;
    return CMRT_OK;
}

void host_sampler_close(cmrt_sampler *sampler)
{
    free(sampler);
}
