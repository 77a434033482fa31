/* Implements the public calls: checks all that can be checked without a driver, then calls the device's backend. */
#include "runtime/file.h"
#include "runtime/internal.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Thread_local char message[1024];

const char *cmrt_message(void)
{
    return message;
}

enum cmrt_status cmrt_fail(enum cmrt_status status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    for (char *at = message; *at; at++) /* build logs have lines; a message is one */
        if ((unsigned char)*at < ' ')
            *at = ' ';
    return status;
}

const struct image_format image_formats[CMRT_FORMAT_COUNT] = {
#define IMAGE_FORMAT(ID, NAME, BYTES, CHANNELS, LAYOUT, TYPE) {NAME, BYTES, CHANNELS},
#include "runtime/image_formats.def"
#undef IMAGE_FORMAT
};

const struct image_plane image_planes[CMRT_FORMAT_COUNT][MOST_FURTHER_PLANES] = {
#define IMAGE_FORMAT(ID, NAME, BYTES, CHANNELS, LAYOUT, TYPE)
#define IMAGE_PLANE(ID, NUMBER, BYTES, ACROSS, DOWN) [CMRT_FORMAT_##ID][NUMBER - 1] = {BYTES, ACROSS, DOWN},
#include "runtime/image_formats.def"
#undef IMAGE_FORMAT
};

enum cmrt_format cmrt_format_find(const char *name)
{
    size_t i = 0;
    while (i < CMRT_FORMAT_COUNT && strcmp(image_formats[i].name, name) != 0)
        i++;
    return (enum cmrt_format)i;
}

const char *cmrt_format_name(enum cmrt_format format)
{
    return image_formats[format].name;
}
size_t cmrt_format_bytes(enum cmrt_format format)
{
    return image_formats[format].bytes;
}
size_t cmrt_format_channels(enum cmrt_format format)
{
    return image_formats[format].channels;
}
size_t cmrt_format_planes(enum cmrt_format format)
{
    size_t count = 1;
    while (count <= MOST_FURTHER_PLANES && image_planes[format][count - 1].bytes)
        count++;
    return count;
}

size_t cmrt_image_bytes(enum cmrt_format format, size_t width, size_t height)
{
    size_t bytes = width * height * image_formats[format].bytes;
    for (size_t i = 1; i < cmrt_format_planes(format); i++) {
        const struct image_plane *plane = &image_planes[format][i - 1];
        bytes += plane_extent(width, plane->across) * plane_extent(height, plane->down) * plane->bytes;
    }
    return bytes;
}

enum cmrt_status cmrt_device_open(enum cmrt_target target, cmrt_device **device)
{
    return target == CMRT_TARGET_CPU ? host_open(device) : level_zero_open(device);
}

const char *cmrt_device_name(const cmrt_device *device)
{
    return device->name;
}

const char *cmrt_device_driver(const cmrt_device *device)
{
    return device->driver;
}

const char *cmrt_device_platform(const cmrt_device *device)
{
    return device->platform;
}

int cmrt_device_has(const cmrt_device *device, enum cmrt_feature feature)
{
    return (device->features & (unsigned)feature) != 0;
}

void cmrt_device_close(cmrt_device *device)
{
    if (device)
        device->backend->device_close(device);
}

static enum cmrt_status read_file(const char *path, void **bytes, size_t *size)
{
    if (file_read(path, bytes, size) == 0)
        return CMRT_OK;
    return cmrt_fail(errno == ENOMEM ? CMRT_NO_MEMORY : CMRT_BAD_FILE, "%s: %s", path, strerror(errno));
}

static int is_elf(const void *bytes, size_t size)
{
    return size > 20 && memcmp(bytes, "\177ELF", 4) == 0;
}

/* Recognises the target that runs these bytes. BAD_FILE, with advice, if none does. */
static enum cmrt_status recognise(const char *path, const void *bytes, size_t size, enum cmrt_target *target)
{
    const unsigned char *b = bytes;
    *target = CMRT_TARGET_GPU;
    if (zebin_recognise(bytes, size))
        return CMRT_OK;
    if (is_elf(bytes, size) && b[16] == 3) { /* ET_DYN: a shared library */
        *target = CMRT_TARGET_CPU;
        return CMRT_OK;
    }
    if (is_elf(bytes, size))
        return cmrt_fail(CMRT_BAD_FILE,
                         "%s: an ELF file, but neither a zebin (ocloc needs --format zebin) nor a shared library",
                         path);
    if (size >= 4 && b[0] == 3 && b[1] == 2 && b[2] == 0x23 && b[3] == 7)
        return cmrt_fail(CMRT_BAD_FILE, "%s: SPIR-V; compile it with ocloc --format zebin first", path);
    return cmrt_fail(CMRT_BAD_FILE, "%s: neither a zebin nor a shared library", path);
}

enum cmrt_status cmrt_file_target(const char *path, enum cmrt_target *target)
{
    void *bytes;
    size_t size;
    enum cmrt_status status = read_file(path, &bytes, &size);
    if (status)
        return status;
    status = recognise(path, bytes, size, target);
    free(bytes);
    return status;
}

