/* The GPU's clock. There is no timing model yet: it counts Gen instructions issued and commands parsed, so that equal
 * runs read equal times, later reads are never earlier, and longer kernels take longer. Reports call it
 * `timing: none`. One clock serves all contexts, as the hardware's timestamp register does. */
#ifndef CMKIT_SIM_CLOCK_H
#define CMKIT_SIM_CLOCK_H

#include <stdint.h>

/* Moves the clock on by `ticks` and returns the new time. */
uint64_t sim_clock_advance(uint64_t ticks);

#endif
