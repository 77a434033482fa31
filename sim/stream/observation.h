/* Counts what a dispatch executes. Each host thread counts for itself; the counts are added when it has finished its
 * groups. */
#ifndef CMKIT_SIM_STREAM_OBSERVATION_H
#define CMKIT_SIM_STREAM_OBSERVATION_H

#include "sim/eu/eu.h"
#include "sim/message/tally.h"
#include "sim/report/stats.h"

/* The instructions of one program: the kernel, or other code that it called. */
struct observation_program {
    struct observation_program *next;
    const struct eu_program *program;
    struct eu_count counts[]; /* of each instruction */
};

struct observation {
    struct observation_program *programs;
    struct eu_count classes[EU_CLASSES]; /* sums of observation_merge() */
    struct message_tally *tally;
};

/* Creates an empty observation. NULL: out of memory. */
struct observation *observation_create(void);
void observation_destroy(struct observation *observation);

/* Returns the counters of a program's instructions. NULL: out of memory. */
struct eu_count *observation_add(struct observation *observation, const struct eu_program *program);

/* Adds the counts of `from`, another observation. */
void observation_merge(struct observation *to, const struct observation *from);

/* Returns the sums by class, message and surface. */
void observation_report(const struct observation *observation, struct sim_kernel_counts *counts);

#endif
