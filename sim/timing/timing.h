/* Times the launches of a process: takes the records of their groups, in any order and from any host thread, and
 * replays them in order. Launches of all contexts take turns. */
#ifndef CMKIT_SIM_TIMING_TIMING_H
#define CMKIT_SIM_TIMING_TIMING_H

#include <stdbool.h>
#include "sim/base/options.h"
#include "sim/timing/counts.h"
#include "sim/timing/engine.h"

struct timing;

/* What the machine can do at most, in a second. */
struct timing_peaks {
    double flops;                  /* operations on 32-bit floats */
    double local, l3, dram, limit; /* bytes; limit: of memory, that streams reach */
};

/* Of one launch. */
struct timing_result {
    bool is_timed; /* false: why says why not */
    const char *why;
    const struct timing_machine *machine;
    uint64_t clocks; /* of the EUs, rounded */
    struct timing_counts counts;
    unsigned draws; /* further timings with drawn constants */
    uint64_t drawn_clocks[GENSIM_MAX_DRAWS];
    struct timing_profile *profile; /* of the launch, the caller's; NULL: none is wanted */
    uint64_t before;                /* ticks of all earlier launches */
    struct timing_peaks peaks;
};

/* The timing that the options ask for. NULL: they ask for none, or there is no memory; then `*wrong` says so. */
struct timing *timing_create(const struct sim_options *options, const char **wrong);
void timing_destroy(struct timing *timing);

/* Starts a launch when the one before it has ended. */
void timing_begin(struct timing *timing, const struct timing_shape *shape);

/* Group `record->index` was executed; `complete` is what record_finish() said. Takes the record over. */
void timing_deliver(struct timing *timing, struct group_record *record, int complete);

/* Runs parts of the engines, for a host thread that has no group to execute, until the launch is timed. All groups must
 * be delivered by others, or one be cancelled. */
void timing_help(struct timing *timing);

/* All groups were delivered, or none will be any more. */
void timing_end(struct timing *timing, struct timing_result *result);

/* A group was not executed and will not be: the launch cannot be timed, and the engine does not wait for the group. */
void timing_cancel(struct timing *timing);

/* Ticks of a clock of `hz` that the launch takes, at least one. */
static inline uint64_t timing_host_ticks(const struct timing_result *result, uint64_t hz)
{
    double ticks = (double)result->clocks * (double)hz / (1e6 * result->machine->mhz);
    return ticks < 1 ? 1 : (uint64_t)(ticks + 0.5);
}

#endif
