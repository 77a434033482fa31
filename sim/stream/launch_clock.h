/* Lets kernels read the timing model's clock. The model knows a launch's times only behind its execution, so a launch
 * whose kernel reads its clock is executed twice: first to be timed, then, from the same memory, with the times that
 * the model has found. */
#ifndef CMKIT_SIM_STREAM_LAUNCH_CLOCK_H
#define CMKIT_SIM_STREAM_LAUNCH_CLOCK_H

#include "sim/stream/internal.h"

/* Runs the dispatch as dispatcher_run() does, twice if need be. --check, --gdb, --plugin, --trace, --save-trace and
 * --on-fault=continue report each execution: with one of them, and without --timing, there is one, and the clock counts
 * instructions. So it does in functions of other modules when the kernel itself does not read the clock. Counts and
 * times are those of the first execution; dispatch->timed says whether the second differs from it. */
int launch_run_by_clock(struct stream *stream, struct dispatch *dispatch, uint64_t *instructions);

#endif
