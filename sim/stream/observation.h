/* What is counted while a dispatch runs: by each host thread for itself, added up when it has done its groups. */
#ifndef CMKIT_SIM_STREAM_OBSERVATION_H
#define CMKIT_SIM_STREAM_OBSERVATION_H

#include "sim/eu/eu.h"
#include "sim/message/tally.h"
#include "sim/report/stats.h"

/* The instructions of one program: the kernel, or other code that it called. */
struct observed_program {
    struct observed_program *next;
    const struct eu_program *program;
    struct eu_count counts[]; /* of each instruction */
};

struct observation {
    struct observed_program *programs;
    struct eu_count classes[EU_CLASSES]; /* what was added by observation_merge() */
    struct message_tally *tally;
};

/* An empty observation; NULL without memory. */
struct observation *observation_create(void);
void observation_destroy(struct observation *observation);

/* Where to count the program's instructions; NULL without memory. */
struct eu_count *observation_add(struct observation *observation, const struct eu_program *program);

/* Adds what `from` saw. */
void observation_merge(struct observation *to, const struct observation *from);

/* The sums by class, message and surface. */
void observation_report(const struct observation *observation, struct sim_kernel_counts *counts);

#endif
