/* Implements kernels, their arguments and launches. */
#include "runtime/level_zero/level_zero.h"

#include <stdlib.h>

enum cmrt_status level_zero_kernel_open(cmrt_program *program, const struct cmrt_kernel_info *info, cmrt_kernel **out)
{
    struct level_zero_kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    ze_kernel_desc_t description = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = info->name};
    enum cmrt_status status =
        ZE(zeKernelCreate(((struct level_zero_program *)program)->module, &description, &kernel->handle));
    if (status) {
        free(kernel);
        return status;
    }
    *out = &kernel->common;
    return CMRT_OK;
}

void level_zero_kernel_close(cmrt_kernel *kernel)
{
    zeKernelDestroy(((struct level_zero_kernel *)kernel)->handle);
    free(kernel);
}

enum cmrt_status level_zero_set_value(cmrt_kernel *kernel, size_t index, const void *value, size_t bytes)
{
    return ZE(zeKernelSetArgumentValue(((struct level_zero_kernel *)kernel)->handle, (uint32_t)index, bytes, value));
}

enum cmrt_status level_zero_set_buffer(cmrt_kernel *kernel, size_t index, cmrt_buffer *buffer)
{
    return level_zero_set_value(kernel, index, &buffer->pointer, sizeof buffer->pointer);
}

enum cmrt_status level_zero_set_image(cmrt_kernel *kernel, size_t index, cmrt_image *image)
{
    return level_zero_set_value(kernel, index, &((struct level_zero_image *)image)->handle, sizeof(ze_image_handle_t));
}

enum cmrt_status level_zero_set_sampler(cmrt_kernel *kernel, size_t index, cmrt_sampler *sampler)
{
    return level_zero_set_value(kernel, index, &((struct level_zero_sampler *)sampler)->handle,
                                sizeof(ze_sampler_handle_t));
}

enum cmrt_status level_zero_set_local(cmrt_kernel *kernel, size_t index, size_t bytes)
{
    return level_zero_set_value(kernel, index, NULL, bytes);
}

enum cmrt_status level_zero_set_indirect(cmrt_kernel *kernel, int indirect)
{
    ze_kernel_indirect_access_flags_t all = ZE_KERNEL_INDIRECT_ACCESS_FLAG_HOST |
                                            ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE |
                                            ZE_KERNEL_INDIRECT_ACCESS_FLAG_SHARED;
    return ZE(zeKernelSetIndirectAccess(((struct level_zero_kernel *)kernel)->handle, indirect ? all : 0));
}

enum cmrt_status level_zero_suggest_local(cmrt_kernel *kernel, const uint32_t total[3], uint32_t local[3])
{
    return ZE(zeKernelSuggestGroupSize(((struct level_zero_kernel *)kernel)->handle, total[0], total[1], total[2],
                                       &local[0], &local[1], &local[2]));
}

enum cmrt_status level_zero_launch(cmrt_queue *base, cmrt_kernel *common, const uint32_t groups[3],
                                   const uint32_t local[3])
{
    struct level_zero_queue *queue = (struct level_zero_queue *)base;
    ze_kernel_handle_t kernel = ((struct level_zero_kernel *)common)->handle;
    ze_group_count_t count = {groups[0], groups[1], groups[2]};
    enum cmrt_status status = level_zero_queue_begin(queue);
    struct level_zero_slot *slot = queue->current;
    if (!status)
        status = ZE(zeKernelSetGroupSize(kernel, local[0], local[1], local[2]));
    if (!status)
        status = ZE(zeEventHostReset(slot->event));
    if (!status)
        status = ZE(zeCommandListAppendLaunchKernel(slot->list, kernel, &count, slot->event, 0, NULL));
    if (!status)
        status = level_zero_queue_submit(queue);
    queue->launched = status ? NULL : slot;
    return status;
}
