/* Implements events: operations of their own that signal them. */
#include "runtime/level_zero/level_zero.h"

#include <stdlib.h>

void level_zero_event_close(cmrt_event *base)
{
    struct level_zero_event *event = (struct level_zero_event *)base;
    if (event->handle)
        zeEventDestroy(event->handle);
    if (event->pool)
        zeEventPoolDestroy(event->pool);
    free(event);
}

static enum cmrt_status event_create(struct level_zero_device *device, struct level_zero_event *event)
{
    ze_event_pool_desc_t pool = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE, .count = 1};
    ze_event_desc_t description = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .signal = ZE_EVENT_SCOPE_FLAG_HOST};
    enum cmrt_status status = ZE(zeEventPoolCreate(device->context, &pool, 1, &device->handle, &event->pool));
    return status ? status : ZE(zeEventCreate(event->pool, &description, &event->handle));
}

/* An operation of its own signals it. */
enum cmrt_status level_zero_event_open(cmrt_queue *base, cmrt_event **out)
{
    struct level_zero_queue *queue = (struct level_zero_queue *)base;
    struct level_zero_event *event = calloc(1, sizeof *event);
    if (!event)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    event->common.device = base->device;
    enum cmrt_status status = event_create(level_zero_device_of(base->device), event);
    if (!status)
        status = level_zero_queue_begin(queue);
    if (!status)
        status = ZE(zeCommandListAppendSignalEvent(queue->current->list, event->handle));
    if (!status)
        status = level_zero_queue_submit(queue);
    if (status) {
        level_zero_event_close(&event->common);
        return status;
    }
    *out = &event->common;
    return CMRT_OK;
}

enum cmrt_status level_zero_queue_after(cmrt_queue *base, cmrt_event *event)
{
    struct level_zero_queue *queue = (struct level_zero_queue *)base;
    enum cmrt_status status = level_zero_queue_begin(queue);
    if (!status)
        status =
            ZE(zeCommandListAppendWaitOnEvents(queue->current->list, 1, &((struct level_zero_event *)event)->handle));
    return status ? status : level_zero_queue_submit(queue);
}

enum cmrt_status level_zero_event_done(cmrt_event *event, int *done)
{
    ze_result_t result = zeEventQueryStatus(((struct level_zero_event *)event)->handle);
    *done = result == ZE_RESULT_SUCCESS;
    return result == ZE_RESULT_NOT_READY ? CMRT_OK : level_zero_check(result, "zeEventQueryStatus");
}

enum cmrt_status level_zero_event_wait(cmrt_event *event, uint64_t nanoseconds)
{
    ze_result_t result = zeEventHostSynchronize(((struct level_zero_event *)event)->handle, nanoseconds);
    if (result == ZE_RESULT_NOT_READY)
        return cmrt_fail(CMRT_NOT_YET, "the event has not happened after %llu ns", (unsigned long long)nanoseconds);
    return level_zero_check(result, "zeEventHostSynchronize");
}
