/* Programs that poll for the GPU. Drivers wait for a batch by reading a word of memory again and again and yielding the
 * processor in between. A real GPU does not mind; here the processor is what the GPU is made of. So a yield waits until
 * a command writes memory, and at most for a short while, because the word may have been written just before. */
#ifndef CMKIT_SIM_POLL_H
#define CMKIT_SIM_POLL_H

void sim_poll_batch_begin(void);
void sim_poll_batch_end(void);

/* A command, not a kernel, wrote memory that a program may poll. */
void sim_poll_written(void);

/* In place of a yield: 1 after a wait, 0 at once when no batch runs. */
int sim_poll_wait(void);

#endif
