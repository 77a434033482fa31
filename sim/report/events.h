/* Collects what queues and EU threads did when, for `gensim --trace-events`. Any thread may record. */
#ifndef CMKIT_SIM_REPORT_EVENTS_H
#define CMKIT_SIM_REPORT_EVENTS_H

#include <stdint.h>
#include "sim/report/stats.h"
#include "sim/timing/timing.h"

/* Starts recording for `path` (copied; %p becomes the process id). `window`: microseconds of the GPU's time. */
void sim_events_start(const char *path, const uint64_t window[2]);

/* True if events are recorded. */
int sim_events_wanted(void);

/* A launch that was timed. */
void sim_events_record(const struct sim_launch *launch, const struct timing_result *timed);

/* Writes the file, whole or not at all. Prints an error to stderr if that fails, or if nothing was in the window. */
void sim_events_write(void);

#endif
