#include "runtime/cmrun/slot.h"

#include "runtime/cmrun/pixels.h"
#include "runtime/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static int is_png(const char *path)
{
    size_t length = strlen(path);
    return length >= 4 && strcmp(path + length - 4, ".png") == 0;
}

/* Fills `slot->byte_count` bytes from the pattern, then from the file. */
static int fill(struct slot *slot, char *why)
{
    const struct argument *argument = &slot->argument;
    slot->bytes = malloc(slot->byte_count);
    if (!slot->bytes)
        return snprintf(why, REASON_BYTES, "out of memory"), -1;
    if (values_fill_pattern(argument->pattern ? argument->pattern : "zero", slot->bytes, slot->byte_count, why,
                            REASON_BYTES))
        return -1;
    if (!argument->file)
        return 0;
    void *bytes;
    size_t size;
    if (file_read(argument->file, &bytes, &size))
        return snprintf(why, REASON_BYTES, "%s: %s", argument->file, strerror(errno)), -1;
    if (size <= slot->byte_count)
        memcpy(slot->bytes, bytes, size);
    free(bytes);
    if (size <= slot->byte_count)
        return 0;
    return snprintf(why, REASON_BYTES, "%s: %zu bytes do not fit in %zu", argument->file, size, slot->byte_count), -1;
}

/* A buffer that is left as the driver gives it. */
static int is_unwritten(const struct slot *slot)
{
    return slot->argument.pattern && strcmp(slot->argument.pattern, "none") == 0;
}

static int load_buffer(struct slot *slot, char *why)
{
    if (is_unwritten(slot)) {
        slot->byte_count = slot->argument.bytes;
        slot->bytes = calloc(1, slot->byte_count);
        return slot->bytes ? 0 : (snprintf(why, REASON_BYTES, "out of memory"), -1);
    }
    if (slot->argument.bytes) {
        slot->byte_count = slot->argument.bytes;
        return fill(slot, why);
    }
    void *bytes;
    if (file_read(slot->argument.file, &bytes, &slot->byte_count))
        return snprintf(why, REASON_BYTES, "%s: %s", slot->argument.file, strerror(errno)), -1;
    slot->bytes = bytes;
    if (slot->byte_count)
        return 0;
    return snprintf(why, REASON_BYTES, "%s: an empty file makes no buffer", slot->argument.file), -1;
}

/* Chooses element format and samples per pixel. `have` is the number of samples in the PNG file, 0 without one. */
static int choose_format(struct slot *slot, const struct cmrt_argument *wanted, size_t have, char *why)
{
    const char *name = slot->argument.format;
    if (!name)
        name = wanted && wanted->kind == CMRT_ARGUMENT_IMAGE && !wanted->media_block ? "rgba8" : "raw";
    if (strncmp(name, "raw", 3) == 0) {
        slot->format = CMRT_FORMAT_R8U;
        slot->channels = name[3] ? (size_t)(name[3] - '0') : have ? have : 1;
        return 0;
    }
    slot->format = cmrt_format_find(name);
    size_t channels = cmrt_format_channels(slot->format);
    int samples = cmrt_format_bytes(slot->format) == channels && cmrt_format_planes(slot->format) == 1;
    slot->channels = samples ? channels : 0;
    if (have && !slot->channels)
        return snprintf(why, REASON_BYTES, "PNG files hold 8-bit samples: no '%s'", name), -1;
    return 0;
}

/* Returns the elements of a row. With plain bytes (format 0, which has one channel) every sample is an element. */
static size_t elements(const struct slot *slot, size_t pixels)
{
    return slot->format == CMRT_FORMAT_R8U ? pixels * slot->channels : pixels;
}

static int load_png(struct slot *slot, const struct cmrt_argument *wanted, char *why)
{
    char reason[REASON_BYTES / 2];
    struct pixels pixels;
    if (png_load(slot->argument.file, &pixels, reason, sizeof reason))
        return snprintf(why, REASON_BYTES, "%s: %s", slot->argument.file, reason), -1;
    int result = choose_format(slot, wanted, pixels.channels, why);
    if (!result && pixels_convert(&pixels, slot->channels)) {
        snprintf(why, REASON_BYTES, "out of memory");
        result = -1;
    }
    slot->bytes = pixels.samples;
    slot->width = elements(slot, pixels.width);
    slot->height = pixels.height;
    slot->dimensions = 2;
    slot->depth = 1;
    slot->byte_count = pixels.width * pixels.height * slot->channels;
    return result;
}

static int load_sized_image(struct slot *slot, const struct cmrt_argument *wanted, char *why)
{
    const struct argument *argument = &slot->argument;
    if (choose_format(slot, wanted, 0, why))
        return -1;
    slot->width = elements(slot, argument->width);
    slot->height = argument->height;
    slot->depth = argument->depth;
    slot->dimensions = argument->dimensions;
    if (slot->width > SIZE_MAX / slot->height / slot->depth / 4 / cmrt_format_bytes(slot->format))
        return snprintf(why, REASON_BYTES, "%zu x %zu x %zu elements are too many", slot->width, slot->height,
                        slot->depth),
               -1;
    slot->byte_count = cmrt_image_bytes(slot->format, slot->width, slot->height) * slot->depth;
    return fill(slot, why);
}

static int load_like(struct slot *slots, size_t index, char *why)
{
    struct slot *slot = &slots[index];
    size_t i = 0;
    while (i < index && (slots[i].argument.kind != CMRT_ARGUMENT_IMAGE || slots[i].argument.like_first))
        i++;
    if (i == index)
        return snprintf(why, REASON_BYTES, "how large? There is no image to the left; write it as img:WxH@w=%s",
                        slot->argument.output),
               -1;
    slot->format = slots[i].format;
    slot->channels = slots[i].channels;
    slot->width = slots[i].width;
    slot->height = slots[i].height;
    slot->depth = slots[i].depth;
    slot->dimensions = slots[i].dimensions;
    slot->byte_count = slots[i].byte_count;
    return fill(slot, why);
}

