/* Implements the GPU's clock, one for all contexts, like the hardware's timestamp register.
 *
 * There is no timing model yet. While batches run, the clock counts Gen instructions issued and commands parsed, so
 * durations are the same in equal runs; reports call it `timing: none`. While nothing runs, it follows the host's
 * clock, so that drivers can relate the two. If batches have run ahead of the host, it continues from their time. Later
 * reads are never earlier. */
#ifndef CMKIT_SIM_CLOCK_H
#define CMKIT_SIM_CLOCK_H

#include <stdint.h>

/* Moves the clock on by `ticks` and returns the new time. */
uint64_t sim_clock_advance(uint64_t ticks);

/* Returns the time for a reader on the host, in ticks of `hz`. No two reads are equal. */
uint64_t sim_clock_read(uint64_t hz);

/* Mark the begin and end of a batch. Calls nest: contexts run at the same time. */
void sim_clock_batch_begin(uint64_t hz);
void sim_clock_batch_end(uint64_t hz);

#endif
