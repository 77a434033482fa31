/* Forms the range of a launch's time: what drawn constants give, widened by the timing model's error. */
#ifndef CMKIT_SIM_REPORT_TIME_RANGE_H
#define CMKIT_SIM_REPORT_TIME_RANGE_H

#include "include/cmkit/gensim_time.h"
#include "sim/timing/timing.h"

/* Keeps the range of a launch that was timed. Any thread may call it. */
void sim_time_range_record(const struct timing_result *timed);

/* Copies the range of the process's last launch. 0: none was timed. */
int sim_time_range_last(struct gensim_time_range *range);

#endif
