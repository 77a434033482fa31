/* Named barriers: some threads of a group, producers, tell others, consumers, that they have come this far. */
#ifndef CMKIT_SIM_EU_BARRIER_H
#define CMKIT_SIM_EU_BARRIER_H

#include "sim/eu/thread.h"

/* Signals the named barrier of the gateway's payload, dword 2 of its header: bits 7:0 the barrier, 15:14 the thread's
 * part (0 producer and consumer, 1 producer, 2 consumer), 23:16 the number of producers, 31:24 of consumers. False: all
 * threads of the group meet at barrier 0, which is the one without a name. */
bool eu_barrier_signal(struct eu_thread *thread, const struct eu_instruction *in, uint32_t payload);

/* Whether `in` (sync.bar) waits for a named barrier. */
bool eu_barrier_is_named(const struct eu_thread *thread, const struct eu_instruction *in);

/* Whether the thread may pass the named barrier of `in`. False: it stops before `in` (EU_PAIR), or a fault is raised.
 */
bool eu_barrier_passes(struct eu_thread *thread, const struct eu_instruction *in);

/* Says that the thread passes the named barrier of `in`. */
void eu_barrier_pass(struct eu_thread *thread, const struct eu_instruction *in);

#endif
