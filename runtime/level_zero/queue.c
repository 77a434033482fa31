/* Implements queues. They are in order: every operation fills the queue's one command list and waits for the
 * operation before it. */
#include "runtime/level_zero/level_zero.h"

#include <stdlib.h>

/* Takes the oldest operation's command list, once that operation has ended. */
enum cmrt_status level_zero_queue_begin(struct level_zero_queue *queue)
{
    struct level_zero_slot *slot = queue->current = &queue->slots[queue->next++ % CMRT_LAUNCHES_AHEAD];
    enum cmrt_status status = CMRT_OK;
    if (slot->busy)
        status = ZE(zeFenceHostSynchronize(slot->fence, UINT64_MAX));
    if (!status && slot->busy)
        status = ZE(zeFenceReset(slot->fence));
    slot->busy = slot->busy && status;
    return status ? status : ZE(zeCommandListReset(slot->list));
}

enum cmrt_status level_zero_queue_submit(struct level_zero_queue *queue)
{
    struct level_zero_slot *slot = queue->current;
    enum cmrt_status status = ZE(zeCommandListClose(slot->list));
    if (!status)
        status = ZE(zeCommandQueueExecuteCommandLists(queue->handle, 1, &slot->list, slot->fence));
    slot->busy = !status;
    return status;
}

enum cmrt_status level_zero_queue_finish(struct level_zero_queue *queue)
{
    enum cmrt_status status = level_zero_queue_submit(queue);
    return status ? status : ZE(zeCommandQueueSynchronize(queue->handle, UINT64_MAX));
}

static void slot_close(struct level_zero_slot *slot)
{
    if (slot->event)
        zeEventDestroy(slot->event);
    if (slot->fence)
        zeFenceDestroy(slot->fence);
    if (slot->list)
        zeCommandListDestroy(slot->list);
}

void level_zero_queue_close(cmrt_queue *base)
{
    struct level_zero_queue *queue = (struct level_zero_queue *)base;
    if (queue->handle) /* what is unfinished uses the lists */
        zeCommandQueueSynchronize(queue->handle, UINT64_MAX);
    for (unsigned i = 0; i < CMRT_LAUNCHES_AHEAD; i++)
        slot_close(&queue->slots[i]);
    if (queue->pool)
        zeEventPoolDestroy(queue->pool);
    if (queue->handle)
        zeCommandQueueDestroy(queue->handle);
    free(queue);
}

static enum cmrt_status slot_open(struct level_zero_device *device, struct level_zero_queue *queue, uint32_t number)
{
    struct level_zero_slot *slot = &queue->slots[number];
    ze_command_list_desc_t list = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
                                   .commandQueueGroupOrdinal = device->compute_ordinal};
    ze_fence_desc_t fence = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
    ze_event_desc_t event = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = number, .signal = ZE_EVENT_SCOPE_FLAG_HOST};
    enum cmrt_status status = ZE(zeCommandListCreate(device->context, device->handle, &list, &slot->list));
    if (!status)
        status = ZE(zeFenceCreate(queue->handle, &fence, &slot->fence));
    return status ? status : ZE(zeEventCreate(queue->pool, &event, &slot->event));
}

enum cmrt_status level_zero_queue_open(cmrt_device *base, cmrt_queue **out)
{
    struct level_zero_device *device = level_zero_device_of(base);
    struct level_zero_queue *queue = calloc(1, sizeof *queue);
    if (!queue)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    queue->common.device = base;
    ze_command_queue_desc_t queue_description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                                 .ordinal = device->compute_ordinal,
                                                 .index = device->next_queue++ % device->queue_count,
                                                 .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
    ze_event_pool_desc_t pool = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                 .flags = ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP | ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
                                 .count = CMRT_LAUNCHES_AHEAD};
    ze_context_handle_t context = device->context;
    enum cmrt_status status = ZE(zeCommandQueueCreate(context, device->handle, &queue_description, &queue->handle));
    if (!status)
        status = ZE(zeEventPoolCreate(context, &pool, 1, &device->handle, &queue->pool));
    for (uint32_t i = 0; !status && i < CMRT_LAUNCHES_AHEAD; i++)
        status = slot_open(device, queue, i);
    if (status) {
        level_zero_queue_close(&queue->common);
        return status;
    }
    *out = &queue->common;
    return CMRT_OK;
}

enum cmrt_status level_zero_queue_wait(cmrt_queue *queue)
{
    return ZE(zeCommandQueueSynchronize(((struct level_zero_queue *)queue)->handle, UINT64_MAX));
}

enum cmrt_status level_zero_queue_elapsed(cmrt_queue *base, uint64_t *nanoseconds)
{
    struct level_zero_queue *queue = (struct level_zero_queue *)base;
    const ze_device_properties_t *properties = &level_zero_device_of(base->device)->properties;
    ze_kernel_timestamp_result_t stamps;
    if (!queue->launched)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "no launch on this queue to take the time of");
    enum cmrt_status status = ZE(zeEventQueryKernelTimestamp(queue->launched->event, &stamps));
    if (status)
        return status;
    uint32_t bits = properties->kernelTimestampValidBits;
    uint64_t mask = bits && bits < 64 ? (1ull << bits) - 1 : ~0ull; /* the counter wraps */
    uint64_t ticks = (stamps.global.kernelEnd - stamps.global.kernelStart) & mask;
    *nanoseconds = ticks * properties->timerResolution; /* nanoseconds per tick in this structure version */
    return CMRT_OK;
}