/* Makes elements four bytes wide. Block messages count bytes whatever the elements are. Four bytes per element allow
 * rows of 64 KB instead of 16 and give the driver's copies a quarter of the work. */
static void widen_elements(struct slot *slot)
{
    if (slot->format != CMRT_FORMAT_R8U || slot->width % 4 != 0)
        return;
    slot->format = CMRT_FORMAT_RGBA8U;
    slot->width /= 4;
}

int slot_load(struct slot *slots, size_t index, const struct cmrt_argument *wanted, char why[REASON_BYTES])
{
    struct slot *slot = &slots[index];
    const struct argument *argument = &slot->argument;
    if (argument->kind == CMRT_ARGUMENT_BUFFER)
        return load_buffer(slot, why);
    if (argument->kind != CMRT_ARGUMENT_IMAGE)
        return 0;
    int failed = argument->like_first ? load_like(slots, index, why)
                 : argument->width    ? load_sized_image(slot, wanted, why)
                                      : load_png(slot, wanted, why);
    if (failed)
        return -1;
    if (wanted && wanted->media_block && (!argument->format || strncmp(argument->format, "raw", 3) == 0))
        widen_elements(slot);
    if (argument->output && is_png(argument->output) && slot->dimensions == 3)
        return snprintf(why, REASON_BYTES, "PNG files hold 2 dimensions: write the image to a file of another name"),
               -1;
    if (argument->output && is_png(argument->output) && !slot->channels)
        return snprintf(why, REASON_BYTES, "PNG files hold 8-bit samples: no '%s'", cmrt_format_name(slot->format)), -1;
    return 0;
}

static enum cmrt_status bind_image(struct slot *slot, size_t index, cmrt_device *device, cmrt_queue *queue,
                                   cmrt_kernel *kernel)
{
    const struct cmrt_kernel_info *info = cmrt_kernel_info(kernel);
    const struct cmrt_argument *wanted = index < info->argument_count ? &info->arguments[index] : NULL;
    enum cmrt_access access = wanted && wanted->access ? wanted->access : CMRT_READ_WRITE;
    struct cmrt_image_shape shape = {slot->dimensions, slot->width, slot->height, slot->depth};
    enum cmrt_status status = cmrt_image_open_shape(device, &shape, slot->format, access, &slot->image);
    if (!status)
        status = cmrt_kernel_set_image(kernel, index, slot->image);
    return status ? status : cmrt_image_write(queue, slot->image, slot->bytes);
}

static enum cmrt_status bind_buffer(struct slot *slot, size_t index, cmrt_device *device, cmrt_queue *queue,
                                    cmrt_kernel *kernel)
{
    enum cmrt_status status = cmrt_buffer_open(device, slot->argument.memory, slot->byte_count, &slot->buffer);
    if (!status)
        status = cmrt_kernel_set_buffer(kernel, index, slot->buffer);
    return status || is_unwritten(slot) ? status
                                        : cmrt_buffer_write(queue, slot->buffer, 0, slot->bytes, slot->byte_count);
}

enum cmrt_status slot_bind(struct slot *slot, size_t index, cmrt_device *device, cmrt_queue *queue, cmrt_kernel *kernel)
{
    const struct argument *argument = &slot->argument;
    enum cmrt_status status;
    switch (argument->kind) {
    case CMRT_ARGUMENT_VALUE: return cmrt_kernel_set_value(kernel, index, argument->value, argument->bytes);
    case CMRT_ARGUMENT_LOCAL: return cmrt_kernel_set_local(kernel, index, argument->bytes);
    case CMRT_ARGUMENT_IMAGE: return bind_image(slot, index, device, queue, kernel);
    case CMRT_ARGUMENT_BUFFER: return bind_buffer(slot, index, device, queue, kernel);
    default: break;
    }
    status = cmrt_sampler_open(device, argument->address, argument->filter, argument->normalized, &slot->sampler);
    return status ? status : cmrt_kernel_set_sampler(kernel, index, slot->sampler);
}

static int is_wanted(const struct slot *slot)
{
    return slot->argument.output || slot->argument.print != SCALAR_COUNT;
}

enum cmrt_status slot_fetch(struct slot *slot, cmrt_queue *queue)
{
    if (!is_wanted(slot))
        return CMRT_OK;
    return slot->image ? cmrt_image_read(queue, slot->image, slot->bytes)
                       : cmrt_buffer_read(queue, slot->buffer, 0, slot->bytes, slot->byte_count);
}

int slot_save(const struct slot *slot, struct output_set *outputs, char why[REASON_BYTES])
{
    const char *path = slot->argument.output;
    char reason[REASON_BYTES / 2];
    if (!path)
        return 0;
    if (!slot->image || !is_png(path))
        return outputs_add(outputs, path, slot->bytes, slot->byte_count, why, REASON_BYTES);
    struct pixels pixels = {slot->byte_count / slot->height / slot->channels, slot->height, slot->channels,
                            slot->bytes};
    unsigned char *bytes;
    size_t size;
    if (png_encode(&pixels, &bytes, &size, reason, sizeof reason))
        return snprintf(why, REASON_BYTES, "%s: %s", path, reason), -1;
    int result = outputs_add(outputs, path, bytes, size, why, REASON_BYTES);
    free(bytes);
    return result;
}

void slot_close(struct slot *slot)
{
    cmrt_buffer_close(slot->buffer);
    cmrt_image_close(slot->image);
    cmrt_sampler_close(slot->sampler);
    argument_free(&slot->argument);
    free(slot->bytes);
}
