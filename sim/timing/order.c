/* The order of events: time, subslice, EU and thread.
 *
 * What a subslice does is seen by others only through messages to L3 and through threads that end, whose slots the
 * dispatcher fills again. The answer of L3 takes a while, and so does the start of a thread: so each subslice runs
 * alone for a window of that length, in any host thread, and lists these events. Then they are answered, in the order
 * of all subslices, and the next window begins. */
#include "sim/timing/engine_internal.h"

#include <stdlib.h>
#include <string.h>
#include "sim/timing/team.h"

static const uint64_t NO_KEY = TIMING_NEVER << EU_BITS;

/* Below that many instructions in the last window, one host thread runs the next one: to share it would take longer. */
static const uint64_t LEAST_TO_SHARE = 500;

/* The EU waits for the chosen slot's queue, if nothing else comes before. While a queue is full, many EUs do: only the
 * first of them is looked at when it has room. */
static void park(struct timing_engine *engine, uint32_t number)
{
    struct eu *eu = &engine->eu[number];
    struct parked_eus *parked = eu->part->parked;
    for (const struct parked_eus *end = parked + SUBSLICE_QUEUES - 1;
         parked < end && parked->queue && parked->queue != eu->queue[eu->chosen];)
        parked++;
    parked->queue = eu->queue[eu->chosen];
    parked->eus |= UINT32_C(1) << number % engine->eus_each;
    eu->parked = parked;
    engine->key[number] = engine_key_of(number, eu->others_at);
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
    engine->key[number] = engine_key_of(number, tick);
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
        const struct parked_eus *parked = &engine->subslice[subslice].parked[i];
        if (!parked->eus)
            continue;
        uint64_t accepted = timing_memory_accepts(parked->queue, engine->k[TIMING_message_queue], 0);
        uint64_t sends = engine_key_of(first + (uint32_t)__builtin_ctz(parked->eus), accepted);
        least = sends < least ? sends : least;
    }
    return least;
}

/* The EU's event: it sends its message, if it has one that is not refused, and issues up to the next. */
static void step(struct timing_engine *engine, uint64_t key, bool sends)
{
    uint64_t now = key >> EU_BITS;
    struct eu *eu = &engine->eu[engine_eu_of(key)];
    if (sends)
        engine_send(engine, eu, &eu->slot[eu->chosen], now);
    uint64_t horizon = now + engine->undisturbed;
    engine_set_key(engine, engine_eu_of(key),
                   engine_issue(engine, eu, horizon < engine->window_end ? horizon : engine->window_end));
}

/* Unparks the EU of the event: its queue has room, or it has something else to do. */
static void leave_queue(struct timing_engine *engine, uint64_t key)
{
    struct eu *eu = &engine->eu[engine_eu_of(key)];
    unpark(engine, eu);
    engine->key[engine_eu_of(key)] = key;
    if (key >> EU_BITS < eu->others_at)
        eu->chosen_at = key >> EU_BITS;
}

/* Runs the subslice to the end of the window. Other host threads may run other subslices. */
static void run_subslice(void *context, uint32_t number)
{
    struct timing_engine *engine = context;
    struct engine_subslice *part = &engine->subslice[number];
    uint64_t key = first_of(engine, number);
    for (; key >> EU_BITS < engine->window_end && !part->failed; key = first_of(engine, number)) {
        struct eu *eu = &engine->eu[engine_eu_of(key)];
        if (eu->parked) {
            leave_queue(engine, key);
        } else if (engine_waits_on(engine, eu)) {
            park(engine, engine_eu_of(key));
            continue;
        }
        step(engine, key, engine_sends(eu) && !engine_is_refused(engine, eu));
    }
    part->failed = part->failed || part->requests.failed;
}

static uint64_t instructions_of(const struct timing_engine *engine)
{
    uint64_t sum = 0;
    for (uint32_t s = 0; s < engine->subslices; s++)
        sum += engine->subslice[s].counts.instructions;
    return sum;
}

