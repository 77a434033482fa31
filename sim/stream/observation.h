/* What is counted while a dispatch runs: by each host thread for itself, added up when it has done its groups. */
#ifndef CMKIT_SIM_STREAM_OBSERVATION_H
#define CMKIT_SIM_STREAM_OBSERVATION_H

#include "sim/eu/eu.h"
#include "sim/message/tally.h"
#include "sim/stats.h"

struct observation {
    const struct eu_program *program;
    struct eu_count *counts; /* of each instruction */
    struct message_tally *tally;
};

/* An empty observation of `program`; NULL without memory. */
struct observation *observation_create(const struct eu_program *program);
void observation_destroy(struct observation *observation);

/* Adds what `from` saw of the same program. */
void observation_merge(struct observation *to, const struct observation *from);

/* The sums by class, message and surface. */
void observation_report(const struct observation *observation, struct sim_kernel_counts *counts);

#endif
