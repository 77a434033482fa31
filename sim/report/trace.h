/* Selects the threads for `gensim --trace` and opens the file that they are written to. */
#ifndef CMKIT_SIM_TRACE_H
#define CMKIT_SIM_TRACE_H

#include <stdint.h>
#include <stdio.h>
#include "sim/base/options.h"

/* Starts tracing (copied). Stops the program if the file cannot be opened. Without this call nothing is traced. */
void sim_trace_start(const struct sim_options_trace *trace);

/* True if tracing was started. */
int sim_trace_wanted(void);

/* Returns the file for threads of the kernel with this hash and name; NULL if the kernel is not traced. */
FILE *sim_trace_kernel(uint64_t hash, const char *name);

/* True if this thread of a traced kernel is traced. */
int sim_trace_thread(const uint32_t group[3], uint32_t thread);

/* Call it at the end of the program: reports that the trace could not be written, or that nothing was traced. */
void sim_trace_finish(void);

#endif