/* Runs all subslices for a window that begins with the first thing that any of them does. False: there is none. */
static bool run_window(struct timing_engine *engine)
{
    uint64_t least = NO_KEY;
    for (uint32_t s = 0; s < engine->subslices; s++) {
        uint64_t first = first_of(engine, s);
        least = first < least ? first : least;
    }
    if (least == NO_KEY)
        return false;
    engine->window_end = (least >> EU_BITS) + engine->ahead;
    if (engine->window_work < LEAST_TO_SHARE || engine->profile || engine->shape.readings)
        for (uint32_t s = 0; s < engine->subslices; s++)
            run_subslice(engine, s);
    else
        team_run(engine->team, engine->subslices, run_subslice, engine);
    for (uint32_t s = 0; s < engine->subslices; s++)
        engine->failed = engine->failed || engine->subslice[s].failed;
    uint64_t work = instructions_of(engine);
    engine->window_work = work - engine->work;
    engine->work = work;
    return !engine->failed;
}

/* The EU's threads go on that have waited for the answers of the window. */
static void wake(struct timing_engine *engine, uint32_t number)
{
    struct eu *eu = &engine->eu[number];
    for (uint32_t s = 0; s < engine->threads; s++) {
        struct slot *slot = &eu->slot[s];
        if (!slot->is_live || slot->waits || slot->at < TIMING_NEVER)
            continue;
        engine_prepare(engine, slot);
        if (!slot->waits && slot->at < engine->window_end)
            slot->at = engine->window_end; /* no answer comes before, but an instruction may overtake one */
        engine_note_slot(eu, slot, s);
    }
    engine_set_key(engine, number, engine_choose_slot(engine, eu));
}

/* All events of the window have been answered. */
static void end_window(struct timing_engine *engine)
{
    uint64_t answered[MOST_EUS / 64] = {0};
    for (uint32_t s = 0; s < engine->subslices; s++) {
        struct engine_subslice *part = &engine->subslice[s];
        for (uint32_t i = 0; i < part->events; i++) {
            uint32_t eu = engine_eu_of(part->event[i].key);
            answered[eu / 64] |= UINT64_C(1) << eu % 64;
        }
        part->events = part->next = part->requests.count = 0;
    }
    for (uint32_t i = 0; i < engine->eus; i++)
        if (answered[i / 64] >> i % 64 & 1)
            wake(engine, i);
}

/* The subslice whose event is the first that has not been answered. NULL: all have been. */
static struct engine_subslice *first_to_answer(const struct timing_engine *engine)
{
    struct engine_subslice *first = NULL;
    for (uint32_t s = 0; s < engine->subslices; s++) {
        struct engine_subslice *part = &engine->subslice[s];
        if (part->next < part->events && (!first || part->event[part->next].key < first->event[first->next].key))
            first = part;
    }
    return first;
}

bool engine_step(struct timing_engine *engine)
{
    for (;;) {
        struct engine_subslice *part = first_to_answer(engine);
        if (engine->failed)
            return false;
        if (part) {
            engine_answer(engine, part, &part->event[part->next++]);
            return true;
        }
        end_window(engine);
        if (!run_window(engine))
            return false;
    }
}

bool engine_order_create(struct timing_engine *engine)
{
    engine->key = calloc(engine->eus, sizeof *engine->key);
    engine->subslice = aligned_alloc(HOST_LINE, engine->subslices * sizeof *engine->subslice);
    if (engine->subslice)
        memset(engine->subslice, 0, engine->subslices * sizeof *engine->subslice);
    uint64_t start = engine->k[TIMING_thread_end] + engine->k[TIMING_thread_start],
             answer = engine->k[TIMING_l3_latency];
    engine->ahead = start < answer ? start : answer;
    engine->ahead = engine->ahead < TIMING_TICKS ? TIMING_TICKS : engine->ahead;
    return engine->key && engine->subslice;
}

void engine_order_destroy(struct timing_engine *engine)
{
    for (uint32_t s = 0; engine->subslice && s < engine->subslices; s++) {
        free(engine->subslice[s].event);
        free(engine->subslice[s].requests.request);
    }
    free(engine->subslice);
    free(engine->key);
}

void engine_order_begin(struct timing_engine *engine)
{
    for (uint32_t s = 0; s < engine->subslices; s++) {
        struct engine_subslice *part = &engine->subslice[s];
        memset(part->parked, 0, sizeof part->parked);
        memset(&part->counts, 0, sizeof part->counts);
        memset(part->busy, 0, sizeof part->busy);
        part->events = part->next = part->requests.count = 0;
        part->failed = part->requests.failed = false;
    }
    engine->window_end = engine->window_work = engine->work = 0;
    engine->undisturbed = engine->holds_subslice ? engine->k[TIMING_barrier_latency] : TIMING_NEVER;
    for (uint32_t i = 0; i < engine->eus; i++)
        engine_set_key(engine, i, TIMING_NEVER);
}
