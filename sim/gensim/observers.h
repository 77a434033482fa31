/* Starts what watches the GPU as the options ask (statistics, checks, a debugger ...), and ends it with the process. */
#ifndef CMKIT_SIM_GENSIM_OBSERVERS_H
#define CMKIT_SIM_GENSIM_OBSERVERS_H

#include "sim/base/options.h"

/* Reads the files that observers need. Call it once, before there is a device. Ends the process if one is wrong. */
void observers_read(const struct sim_options *options);

/* Starts them for the first device of the process; observers_start() alone in a child of a fork. */
void observers_begin(const struct sim_options *options);
void observers_start(const struct sim_options *options);

/* Writes what they have found. Ends the process with its own status if --error-exit asks for it. */
void observers_finish(void);

#endif
