/* Counts arrivals at named barriers and says who may pass. A barrier's phase ends when all of its producers and
 * consumers have signalled; consumers of that phase may pass then. Source: vISA's specification, NBARRIER; IGC's
 * generateNamedBarrier() for the payload. */
#include "sim/eu/barrier.h"

#include <assert.h>
#include <string.h>
#include "sim/check/check.h"

enum { BOTH, PRODUCER, CONSUMER };

void eu_thread_join(struct eu_thread *thread, struct eu_barriers *barriers)
{
    assert(thread->program && barriers->count <= EU_NAMED_BARRIERS);
    thread->barriers = barriers;
}

int eu_thread_awaits(const struct eu_thread *thread)
{
    return thread->awaited - 1;
}

/* A barrier whose threads have all signalled begins its next phase. */
static void end_phase(struct eu_thread *thread, struct eu_barrier *barrier)
{
    if (barrier->producers != barrier->all_producers || barrier->consumers != barrier->all_consumers)
        return;
    barrier->phase++;
    barrier->producers = barrier->consumers = 0;
    if (thread->state && thread->state->check)
        check_group_barrier(thread->state->check); /* orders more threads than meet: no race is reported wrongly */
}

static const char *wrong_signal(const struct eu_thread *thread, const struct eu_barrier *barrier, unsigned id,
                                unsigned part, unsigned producers, unsigned consumers)
{
    bool is_first = barrier->producers + barrier->consumers == 0;
    if (part > CONSUMER || producers == 0 || consumers == 0)
        return "a part or a number of threads that does not exist";
    if (!is_first && (barrier->all_producers != producers || barrier->all_consumers != consumers))
        return "other numbers of threads than those that signalled it before";
    if (part != PRODUCER && thread->signalled >> id & 1)
        return "it was signalled before, and not waited for";
    if (!is_first && ((part != CONSUMER && barrier->producers == producers) ||
                      (part != PRODUCER && barrier->consumers == consumers)))
        return "more threads than it is for";
    return NULL;
}

bool eu_barrier_signal(struct eu_thread *thread, const struct eu_instruction *in, uint32_t payload)
{
    unsigned id = payload & 0xff, part = payload >> 14 & 3, producers = payload >> 16 & 0xff, consumers = payload >> 24;
    unsigned threads = thread->barriers ? thread->barriers->threads & 0xff : 0;
    if (thread->barriers == NULL || (id == 0 && part == BOTH && producers == threads && consumers == threads))
        return false;
    if (id >= thread->barriers->count) {
        eu_thread_fault(thread, in, "named barrier %u is signalled; the kernel has %u", id, thread->barriers->count);
        return true;
    }
    struct eu_barrier *barrier = &thread->barriers->barrier[id];
    const char *wrong = wrong_signal(thread, barrier, id, part, producers, consumers);
    if (wrong) {
        eu_thread_fault(thread, in, "named barrier %u (part %u, %u producers, %u consumers): %s", id, part, producers,
                        consumers, wrong);
        return true;
    }
    barrier->all_producers = (uint8_t)producers;
    barrier->all_consumers = (uint8_t)consumers;
    barrier->producers += part != CONSUMER;
    barrier->consumers += part != PRODUCER;
    if (part != PRODUCER) {
        thread->signalled |= UINT32_C(1) << id;
        thread->phase[id] = barrier->phase;
    }
    end_phase(thread, barrier);
    return true;
}

/* The barrier that sync.bar waits for: an immediate, a flag's value, or 0. */
static unsigned barrier_of(const struct eu_thread *thread, const struct eu_instruction *in)
{
    uint16_t flag;
    if (in->src[0].place == EU_IMMEDIATE)
        return (unsigned)in->src[0].immediate & 0xff;
    if (in->src[0].place != EU_DIRECT || in->src[0].base < EU_FILE_FLAG || in->src[0].base >= EU_FILE_CHANNEL_ENABLE)
        return 0;
    memcpy(&flag, thread->file + in->src[0].base, sizeof flag);
    return flag & 0xff;
}

bool eu_barrier_is_named(const struct eu_thread *thread, const struct eu_instruction *in)
{
    return in->op == &eu_op_table[EU_OP_SYNC] && in->function == EU_SYNC_BAR && thread->barriers &&
           (!thread->at_barrier || barrier_of(thread, in) != 0);
}

bool eu_barrier_passes(struct eu_thread *thread, const struct eu_instruction *in)
{
    unsigned id = barrier_of(thread, in);
    if (id >= EU_NAMED_BARRIERS || !(thread->signalled >> id & 1)) {
        eu_thread_fault(thread, in, "named barrier %u: a wait without a signal as a consumer before it", id);
        return false;
    }
    if (thread->barriers->barrier[id].phase != thread->phase[id])
        return true;
    thread->awaited = (int)id + 1;
    thread->ip = (uint32_t)(in - thread->program->instructions);
    thread->issued--;
    eu_stop_thread(thread, EU_PAIR);
    return false;
}

void eu_barrier_pass(struct eu_thread *thread, const struct eu_instruction *in)
{
    thread->signalled &= ~(UINT32_C(1) << barrier_of(thread, in));
}
