/* Collects what the timing engine finds out about a launch, instruction by instruction and over time. */
#ifndef CMKIT_SIM_TIMING_PROFILE_H
#define CMKIT_SIM_TIMING_PROFILE_H

#include <stddef.h>
#include <stdint.h>
#include "sim/timing/counts.h"

struct eu_program;

enum { TIMING_BUCKETS = 200 };

/* Of one instruction. Times are ticks (program.h), added up over the EUs. */
struct timing_line {
    uint64_t executed;
    uint64_t active;                 /* the EU issued it, and nothing else before its port was free */
    uint64_t stalled[TIMING_CAUSES]; /* the EU issued nothing because it waited for this instruction */
};

/* What an instruction does when it is executed once, on all of its lanes. */
struct timing_code {
    struct timing_code *next;
    const struct eu_program *program; /* lives no longer than the launch */
    size_t count;
    struct timing_line *line;
    uint32_t *flops; /* of each instruction, on all of its lanes */
};

/* What happens over time: sums of one bucket. */
enum timing_series {
    TIMING_SERIES_RESIDENT, /* ticks of threads on their slots */
    TIMING_SERIES_ACTIVE,   /* ticks of EUs */
    TIMING_SERIES_STALLED,
    TIMING_SERIES_L3, /* bytes */
    TIMING_SERIES_LOCAL,
    TIMING_SERIES_DRAM,
    TIMING_SERIES
};

/* What one thread did from one tick to another. */
struct timing_event {
    uint64_t from, to;
    uint16_t subslice;
    uint8_t eu, slot; /* eu: in its subslice */
    uint8_t path;     /* of a message: enum record_path; TIMING_EVENT_THREAD: the thread's life */
};

enum { TIMING_EVENT_THREAD = 255, TIMING_MOST_EVENTS = 200000 };

struct timing_profile {
    struct timing_code *code; /* the kernel's first */
    uint64_t each;            /* ticks of a bucket: a power of two */
    uint64_t bucket[TIMING_SERIES][TIMING_BUCKETS];
    uint64_t window[2]; /* ticks: events that are kept touch it */
    struct timing_event *event;
    size_t events, room;
    uint64_t lost; /* more than TIMING_MOST_EVENTS, or no memory */
};

/* NULL: no memory. */
struct timing_profile *timing_profile_create(void);
void timing_profile_destroy(struct timing_profile *profile);

/* Adds a program of `count` instructions after those that are there. NULL: no memory. */
struct timing_code *timing_profile_add(struct timing_profile *profile, const struct eu_program *program, size_t count);

/* Keeps an event that touches the window. */
void timing_profile_event(struct timing_profile *profile, const struct timing_event *event);

/* Something of `amount` at tick `at`. */
void timing_profile_note(struct timing_profile *profile, enum timing_series series, uint64_t at, uint64_t amount);

/* Something that lasts from tick `from` to tick `to`. */
void timing_profile_spread(struct timing_profile *profile, enum timing_series series, uint64_t from, uint64_t to);

#endif
