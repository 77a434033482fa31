/* Exchanges the rows of products between the threads of a pair. Real units execute a pair's instructions together; here
 * the thread that comes first waits. A thread can be one product ahead of the other, so two offers are kept.
 * Source: vISA's specification, DPASW: its formula. (Its table gives the first thread both registers of four rows of 16
 * bytes. IGC's built-in functions for these give one to each, as the formula does.) */
#include "sim/eu/pair.h"

#include <assert.h>
#include <string.h>
#include "sim/eu/dpas.h"
#include "sim/eu/values.h"

void eu_thread_pair(struct eu_thread *first, struct eu_thread *second)
{
    assert(first->program && second->program && first != second);
    first->other = second;
    second->other = first;
    second->is_second = true;
}

bool eu_thread_can_run(const struct eu_thread *thread)
{
    if (thread->awaited > 0)
        return thread->barriers->barrier[thread->awaited - 1].phase != thread->phase[thread->awaited - 1];
    return thread->offers == thread->shared_products || thread->other->offers >= thread->offers;
}

static struct eu_offer *offer_at(struct eu_thread *thread, uint64_t number)
{
    return &thread->offer[number % 2];
}

static void make_offer(struct eu_thread *thread, const struct eu_instruction *in)
{
    struct eu_offer *offer = offer_at(thread, thread->offers++);
    unsigned bytes = eu_dpas_bytes(thread->platform, in, 2);
    assert(bytes <= sizeof offer->rows);
    offer->pointer = eu_pointer(thread, in);
    memcpy(offer->rows, thread->file + in->src[2].base, bytes);
    offer->origin = thread->values ? eu_values_origin(thread, (uint32_t)in->src[2].base, bytes) : 0;
}

bool eu_pair_meets(struct eu_thread *thread, const struct eu_instruction *in)
{
    if (thread->other == NULL) {
        eu_thread_fault(thread, in, "dpasw in a thread without a pair: the group has an odd number of threads");
        return false;
    }
    if (thread->offers == thread->shared_products)
        make_offer(thread, in);
    if (eu_thread_can_run(thread))
        return true;
    thread->ip = (uint32_t)(in - thread->program->instructions);
    thread->issued--;
    eu_stop_thread(thread, EU_PAIR);
    return false;
}

bool eu_pair_gather(struct eu_thread *thread, const struct eu_instruction *in, unsigned bytes, uint8_t *rows)
{
    assert(eu_thread_can_run(thread) && thread->offers > thread->shared_products);
    uint64_t number = thread->shared_products++;
    const struct eu_offer *own = offer_at(thread, number), *others = offer_at(thread->other, number);
    if (own->pointer != others->pointer) {
        eu_thread_fault(thread, in, "the threads of a pair are at different dpasw: a branch has parted them");
        return false;
    }
    const struct eu_offer *first = thread->is_second ? others : own, *second = thread->is_second ? own : others;
    unsigned of_first = eu_dpas_bytes(thread->platform, in, 2);
    memcpy(rows, first->rows, of_first);
    if (bytes > of_first)
        memcpy(rows + of_first, second->rows, bytes - of_first);
    return true;
}

uint16_t eu_pair_origin(const struct eu_thread *thread)
{
    assert(eu_thread_can_run(thread));
    return thread->other->offer[thread->shared_products % 2].origin;
}
