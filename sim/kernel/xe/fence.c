/* xe: user fences, which are numbers in memory: reading them, and waiting for them. */
#include <errno.h>
#include <stdlib.h>
#include <time.h>
#include "sim/base/poll.h"
#include "sim/base/process.h"
#include "sim/kernel/xe/xe.h"

static int check_fence(const struct xe_sync *sync)
{
    if (sync->extensions || !XE_IS_ZERO(sync->reserved) || sync->flags & ~(uint32_t)XE_SYNC_SIGNAL)
        return -EINVAL;
    if (sync->type == XE_SYNC_OBJECT || sync->type == XE_SYNC_TIMELINE)
        sim_process_stop("xe: sync objects are not implemented, only user fences");
    if (sync->type != XE_SYNC_USER_FENCE)
        return -EINVAL;
    if (!(sync->flags & XE_SYNC_SIGNAL))
        return -EOPNOTSUPP;
    return sync->address % 8 ? -EINVAL : 0;
}

int xe_read_fences(uint64_t address, uint32_t count, struct xe_sync **fences)
{
    *fences = NULL;
    if (count > XE_MOST_SYNCS)
        return -EINVAL;
    if (count == 0)
        return 0;
    *fences = calloc(count, sizeof **fences);
    int error = !*fences ? -ENOMEM : kernel_read_user(*fences, address, count * sizeof **fences);
    for (uint32_t i = 0; i < count && !error; i++)
        error = check_fence(&(*fences)[i]);
    if (error) {
        free(*fences);
        *fences = NULL;
    }
    return error;
}

static bool holds(uint16_t operation, uint64_t value, uint64_t wanted)
{
    switch (operation) {
    case XE_WAIT_EQUAL: return value == wanted;
    case XE_WAIT_NOT_EQUAL: return value != wanted;
    case XE_WAIT_ABOVE: return value > wanted;
    case XE_WAIT_AT_LEAST: return value >= wanted;
    case XE_WAIT_BELOW: return value < wanted;
    default: return value <= wanted;
    }
}

static int64_t monotonic_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

/* Gives the processor to the GPU for a moment: until it writes memory, if it is at work. */
static void pause_waiting(unsigned tries)
{
    const struct timespec short_pause = {0, 20000}, long_pause = {0, 500000};
    if (!sim_poll_wait())
        nanosleep(tries < 100 ? &short_pause : &long_pause, NULL);
}

/* Until the comparison holds, or the monotonic clock passes `deadline`. */
static int wait_until(const struct xe_wait_user_fence *wait, int64_t deadline)
{
    for (unsigned tries = 0;; tries++) {
        uint64_t value;
        if (kernel_read_user(&value, wait->address, sizeof value))
            return -EFAULT;
        if (holds(wait->operation, value & wait->mask, wait->value))
            return 0;
        if (monotonic_now() >= deadline)
            return -ETIME;
        pause_waiting(tries);
    }
}

static bool has_context(struct xe_file *own, uint32_t context)
{
    bool found = false;
    pthread_mutex_lock(&own->lock);
    for (uint32_t i = 0; i < own->queue_count; i++)
        found |= own->queues[i].context == context;
    pthread_mutex_unlock(&own->lock);
    return found;
}

int xe_wait_for_fence(struct kernel_file *file, void *argument)
{
    struct xe_wait_user_fence *wait = argument;
    if (wait->extensions || wait->pad || wait->pad2 || !XE_IS_ZERO(wait->reserved) || wait->address % 8)
        return -EINVAL;
    if (wait->flags & ~XE_WAIT_ABSOLUTE || wait->operation > XE_WAIT_AT_MOST)
        return -EINVAL;
    if (wait->queue && !has_context(xe_file_of(file), wait->queue))
        return -ENOENT;
    bool is_absolute = wait->flags & XE_WAIT_ABSOLUTE;
    int64_t now = monotonic_now(), limit = wait->timeout, deadline = limit;
    if (!is_absolute) /* negative: for ever */
        deadline = limit < 0 || limit > INT64_MAX - now ? INT64_MAX : now + limit;
    int error = wait_until(wait, deadline);
    now = monotonic_now();
    if (!is_absolute && limit > 0)
        wait->timeout = now < deadline ? deadline - now : 0;
    return error;
}
