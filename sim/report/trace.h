/* Which threads `gensim --trace` wants to see, and where they are written. */
#ifndef CMKIT_SIM_TRACE_H
#define CMKIT_SIM_TRACE_H

#include <stdint.h>
#include <stdio.h>
#include "sim/base/options.h"

/* Begins tracing (copied). Stops the program when the file cannot be opened. Without this call nothing is traced. */
void sim_trace_start(const struct sim_trace *trace);

/* Whether anything is traced. */
int sim_trace_wanted(void);

/* Where to write threads of the kernel with this hash and name, NULL if it is not one to trace. */
FILE *sim_trace_kernel(uint64_t hash, const char *name);

/* Whether this thread of such a kernel is one to trace. */
int sim_trace_thread(const uint32_t group[3], uint32_t thread);

/* When the program ends: says so if the trace could not be written, or if there was nothing to trace. */
void sim_trace_finish(void);

#endif
