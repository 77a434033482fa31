/* Implements kernels: finds them, sets and checks their arguments, launches them. */
#include "runtime/internal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const kind_names[] = {
    [CMRT_ARGUMENT_UNKNOWN] = "anything",  [CMRT_ARGUMENT_VALUE] = "a value",
    [CMRT_ARGUMENT_BUFFER] = "a buffer",   [CMRT_ARGUMENT_IMAGE] = "an image",
    [CMRT_ARGUMENT_SAMPLER] = "a sampler", [CMRT_ARGUMENT_LOCAL] = "shared local memory",
};

static enum cmrt_status no_such_kernel(const cmrt_program *program, const char *name)
{
    char list[512] = "";
    size_t used = 0;
    for (size_t i = 0; i < program->contents.kernel_count && used < sizeof list; i++)
        used +=
            (size_t)snprintf(list + used, sizeof list - used, "%s%s", i ? ", " : "", program->contents.kernels[i].name);
    return cmrt_fail(CMRT_NO_KERNEL, "no kernel '%s'; there %s: %s", name,
                     program->contents.kernel_count == 1 ? "is" : "are", *list ? list : "none");
}

enum cmrt_status cmrt_kernel_open(cmrt_program *program, const char *name, cmrt_kernel **kernel)
{
    const struct cmrt_kernel_info *info = NULL;
    CMRT_MAKES(kernel);
    CMRT_NEEDS(program);
    CMRT_NEEDS(name);
    if (!program->device->backend->kernel_open)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "a program that was only inspected; cmrt_program_load loads one");
    for (size_t i = 0; i < program->contents.kernel_count; i++)
        if (strcmp(program->contents.kernels[i].name, name) == 0)
            info = &program->contents.kernels[i];
    if (!info)
        return no_such_kernel(program, name);
    unsigned char *set = calloc(info->argument_count + 1, 1);
    if (!set)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    enum cmrt_status status = program->device->backend->kernel_open(program, info, kernel);
    if (status) {
        free(set);
        return status;
    }
    (*kernel)->program = program;
    (*kernel)->info = info;
    (*kernel)->set = set;
    return CMRT_OK;
}

const struct cmrt_kernel_info *cmrt_kernel_info(const cmrt_kernel *kernel)
{
    return kernel ? kernel->info : NULL;
}

void cmrt_kernel_close(cmrt_kernel *kernel)
{
    if (!kernel)
        return;
    free(kernel->set);
    kernel->program->device->backend->kernel_close(kernel);
}

/* Checks that argument `index` of the kernel accepts this kind. */
static enum cmrt_status check_argument(cmrt_kernel *kernel, size_t index, enum cmrt_argument_kind kind)
{
    const struct cmrt_kernel_info *info = kernel->info;
    if (index >= info->argument_count)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "kernel %s has %zu arguments; there is no argument %zu", info->name,
                         info->argument_count, index);
    const struct cmrt_argument *wanted = &info->arguments[index];
    if (wanted->kind != kind && wanted->kind != CMRT_ARGUMENT_UNKNOWN)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "argument %zu%s%s of kernel %s is %s, not %s", index,
                         *wanted->name ? " " : "", wanted->name, info->name, kind_names[wanted->kind],
                         kind_names[kind]);
    return CMRT_OK;
}

/* Notes that argument `index`, which exists, has been set, if it has. */
static enum cmrt_status note_set(cmrt_kernel *kernel, size_t index, enum cmrt_status status)
{
    if (!status)
        kernel->set[index] = 1;
    return status;
}

enum cmrt_status cmrt_kernel_set_value(cmrt_kernel *kernel, size_t index, const void *value, size_t bytes)
{
    CMRT_NEEDS(kernel);
    CMRT_NEEDS(value);
    enum cmrt_status status = check_argument(kernel, index, CMRT_ARGUMENT_VALUE);
    if (status)
        return status;
    const struct cmrt_argument *wanted = &kernel->info->arguments[index];
    if (wanted->kind == CMRT_ARGUMENT_VALUE && wanted->bytes != bytes)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "argument %zu%s%s of kernel %s is a value of %u bytes, not %zu", index,
                         *wanted->name ? " " : "", wanted->name, kernel->info->name, wanted->bytes, bytes);
    return note_set(kernel, index, kernel->program->device->backend->set_value(kernel, index, value, bytes));
}

