/* Implements images and samplers. */
#include "runtime/level_zero/level_zero.h"

#include <stdlib.h>
#include <string.h>

static const struct {
    ze_image_format_layout_t layout;
    ze_image_format_type_t type;
} level_zero_formats[FORMAT_COUNT] = {
#define IMAGE_FORMAT(ID, NAME, BYTES, CHANNELS, LAYOUT, TYPE)                                                          \
    {ZE_IMAGE_FORMAT_LAYOUT_##LAYOUT, ZE_IMAGE_FORMAT_TYPE_##TYPE},
#include "runtime/image_formats.def"
#undef IMAGE_FORMAT
};

static ze_image_format_t format_of(enum cmrt_format format)
{
    size_t channels = image_formats[format].channels; /* absent ones read 0, absent alpha 1, as in OpenCL */
    ze_image_format_t description = {
        .layout = level_zero_formats[format].layout,
        .type = level_zero_formats[format].type,
        .x = ZE_IMAGE_FORMAT_SWIZZLE_R,
        .y = channels > 1 ? ZE_IMAGE_FORMAT_SWIZZLE_G : ZE_IMAGE_FORMAT_SWIZZLE_0,
        .z = channels > 2 ? ZE_IMAGE_FORMAT_SWIZZLE_B : ZE_IMAGE_FORMAT_SWIZZLE_0,
        .w = channels > 3 ? ZE_IMAGE_FORMAT_SWIZZLE_A : ZE_IMAGE_FORMAT_SWIZZLE_1,
    };
    return description;
}

/* Checks the extents against the device's limits for images of these dimensions. */
static enum cmrt_status check_extents(const cmrt_image *wanted)
{
    ze_device_image_properties_t limits = {.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES};
    enum cmrt_status status = ZE(zeDeviceGetImageProperties(level_zero_device_of(wanted->device)->handle, &limits));
    if (status)
        return status;
    const uint32_t most[] = {0, limits.maxImageDims1D, limits.maxImageDims2D, limits.maxImageDims3D};
    uint32_t limit = most[wanted->dimensions];
    if (wanted->width <= limit && wanted->height <= limit && wanted->depth <= limit)
        return CMRT_OK;
    if (wanted->dimensions == 2)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "an image of %zu x %zu elements: the device takes at most %u x %u",
                         wanted->width, wanted->height, limit, limit);
    return cmrt_fail(CMRT_BAD_ARGUMENT,
                     "an image of %zu x %zu x %zu elements: with %u dimensions the device takes at most %u in each",
                     wanted->width, wanted->height, wanted->depth, wanted->dimensions, limit);
}

enum cmrt_status level_zero_image_open(const cmrt_image *wanted, cmrt_image **out)
{
    static const ze_image_type_t types[] = {[1] = ZE_IMAGE_TYPE_1D, [2] = ZE_IMAGE_TYPE_2D, [3] = ZE_IMAGE_TYPE_3D};
    struct level_zero_device *device = level_zero_device_of(wanted->device);
    if (cmrt_format_planes(wanted->format) > 1)
        return cmrt_fail(CMRT_BAD_ARGUMENT,
                         "an image of format %s: Level Zero gives kernels no image of several planes, the CPU has them",
                         cmrt_format_name(wanted->format));
    enum cmrt_status status = check_extents(wanted);
    if (status)
        return status;
    struct level_zero_image *image = calloc(1, sizeof *image);
    if (!image)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    image->common = *wanted;
    ze_image_desc_t description = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
                                   .flags = wanted->access & CMRT_WRITE ? ZE_IMAGE_FLAG_KERNEL_WRITE : 0,
                                   .type = types[wanted->dimensions],
                                   .format = format_of(wanted->format),
                                   .width = wanted->width,
                                   .height = (uint32_t)wanted->height,
                                   .depth = (uint32_t)wanted->depth};
    status = ZE(zeImageCreate(device->context, device->handle, &description, &image->handle));
    if (status) {
        free(image);
        return status;
    }
    *out = &image->common;
    return CMRT_OK;
}

void level_zero_image_close(cmrt_image *image)
{
    zeImageDestroy(((struct level_zero_image *)image)->handle);
    free(image);
}

/* Copies a whole image: to the host if `to` is given, else from `from`. */
static enum cmrt_status copy_image(cmrt_queue *base, cmrt_image *common, void *to, const void *from)
{
    struct level_zero_queue *queue = (struct level_zero_queue *)base;
    struct level_zero_image *image = (struct level_zero_image *)common;
    size_t bytes = image_total_bytes(common);
    cmrt_buffer *staging;
    enum cmrt_status status = level_zero_buffer_open(common->device, CMRT_MEMORY_HOST, bytes, &staging);
    if (status)
        return status;
    if (from)
        memcpy(staging->pointer, from, bytes);
    status = level_zero_queue_begin(queue);
    if (!status && from)
        status = ZE(zeCommandListAppendImageCopyFromMemory(queue->current->list, image->handle, staging->pointer, NULL,
                                                           NULL, 0, NULL));
    if (!status && to)
        status = ZE(zeCommandListAppendImageCopyToMemory(queue->current->list, staging->pointer, image->handle, NULL,
                                                         NULL, 0, NULL));
    if (!status)
        status = level_zero_queue_finish(queue);
    if (!status && to)
        memcpy(to, staging->pointer, bytes);
    level_zero_buffer_close(staging);
    return status;
}

enum cmrt_status level_zero_image_write(cmrt_queue *queue, cmrt_image *image, const void *from)
{
    return copy_image(queue, image, NULL, from);
}

enum cmrt_status level_zero_image_read(cmrt_queue *queue, cmrt_image *image, void *to)
{
    return copy_image(queue, image, to, NULL);
}

enum cmrt_status level_zero_sampler_open(cmrt_device *base, enum cmrt_sampler_address address,
                                         enum cmrt_sampler_filter filter, int normalized, cmrt_sampler **out)
{
    static const ze_sampler_address_mode_t modes[] = {
        [CMRT_ADDRESS_NONE] = ZE_SAMPLER_ADDRESS_MODE_NONE,
        [CMRT_ADDRESS_CLAMP] = ZE_SAMPLER_ADDRESS_MODE_CLAMP,
        [CMRT_ADDRESS_BORDER] = ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
        [CMRT_ADDRESS_REPEAT] = ZE_SAMPLER_ADDRESS_MODE_REPEAT,
        [CMRT_ADDRESS_MIRROR] = ZE_SAMPLER_ADDRESS_MODE_MIRROR,
    };
    struct level_zero_device *device = level_zero_device_of(base);
    struct level_zero_sampler *sampler = calloc(1, sizeof *sampler);
    if (!sampler)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    sampler->common.device = base;
    ze_sampler_desc_t description = {.stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC,
                                     .addressMode = modes[address],
                                     .filterMode = filter == CMRT_FILTER_LINEAR ? ZE_SAMPLER_FILTER_MODE_LINEAR
                                                                                : ZE_SAMPLER_FILTER_MODE_NEAREST,
                                     .isNormalized = (ze_bool_t)(normalized != 0)};
    enum cmrt_status status = ZE(zeSamplerCreate(device->context, device->handle, &description, &sampler->handle));
    if (status) {
        free(sampler);
        return status;
    }
    *out = &sampler->common;
    return CMRT_OK;
}

void level_zero_sampler_close(cmrt_sampler *sampler)
{
    zeSamplerDestroy(((struct level_zero_sampler *)sampler)->handle);
    free(sampler);
}