enum cmrt_status cmrt_program_load(cmrt_device *device, const char *path, cmrt_program **program)
{
    void *bytes;
    size_t size;
    enum cmrt_target target;
    enum cmrt_status status = read_file(path, &bytes, &size);
    if (status)
        return status;
    status = recognise(path, bytes, size, &target);
    if (!status)
        status = device->backend->program_load(device, path, bytes, size, program);
    free(bytes);
    return status;
}

enum cmrt_status cmrt_program_load_memory(cmrt_device *device, const void *bytes, size_t size, cmrt_program **program)
{
    return device->backend->program_load(device, NULL, bytes, size, program);
}

/* A program of the "no device" backend: it has the file's description only. */
static void inspected_close(cmrt_program *program)
{
    cmrt_device *device = program->device;
    free(program);
    free(device);
}

static const struct backend no_device = {.program_close = inspected_close};

static enum cmrt_status inspect_zebin(const char *path, const void *bytes, size_t size, cmrt_program **out)
{
    cmrt_program *program = calloc(1, sizeof *program);
    cmrt_device *device = calloc(1, sizeof *device);
    enum cmrt_status status =
        program && device ? zebin_read(bytes, size, &program->contents) : cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    if (status) {
        char why[512];
        snprintf(why, sizeof why, "%s", cmrt_message());
        free(program);
        free(device);
        return cmrt_fail(status, "%s: %s", path, why);
    }
    device->backend = &no_device;
    program->device = device;
    *out = program;
    return CMRT_OK;
}

enum cmrt_status cmrt_program_inspect(const char *path, cmrt_program **program)
{
    void *bytes;
    size_t size;
    enum cmrt_target target;
    enum cmrt_status status = read_file(path, &bytes, &size);
    if (status)
        return status;
    status = recognise(path, bytes, size, &target);
    if (!status && target == CMRT_TARGET_CPU)
        status = host_inspect(path, program);
    else if (!status)
        status = inspect_zebin(path, bytes, size, program);
    free(bytes);
    return status;
}

const char *cmrt_program_platform(const cmrt_program *program)
{
    return program->contents.product;
}

size_t cmrt_program_kernel_count(const cmrt_program *program)
{
    return program->contents.kernel_count;
}

const struct cmrt_kernel_info *cmrt_program_kernel(const cmrt_program *program, size_t index)
{
    return index < program->contents.kernel_count ? &program->contents.kernels[index] : NULL;
}

void cmrt_program_close(cmrt_program *program)
{
    if (!program)
        return;
    zebin_free(&program->contents);
    program->device->backend->program_close(program);
}

enum cmrt_status cmrt_buffer_open(cmrt_device *device, enum cmrt_memory memory, size_t bytes, cmrt_buffer **buffer)
{
    if (!bytes)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "a buffer of no bytes");
    return device->backend->buffer_open(device, memory, bytes, buffer);
}

void *cmrt_buffer_pointer(cmrt_buffer *buffer)
{
    return buffer->memory == CMRT_MEMORY_DEVICE ? NULL : buffer->pointer;
}
size_t cmrt_buffer_bytes(const cmrt_buffer *buffer)
{
    return buffer->bytes;
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
    enum cmrt_status status = check_range(buffer, offset, bytes);
    return status || !bytes ? status : buffer->device->backend->buffer_write(queue, buffer, offset, from, bytes);
}

enum cmrt_status cmrt_buffer_read(cmrt_queue *queue, cmrt_buffer *buffer, size_t offset, void *to, size_t bytes)
{
    enum cmrt_status status = check_range(buffer, offset, bytes);
    return status || !bytes ? status : buffer->device->backend->buffer_read(queue, buffer, offset, to, bytes);
}

void cmrt_buffer_close(cmrt_buffer *buffer)
{
    if (buffer)
        buffer->device->backend->buffer_close(buffer);
}

enum cmrt_status cmrt_image_open(cmrt_device *device, size_t width, size_t height, enum cmrt_format format,
                                 enum cmrt_access access, cmrt_image **image)
{
    if (!width || !height)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "an image of %zu x %zu elements", width, height);
    size_t bytes = image_formats[format].bytes * 2 * cmrt_format_planes(format); /* of one element and more */
    if (width > UINT32_MAX || height > UINT32_MAX || width > SIZE_MAX / height / bytes)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "an image of %zu x %zu elements is too large", width, height);
    return device->backend->image_open(device, width, height, format, access, image);
}

enum cmrt_status cmrt_image_write(cmrt_queue *queue, cmrt_image *image, const void *from)
{
    return image->device->backend->image_write(queue, image, from);
}

enum cmrt_status cmrt_image_read(cmrt_queue *queue, cmrt_image *image, void *to)
{
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
    return device->backend->sampler_open(device, address, filter, normalized, sampler);
}

void cmrt_sampler_close(cmrt_sampler *sampler)
{
    if (sampler)
        sampler->device->backend->sampler_close(sampler);
}

enum cmrt_status cmrt_queue_open(cmrt_device *device, cmrt_queue **queue)
{
    return device->backend->queue_open(device, queue);
}
enum cmrt_status cmrt_wait(cmrt_queue *queue)
{
    return queue->device->backend->wait(queue);
}

enum cmrt_status cmrt_elapsed(cmrt_queue *queue, uint64_t *nanoseconds)
{
    return queue->device->backend->elapsed(queue, nanoseconds);
}

void cmrt_queue_close(cmrt_queue *queue)
{
    if (queue)
        queue->device->backend->queue_close(queue);
}
