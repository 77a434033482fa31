/* Defines what the timing model counts of a launch. */
#ifndef CMKIT_SIM_TIMING_COUNTS_H
#define CMKIT_SIM_TIMING_COUNTS_H

#include <stdint.h>

/* Why no instruction is issued on an EU. */
enum timing_cause {
    TIMING_CAUSE_NO_THREAD,
    TIMING_CAUSE_DEPENDENCY,
    TIMING_CAUSE_MEMORY,
    TIMING_CAUSE_LOCAL,
    TIMING_CAUSE_SAMPLER,
    TIMING_CAUSE_QUEUE,
    TIMING_CAUSE_BARRIER,
    TIMING_CAUSE_FENCE,
    TIMING_CAUSES
};

struct timing_cache_counts {
    uint64_t hits, misses;
};

/* Times are ticks (program.h), added up over the EUs; bytes are those that a path moved. */
struct timing_counts {
    uint64_t eus, slots; /* EUs, and threads that they can hold */
    uint64_t elapsed;    /* ticks from the walker to its stamp */
    uint64_t active, stalled[TIMING_CAUSES];
    uint64_t fpu0, fpu1, both, math, send;
    uint64_t resident; /* threads' time on their slots */
    uint64_t instructions;
    uint64_t clock_readers; /* programs whose instructions read a clock */
    uint64_t clock_counted; /* launches in which they read counts of instructions (sim/stream/launch_clock.h) */
    uint64_t clock_decides; /* launches that with the model's clock executed other instructions than were timed */
    struct timing_cache_counts l1, sampler, l3, llc;
    uint64_t l3_bytes, local_bytes, gti_read, gti_written, dram_read, dram_written;
};

#endif
