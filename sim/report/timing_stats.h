/* Writes what the timing model counted as JSON, under the names of VTune and Intel's metric sets. */
#ifndef CMKIT_SIM_REPORT_TIMING_STATS_H
#define CMKIT_SIM_REPORT_TIMING_STATS_H

#include <stdio.h>
#include "sim/timing/constants.h"
#include "sim/timing/counts.h"

/* Adds the counts of a launch to those of others. EUs and slots stay those of one. */
void sim_stats_add_timing(struct timing_counts *sum, const struct timing_counts *counts);

/* "dependency", "send queue" ... */
const char *sim_stats_cause_name(enum timing_cause cause);

/* The class of checks whose error the launches' time has. */
enum timing_class sim_stats_dominant(const struct timing_counts *counts, const struct timing_machine *machine);

/* Appends `, "timing": {...}` of `launches` launches together. `drawn`: their clocks with drawn constants. */
void sim_stats_write_timing(FILE *out, const struct timing_counts *counts, const struct timing_machine *machine,
                            uint64_t launches, const uint64_t *drawn, unsigned draws);

#endif
