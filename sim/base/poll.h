/* Makes programs that poll the GPU wait. Drivers wait for a batch by reading a word of memory again and again and
 * yielding the processor in between. Here the simulated GPU needs that processor. A yield therefore waits until a
 * command writes memory, but only for a short time, because the word may have been written just before. */
#ifndef CMKIT_SIM_POLL_H
#define CMKIT_SIM_POLL_H

void sim_poll_batch_begin(void);
void sim_poll_batch_end(void);

/* Call it when a command (not a kernel) wrote memory that a program may poll. */
void sim_poll_written(void);

/* Replaces a yield. Returns 1 after a wait, 0 at once if no batch runs. */
int sim_poll_wait(void);

#endif
