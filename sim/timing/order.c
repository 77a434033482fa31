/* The order of events: time, subslice, EU and thread.
 *
 * What a subslice does is seen by others only through messages to L3 and through threads that end, whose slots the
 * dispatcher fills again, on the same subslice. So each subslice runs ahead, alone, up to the next of these: its state
 * stays in the host's nearest caches. Then the subslice whose such event is earliest goes on with it. */
#include "sim/timing/engine_internal.h"

#include <stdlib.h>

/* How far an EU may go ahead of the others of its subslice while it sends nothing: a thread that is dispatched to it
 * meanwhile starts that much late at most. */
static const uint64_t AHEAD = 1000 * TIMING_TICKS;

static const uint64_t NO_KEY = TIMING_NEVER << EU_BITS;

void engine_set_key(struct timing_engine *engine, uint32_t eu, uint64_t tick)
{
    engine->key[eu] = tick << EU_BITS | eu;
    engine->eu[eu].others_at = 0;
    engine->moved[engine->eu[eu].subslice] = true;
}

/* The key of the subslice's EU whose event is first. */
static uint64_t first_of(const struct timing_engine *engine, uint32_t subslice)
{
    const uint64_t *key = engine->key + (size_t)subslice * engine->eus_each;
    uint64_t least = key[0];
    for (uint32_t i = 1; i < engine->eus_each; i++)
        least = key[i] < least ? key[i] : least;
    return least;
}

static uint32_t eu_of(uint64_t key)
{
    return key & (MOST_EUS - 1);
}

/* Whether the message that the EU sends next is seen by other subslices: not if its queue is full. A profile lists
 * events in the order of all. */
static bool is_shared(const struct timing_engine *engine, const struct eu *eu, uint64_t now)
{
    const enum record_path path = eu->slot[eu->chosen].sent.path;
    if (path == RECORD_END || engine->profile)
        return true;
    return timing_memory_is_shared(path) &&
           timing_memory_accepts(timing_memory_queue(engine->memory, eu->subslice, path),
                                 engine->k[TIMING_message_queue], now) == now;
}

/* The EU's event: it sends its message, if it has one that is not refused, and issues up to the next. */
static void step(struct timing_engine *engine, uint64_t key, bool sends)
{
    uint64_t now = key >> EU_BITS;
    struct eu *eu = &engine->eu[eu_of(key)];
    if (sends)
        engine_send(engine, eu, &eu->slot[eu->chosen], now);
    engine_set_key(engine, eu_of(key), engine_issue(engine, eu, now + AHEAD));
    if (eu->queue[eu->chosen])
        eu->others_at = engine_others_at(eu);
}

/* Runs the subslice up to the next event that others see. */
static void run_ahead(struct timing_engine *engine, uint32_t subslice)
{
    uint64_t key = first_of(engine, subslice);
    for (; key < NO_KEY && !engine->failed; key = first_of(engine, subslice)) {
        struct eu *eu = &engine->eu[eu_of(key)];
        if (engine_waits_on(engine, eu)) {
            engine->key[eu_of(key)] = eu->chosen_at << EU_BITS | eu_of(key);
            continue;
        }
        bool sends = engine_sends(eu) && !engine_is_refused(engine, eu);
        if (sends && is_shared(engine, eu, key >> EU_BITS))
            break;
        step(engine, key, sends);
    }
    engine->moved[subslice] = false;
    engine->shared[subslice] = key;
}

bool engine_step(struct timing_engine *engine)
{
    uint64_t least = NO_KEY;
    for (uint32_t s = 0; s < engine->subslices; s++) {
        if (engine->moved[s])
            run_ahead(engine, s);
        least = engine->shared[s] < least ? engine->shared[s] : least;
    }
    if (least == NO_KEY || engine->failed)
        return false;
    step(engine, least, true);
    return true;
}

bool engine_order_create(struct timing_engine *engine)
{
    engine->key = calloc(engine->eus, sizeof *engine->key);
    return engine->key != NULL;
}

void engine_order_begin(struct timing_engine *engine)
{
    for (uint32_t i = 0; i < engine->eus; i++)
        engine_set_key(engine, i, TIMING_NEVER);
}