enum cmrt_status cmrt_kernel_set_buffer(cmrt_kernel *kernel, size_t index, cmrt_buffer *buffer)
{
    CMRT_NEEDS(kernel);
    CMRT_NEEDS(buffer);
    CMRT_NEEDS_SAME_DEVICE(kernel->program->device, buffer->device);
    enum cmrt_status status = check_argument(kernel, index, CMRT_ARGUMENT_BUFFER);
    return status ? status
                  : note_set(kernel, index, kernel->program->device->backend->set_buffer(kernel, index, buffer));
}

/* Refuses images that are smaller than one block, and rows that are not whole dwords: media block messages count x in
 * bytes and move dwords, so the last bytes of such a row would be neither inside nor outside. */
static enum cmrt_status check_media_image(const cmrt_kernel *kernel, size_t index, const cmrt_image *image)
{
    size_t row = image->width * image_formats[image->format].bytes;
    const struct cmrt_argument *wanted = &kernel->info->arguments[index];
    if (row < wanted->block_width || image->height < wanted->block_rows)
        return cmrt_fail(
            CMRT_BAD_ARGUMENT,
            "argument %zu of kernel %s is accessed in blocks of %u bytes x %u rows: the image has only %zu x %zu",
            index, kernel->info->name, wanted->block_width, wanted->block_rows, row, image->height);
    if (!wanted->media_block || row % 4 == 0)
        return CMRT_OK;
    return cmrt_fail(
        CMRT_BAD_ARGUMENT,
        "argument %zu of kernel %s is accessed in blocks: rows must be a multiple of 4 bytes, these have %zu", index,
        kernel->info->name, row);
}

static enum cmrt_status check_dimensions(const cmrt_kernel *kernel, size_t index, const cmrt_image *image)
{
    const struct cmrt_argument *wanted = &kernel->info->arguments[index];
    if (!wanted->dimensions || wanted->dimensions == image->dimensions)
        return CMRT_OK;
    return cmrt_fail(CMRT_BAD_ARGUMENT, "argument %zu%s%s of kernel %s is an image of %u dimensions, not of %u", index,
                     *wanted->name ? " " : "", wanted->name, kernel->info->name, wanted->dimensions, image->dimensions);
}

enum cmrt_status cmrt_kernel_set_image(cmrt_kernel *kernel, size_t index, cmrt_image *image)
{
    CMRT_NEEDS(kernel);
    CMRT_NEEDS(image);
    CMRT_NEEDS_SAME_DEVICE(kernel->program->device, image->device);
    enum cmrt_status status = check_argument(kernel, index, CMRT_ARGUMENT_IMAGE);
    if (!status)
        status = check_dimensions(kernel, index, image);
    if (!status)
        status = check_media_image(kernel, index, image);
    return status ? status : note_set(kernel, index, kernel->program->device->backend->set_image(kernel, index, image));
}

enum cmrt_status cmrt_kernel_set_sampler(cmrt_kernel *kernel, size_t index, cmrt_sampler *sampler)
{
    CMRT_NEEDS(kernel);
    CMRT_NEEDS(sampler);
    CMRT_NEEDS_SAME_DEVICE(kernel->program->device, sampler->device);
    enum cmrt_status status = check_argument(kernel, index, CMRT_ARGUMENT_SAMPLER);
    return status ? status
                  : note_set(kernel, index, kernel->program->device->backend->set_sampler(kernel, index, sampler));
}

enum cmrt_status cmrt_kernel_set_local(cmrt_kernel *kernel, size_t index, size_t bytes)
{
    CMRT_NEEDS(kernel);
    enum cmrt_status status = check_argument(kernel, index, CMRT_ARGUMENT_LOCAL);
    return status ? status : note_set(kernel, index, kernel->program->device->backend->set_local(kernel, index, bytes));
}

