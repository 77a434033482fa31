/* Keeps the argument values of the CPU's kernels. */
#include "runtime/host/host.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void host_kernel_close(cmrt_kernel *base)
{
    struct host_kernel *kernel = (struct host_kernel *)base;
    for (uint32_t i = 0; kernel->values && i < kernel->code->argument_count; i++)
        free(kernel->values[i]);
    free(kernel->values);
    free(kernel->surfaces);
    free(kernel->samplers);
    free(kernel->local_bytes);
    free(kernel);
}

enum cmrt_status host_kernel_open(cmrt_program *program, const struct cmrt_kernel_info *info, cmrt_kernel **out)
{
    assert(info && out);
    struct host_kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    kernel->code = ((struct host_program *)program)->kernels[info - program->contents.kernels];
    kernel->surfaces = calloc(info->argument_count + 1, sizeof *kernel->surfaces);
    kernel->values = calloc(info->argument_count + 1, sizeof *kernel->values);
    kernel->samplers = calloc(info->argument_count + 1, sizeof *kernel->samplers);
    kernel->local_bytes = calloc(info->argument_count + 1, sizeof *kernel->local_bytes);
    int complete = kernel->surfaces && kernel->values && kernel->samplers && kernel->local_bytes;
    for (size_t i = 0; complete && i < info->argument_count; i++) {
        size_t bytes = info->arguments[i].bytes;
        kernel->values[i] = aligned_alloc(64, ((bytes > 8 ? bytes : 8) + 63) & ~(size_t)63);
        complete = kernel->values[i] != NULL;
    }
    if (!complete) {
        host_kernel_close(&kernel->common);
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    }
    *out = &kernel->common;
    return CMRT_OK;
}

enum cmrt_status host_set_value(cmrt_kernel *base, size_t index, const void *value, size_t bytes)
{
    assert(index < base->info->argument_count && value && bytes);
    struct host_kernel *kernel = (struct host_kernel *)base;
    if (bytes != kernel->code->arguments[index].bytes)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "argument %zu of kernel %s has %u bytes, not %zu", index,
                         kernel->code->name, kernel->code->arguments[index].bytes, bytes);
    memcpy(kernel->values[index], value, bytes);
    return CMRT_OK;
}

static void set_surface(struct host_kernel *kernel, size_t index, struct cm_host_surface surface)
{
    uint32_t handle = (uint32_t)index;
    kernel->surfaces[index] = surface;
    memcpy(kernel->values[index], &handle, sizeof handle);
}

enum cmrt_status host_set_buffer(cmrt_kernel *base, size_t index, cmrt_buffer *buffer)
{
    assert(index < base->info->argument_count);
    struct host_kernel *kernel = (struct host_kernel *)base;
    if (kernel->code->arguments[index].kind == CM_HOST_SURFACE)
        set_surface(kernel, index, (struct cm_host_surface){.base = buffer->pointer, .size = buffer->bytes});
    else
        memcpy(kernel->values[index], &buffer->pointer, sizeof buffer->pointer);
    return CMRT_OK;
}

enum cmrt_status host_set_image(cmrt_kernel *base, size_t index, cmrt_image *image)
{
    assert(index < base->info->argument_count && image);
    set_surface((struct host_kernel *)base, index, ((struct host_image *)image)->planes[0]);
    return CMRT_OK;
}

enum cmrt_status host_set_sampler(cmrt_kernel *base, size_t index, cmrt_sampler *sampler)
{
    assert(index < base->info->argument_count && sampler);
    struct host_kernel *kernel = (struct host_kernel *)base;
    uint32_t handle = (uint32_t)index;
    kernel->samplers[index] = ((struct host_sampler *)sampler)->state;
    memcpy(kernel->values[index], &handle, sizeof handle);
    return CMRT_OK;
}

/* Kernels reach all memory of the process. */
enum cmrt_status host_set_indirect(cmrt_kernel *kernel, int indirect)
{
    (void)kernel, (void)indirect;
    return CMRT_OK;
}

enum cmrt_status host_suggest_local(cmrt_kernel *kernel, const uint32_t total[3], uint32_t local[3])
{
    (void)kernel;
    (void)total;
    local[0] = local[1] = local[2] = 1;
    return CMRT_OK;
}

enum cmrt_status host_set_local(cmrt_kernel *base, size_t index, size_t bytes)
{
    assert(index < base->info->argument_count);
    if (bytes > HOST_SHARED_BYTES)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "argument %zu of kernel %s: %zu bytes of shared memory; a group has %d",
                         index, ((struct host_kernel *)base)->code->name, bytes, HOST_SHARED_BYTES);
    ((struct host_kernel *)base)->local_bytes[index] = bytes;
    return CMRT_OK;
}
