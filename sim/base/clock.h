/* Implements the GPU's clock, one for all contexts, like the hardware's timestamp register.
 *
 * While batches run, the clock counts commands parsed and, for each launch, what the timing model says or, without it,
 * the Gen instructions issued. Durations are the same in equal runs. While nothing runs, it follows the host's clock,
 * so that drivers can relate the two. If batches have run ahead of the host, it continues from their time. Later reads
 * are never earlier. */
#ifndef CMKIT_SIM_CLOCK_H
#define CMKIT_SIM_CLOCK_H

#include <stdint.h>

/* Moves the clock on by `ticks` and returns the new time. */
uint64_t sim_clock_advance(uint64_t ticks);

/* Sets the clock: a launch that is replayed begins when it was recorded. */
void sim_clock_set(uint64_t time);

/* Returns the time for a reader on the host, in ticks of `hz`. No two reads are equal. */
uint64_t sim_clock_read(uint64_t hz);

/* Mark the begin and end of a batch. Calls nest: contexts run at the same time. */
void sim_clock_batch_begin(uint64_t hz);
void sim_clock_batch_end(uint64_t hz);

#endif