enum cmrt_status cmrt_kernel_set_indirect(cmrt_kernel *kernel, int indirect)
{
    CMRT_NEEDS(kernel);
    return kernel->program->device->backend->set_indirect(kernel, indirect);
}

static int requires_local(const struct cmrt_kernel_info *info)
{
    return info->required_local[0] && info->required_local[1] && info->required_local[2];
}

enum cmrt_status cmrt_kernel_suggest_local(cmrt_kernel *kernel, const uint32_t total[3], uint32_t local[3])
{
    CMRT_NEEDS(kernel);
    CMRT_NEEDS(total);
    CMRT_NEEDS(local);
    const struct cmrt_kernel_info *info = kernel->info;
    for (int i = 0; i < 3; i++)
        if (!total[i])
            return cmrt_fail(CMRT_BAD_ARGUMENT, "a launch of no threads: every count must be at least 1");
    if (!requires_local(info))
        return kernel->program->device->backend->suggest_local(kernel, total, local);
    for (int i = 0; i < 3; i++) {
        local[i] = info->required_local[i];
        if (total[i] % local[i])
            return cmrt_fail(CMRT_BAD_ARGUMENT, "kernel %s takes groups of %ux%ux%u only, and %ux%ux%u is no multiple",
                             info->name, info->required_local[0], info->required_local[1], info->required_local[2],
                             total[0], total[1], total[2]);
    }
    return CMRT_OK;
}

static enum cmrt_status check_required(const struct cmrt_kernel_info *info, const uint32_t local[3])
{
    if (!requires_local(info) || memcmp(local, info->required_local, sizeof info->required_local) == 0)
        return CMRT_OK;
    return cmrt_fail(CMRT_BAD_ARGUMENT, "a group of %ux%ux%u: kernel %s takes groups of %ux%ux%u only", local[0],
                     local[1], local[2], info->name, info->required_local[0], info->required_local[1],
                     info->required_local[2]);
}

static enum cmrt_status check_launch(const cmrt_device *device, const cmrt_kernel *kernel, const uint32_t groups[3],
                                     const uint32_t local[3])
{
    for (size_t i = 0; i < kernel->info->argument_count; i++)
        if (!kernel->set[i] && kernel->info->arguments[i].kind != CMRT_ARGUMENT_UNKNOWN)
            return cmrt_fail(CMRT_BAD_ARGUMENT, "argument %zu of kernel %s (%s) is not set", i, kernel->info->name,
                             kind_names[kernel->info->arguments[i].kind]);
    uint64_t threads = 1;
    for (int i = 0; i < 3; i++) {
        if (!groups[i] || !local[i])
            return cmrt_fail(CMRT_BAD_ARGUMENT, "a launch of no threads: every count must be at least 1");
        if (device->maximum_local[i] && local[i] > device->maximum_local[i])
            return cmrt_fail(CMRT_BAD_ARGUMENT, "a group of %ux%ux%u: the device takes at most %ux%ux%u", local[0],
                             local[1], local[2], device->maximum_local[0], device->maximum_local[1],
                             device->maximum_local[2]);
        threads = threads * local[i] > UINT32_MAX ? UINT32_MAX : threads * local[i];
    }
    if (device->maximum_group_threads && threads > device->maximum_group_threads)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "a group of %ux%ux%u: the device takes at most %u in a group", local[0],
                         local[1], local[2], device->maximum_group_threads);
    return CMRT_OK;
}

enum cmrt_status cmrt_launch(cmrt_queue *queue, cmrt_kernel *kernel, const uint32_t groups[3], const uint32_t local[3])
{
    CMRT_NEEDS(queue);
    CMRT_NEEDS(kernel);
    CMRT_NEEDS(groups);
    CMRT_NEEDS(local);
    CMRT_NEEDS_SAME_DEVICE(queue->device, kernel->program->device);
    enum cmrt_status status = check_required(kernel->info, local);
    if (!status)
        status = check_launch(queue->device, kernel, groups, local);
    return status ? status : queue->device->backend->launch(queue, kernel, groups, local);
}
