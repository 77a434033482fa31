#include "sim/timing/clock_readings.h"

#include <assert.h>
#include <stdlib.h>
#include "sim/timing/program.h"

enum { MOST_THREADS = 1 << 24, SHORTEST_ROOM = 4 };

struct thread_readings {
    uint64_t *clock;
    uint32_t count, room;
};

struct clock_readings {
    uint64_t begin; /* ticks */
    uint64_t groups;
    uint32_t threads; /* of a group */
    int is_incomplete;
    struct thread_readings thread[];
};

struct clock_readings *clock_readings_create(uint64_t groups, uint32_t threads)
{
    assert(groups && threads);
    struct clock_readings *readings = NULL;
    if (groups <= MOST_THREADS / threads)
        readings = calloc(1, sizeof *readings + (size_t)groups * threads * sizeof readings->thread[0]);
    if (readings) {
        readings->groups = groups;
        readings->threads = threads;
    }
    return readings;
}

void clock_readings_destroy(struct clock_readings *readings)
{
    for (uint64_t i = 0; readings && i < readings->groups * readings->threads; i++)
        free(readings->thread[i].clock);
    free(readings);
}

void clock_readings_begin(struct clock_readings *readings, uint64_t ticks)
{
    readings->begin = ticks;
}

void clock_readings_add(struct clock_readings *readings, uint64_t group, uint32_t thread, uint64_t ticks)
{
    assert(group < readings->groups && thread < readings->threads);
    struct thread_readings *to = &readings->thread[group * readings->threads + thread];
    if (to->count == to->room) {
        uint32_t room = to->room ? 2 * to->room : SHORTEST_ROOM;
        uint64_t *grown = room > to->room ? realloc(to->clock, room * sizeof *grown) : NULL;
        if (!grown) {
            readings->is_incomplete = 1;
            return;
        }
        to->clock = grown;
        to->room = room;
    }
    to->clock[to->count++] = (readings->begin + ticks) / TIMING_TICKS;
}

const uint64_t *clock_readings_get(const struct clock_readings *readings, uint64_t group, uint32_t thread,
                                   size_t *count)
{
    assert(group < readings->groups && thread < readings->threads);
    const struct thread_readings *from = &readings->thread[group * readings->threads + thread];
    *count = from->count;
    return from->clock;
}

int clock_readings_are_complete(const struct clock_readings *readings)
{
    return !readings->is_incomplete;
}
