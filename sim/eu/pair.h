/* Pairs of threads on fused execution units: dpasw multiplies rows of which each thread of a pair has a half. */
#ifndef CMKIT_SIM_EU_PAIR_H
#define CMKIT_SIM_EU_PAIR_H

#include "sim/eu/thread.h"

/* Whether the product shares rows between the threads of a pair: dpasw. */
static inline bool eu_is_shared(const struct eu_instruction *in)
{
    return in->op == &eu_op_table[EU_OP_DPASW];
}

/* Offers the thread's rows for the shared product `in` to the other thread, once. False: the other thread has not
 * offered its own yet, and this one stops before `in` (EU_PAIR); or there is no such thread, which is a fault. */
bool eu_pair_meets(struct eu_thread *thread, const struct eu_instruction *in);

/* Gathers the rows of the shared product: `bytes` of both threads in `rows`. Both have met, and the product counts as
 * done. False with the fault raised: the threads are at different products. */
bool eu_pair_gather(struct eu_thread *thread, const struct eu_instruction *in, unsigned bytes, uint8_t *rows);

/* The origin of an uninitialized value that the other thread has offered; 0: all is written. */
uint16_t eu_pair_origin(const struct eu_thread *thread);

#endif
