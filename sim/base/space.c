/* Implements GPU address spaces as a sorted array of ranges with binary search. */
#include "sim/base/space.h"

#include <assert.h>
#include <stdlib.h>

struct sim_space {
    size_t count;
    struct sim_range ranges[]; /* by rising gpu address; no two overlap */
};

static const uint64_t ADDRESS_MASK = (UINT64_C(1) << 48) - 1;

static int compare_ranges(const void *left, const void *right)
{
    const struct sim_range *a = left, *b = right;
    if (a->gpu != b->gpu)
        return a->gpu < b->gpu ? -1 : 1;
    return a->size < b->size ? -1 : a->size > b->size;
}

/* Merges `next` into `last` if both are one stretch of memory: an object listed twice, or adjacent pieces of a host
 * allocation that the driver has cut (an access may cross from one to the next). 0: they are not. */
static int join_ranges(struct sim_range *last, const struct sim_range *next)
{
    uint64_t distance = next->gpu - last->gpu;
    if (distance > last->size || next->host != last->host + distance)
        return 0;
    if (distance + next->size > last->size)
        last->size = distance + next->size;
    return 1;
}

struct sim_space *sim_space_create(const struct sim_range *ranges, size_t count)
{
    assert(ranges || !count);
    struct sim_space *space = malloc(sizeof *space + (count ? count : 1) * sizeof space->ranges[0]);
    if (!space)
        return NULL;
    size_t kept = 0;
    for (size_t i = 0; i < count; i++) {
        if (ranges[i].size == 0)
            continue;
        space->ranges[kept] = ranges[i];
        space->ranges[kept++].gpu &= ADDRESS_MASK;
    }
    qsort(space->ranges, kept, sizeof space->ranges[0], compare_ranges);

    size_t used = 0;
    for (size_t i = 0; i < kept; i++) {
        struct sim_range next = space->ranges[i];
        struct sim_range *last = used ? &space->ranges[used - 1] : NULL;
        int joined = last && join_ranges(last, &next);
        int overlaps = last && !joined && next.gpu - last->gpu < last->size;
        if (next.size > ADDRESS_MASK + 1 - next.gpu || overlaps) {
            free(space);
            return NULL;
        }
        if (!joined)
            space->ranges[used++] = next;
    }
    space->count = used;
    return space;
}

void sim_space_destroy(struct sim_space *space)
{
    free(space);
}

const struct sim_range *sim_space_find(const struct sim_space *space, uint64_t gpu)
{
    gpu &= ADDRESS_MASK;
    size_t low = 0, high = space->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct sim_range *range = &space->ranges[middle];
        if (gpu < range->gpu)
            high = middle;
        else if (gpu - range->gpu >= range->size)
            low = middle + 1;
        else
            return range;
    }
    return NULL;
}

const struct sim_range *sim_space_ranges(const struct sim_space *space, size_t *count)
{
    *count = space->count;
    return space->ranges;
}

void *sim_space_map(const struct sim_space *space, uint64_t gpu, uint64_t size)
{
    gpu &= ADDRESS_MASK;
    const struct sim_range *range = sim_space_find(space, gpu);
    if (!range || size > range->size - (gpu - range->gpu))
        return NULL;
    return range->host + (gpu - range->gpu);
}
