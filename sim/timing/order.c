/* The order of events: time, subslice, EU and thread.
 *
 * What a subslice does is seen by others only through messages to L3 and through threads that end, whose slots the
 * dispatcher fills again, on the same subslice. So each subslice runs ahead, alone, up to the next of these: its state
 * stays in the host's nearest caches. Then the subslice whose such event is earliest goes on with it. */
#include "sim/timing/engine_internal.h"

#include <stdlib.h>
#include <string.h>

/* How far an EU may go ahead of the others of its subslice while it sends nothing: a thread that is dispatched to it
 * meanwhile starts that much late at most. */
static const uint64_t AHEAD = 1000 * TIMING_TICKS;

static const uint64_t NO_KEY = TIMING_NEVER << EU_BITS;

static uint64_t key_of(uint32_t eu, uint64_t tick)
{
    return tick << EU_BITS | eu;
}

/* The EU waits for the chosen slot's queue, if nothing else comes before. While a queue is full, many EUs do: only the
 * first of them is looked at when it has room. */
static void park(struct timing_engine *engine, uint32_t number)
{
    struct eu *eu = &engine->eu[number];
    struct parked_eus *parked = engine->parked[eu->subslice];
    for (const struct parked_eus *end = parked + SUBSLICE_QUEUES - 1;
         parked < end && parked->queue && parked->queue != eu->queue[eu->chosen];)
        parked++;
    parked->queue = eu->queue[eu->chosen];
    parked->eus |= UINT32_C(1) << number % engine->eus_each;
    eu->parked = parked;
    engine->key[number] = key_of(number, eu->others_at);
}

static void unpark(const struct timing_engine *engine, struct eu *eu)
{
    eu->parked->eus &= ~(UINT32_C(1) << (uint32_t)(eu - engine->eu) % engine->eus_each);
    eu->parked = NULL;
}

void engine_set_key(struct timing_engine *engine, uint32_t number, uint64_t tick)
{
    struct eu *eu = &engine->eu[number];
    if (eu->parked)
        unpark(engine, eu);
    engine->key[number] = key_of(number, tick);
    engine->moved[eu->subslice] = true;
}

/* The key of the subslice's EU whose event is first. */
static uint64_t first_of(const struct timing_engine *engine, uint32_t subslice)
{
    uint32_t first = subslice * engine->eus_each;
    const uint64_t *key = engine->key + first;
    uint64_t least = key[0];
    for (uint32_t i = 1; i < engine->eus_each; i++)
        least = key[i] < least ? key[i] : least;
    for (uint32_t i = 0; i < SUBSLICE_QUEUES; i++) {
        const struct parked_eus *parked = &engine->parked[subslice][i];
        if (!parked->eus)
            continue;
        uint64_t accepted = timing_memory_accepts(parked->queue, engine->k[TIMING_message_queue], 0);
        uint64_t sends = key_of(first + (uint32_t)__builtin_ctz(parked->eus), accepted);
        least = sends < least ? sends : least;
    }
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
}

/* Unparks the EU of the event: its queue has room, or it has something else to do. */
static void leave_queue(struct timing_engine *engine, uint64_t key)
{
    struct eu *eu = &engine->eu[eu_of(key)];
    unpark(engine, eu);
    engine->key[eu_of(key)] = key;
    if (key >> EU_BITS < eu->others_at)
        eu->chosen_at = key >> EU_BITS;
}

/* Runs the subslice up to the next event that others see. */
static void run_ahead(struct timing_engine *engine, uint32_t subslice)
{
    uint64_t key = first_of(engine, subslice);
    for (; key < NO_KEY && !engine->failed; key = first_of(engine, subslice)) {
        struct eu *eu = &engine->eu[eu_of(key)];
        if (eu->parked) {
            leave_queue(engine, key);
        } else if (engine_waits_on(engine, eu)) {
            park(engine, eu_of(key));
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
    memset(engine->parked, 0, sizeof engine->parked);
    for (uint32_t i = 0; i < engine->eus; i++)
        engine_set_key(engine, i, TIMING_NEVER);
}
