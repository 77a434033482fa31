#include "sim/check/fences.h"

#include <assert.h>
#include <string.h>

void check_fences_start(struct check_fences *fences)
{
    memset(fences->now, 0, fences->threads * sizeof *fences->now);
    memset(fences->at_barrier, 0, fences->threads * sizeof *fences->at_barrier);
    fences->threads = 0;
}

uint8_t check_fences_count(const struct check_fences *fences, unsigned thread, uint32_t epoch)
{
    return thread < fences->threads && fences->now[thread].epoch == epoch ? fences->now[thread].count : 0;
}

uint8_t check_fences_add(struct check_fences *fences, unsigned thread, uint32_t epoch)
{
    if (thread >= CHECK_FENCED_THREADS)
        return 0;
    uint8_t count = check_fences_count(fences, thread, epoch);
    fences->threads = thread >= fences->threads ? thread + 1 : fences->threads;
    count = count < CHECK_MOST_FENCES ? (uint8_t)(count + 1) : count;
    fences->now[thread] = (struct check_fence){epoch, count};
    return count;
}

void check_fences_barrier(struct check_fences *fences)
{
    memcpy(fences->at_barrier, fences->now, fences->threads * sizeof *fences->now);
}

bool check_fences_miss(const struct check_fences *fences, unsigned thread, uint32_t epoch, uint8_t count)
{
    if (thread >= CHECK_FENCED_THREADS || count == CHECK_MOST_FENCES)
        return false; /* not known */
    const struct check_fence *last = &fences->at_barrier[thread];
    return last->epoch == epoch ? last->count <= count : last->epoch < epoch;
}
