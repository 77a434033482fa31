/* Gives the groups of a launch to subslices and their threads to EUs. */
#include "sim/timing/engine_internal.h"

#include <string.h>
#include "sim/eu/instruction.h"

/* The subslice with most free slots that can take `threads` more. engine->subslices: none. */
static uint32_t choose_subslice(const struct timing_engine *engine, uint32_t threads)
{
    uint32_t chosen = engine->subslices, most = 0;
    double room = engine->constants->value[TIMING_slm_kilobytes] * 1024;
    double groups = engine->constants->value[TIMING_groups_per_subslice];
    for (uint32_t s = 0; s < engine->subslices; s++) {
        if (engine->subslice_slots[s] < threads || engine->subslice_slots[s] <= most)
            continue;
        if (engine->holds_subslice && engine->subslice_groups[s] > 0 &&
            (engine->subslice_groups[s] >= groups ||
             (double)(engine->subslice_local[s] + engine->shape.local_bytes) > room))
            continue;
        chosen = s;
        most = engine->subslice_slots[s];
    }
    return chosen;
}

/* A free slot of the subslice, on the EU with the fewest threads. */
static struct slot *choose_slot(struct timing_engine *engine, uint32_t subslice, uint32_t *eu)
{
    struct slot *chosen = NULL;
    uint32_t fewest = UINT32_MAX;
    for (uint32_t i = 0; i < engine->eus_each; i++) {
        uint32_t number = subslice * engine->eus_each + i;
        struct eu *candidate = &engine->eu[number];
        if (number >= engine->eus || candidate->live >= fewest || candidate->live >= engine->threads)
            continue;
        fewest = candidate->live;
        *eu = number;
        chosen = candidate->slot;
    }
    while (chosen && chosen->is_live)
        chosen++;
    return chosen;
}

/* The tick at which a thread on that slot is started, and the dispatcher's time. */
static uint64_t start_time(struct timing_engine *engine, const struct slot *slot, uint32_t subslice)
{
    uint64_t now = slot->free > engine->dispatch_free ? slot->free : engine->dispatch_free;
    if (engine->subslice_free[subslice] > now)
        now = engine->subslice_free[subslice];
    engine->dispatch_free = now + engine->k[TIMING_dispatch_interval];
    engine->subslice_free[subslice] =
        now + engine->k[TIMING_thread_interval] + engine->shape.payload_registers * engine->k[TIMING_payload_load];
    return now;
}

static void start_thread(struct timing_engine *engine, struct running_group *group, uint32_t subslice)
{
    uint32_t number = 0;
    struct slot *slot = choose_slot(engine, subslice, &number);
    struct eu *eu = &engine->eu[number];
    uint64_t started = start_time(engine, slot, subslice);
    memset(slot, 0, sizeof *slot);
    slot->is_live = true;
    slot->group = group;
    slot->thread = group->started++;
    const struct thread_record *record = &group->record->thread[slot->thread];
    slot->run = record->runs.words;
    slot->runs_end = record->runs.words + record->runs.count;
    slot->message = record->messages.words;
    slot->messages_end = record->messages.words + record->messages.count;
    engine_read_message(slot);
    slot->started = started;
    slot->next = started + engine->k[TIMING_thread_start];
    eu->live++;
    engine->subslice_slots[subslice]--;
    if (!engine_next_op(engine, slot)) {
        engine->failed = true;
        return;
    }
    engine_prepare(engine, slot);
    slot->cause = TIMING_CAUSE_NO_THREAD;
    engine_note_slot(eu, slot, (uint32_t)(slot - eu->slot));
    engine_set_key(engine, number, engine_choose_slot(engine, eu));
}

static struct running_group *open_group(struct timing_engine *engine)
{
    struct running_group *group = engine->free_groups;
    engine->free_groups = group->next;
    memset(group, 0, sizeof *group);
    group->record = engine->waiting;
    engine->waiting = NULL;
    engine->taken++;
    return group;
}

/* The whole group runs on one subslice that has enough free slots. */
static bool start_together(struct timing_engine *engine)
{
    uint32_t threads = engine->shape.group_threads, subslice = choose_subslice(engine, threads);
    if (subslice == engine->subslices)
        return false;
    struct running_group *group = open_group(engine);
    group->subslice = subslice;
    engine->subslice_groups[subslice]++;
    engine->subslice_local[subslice] += engine->shape.local_bytes;
    while (group->started < threads && !engine->failed)
        start_thread(engine, group, subslice);
    return true;
}

/* Its threads go where there is room. */
static bool start_apart(struct timing_engine *engine)
{
    uint32_t subslice = choose_subslice(engine, 1);
    if (subslice == engine->subslices)
        return false;
    if (!engine->opening)
        engine->opening = open_group(engine);
    struct running_group *group = engine->opening;
    start_thread(engine, group, subslice);
    if (group->started == group->record->threads)
        engine->opening = NULL;
    return true;
}

void engine_dispatch(struct timing_engine *engine)
{
    while ((engine->waiting || engine->opening) && !engine->failed)
        if (!(engine->holds_subslice ? start_together(engine) : start_apart(engine)))
            return;
}

static void end_group(struct timing_engine *engine, struct running_group *group)
{
    if (engine->holds_subslice) {
        engine->subslice_groups[group->subslice]--;
        engine->subslice_local[group->subslice] -= engine->shape.local_bytes;
    }
    engine->release(engine->release_context, group->record);
    group->record = NULL;
    group->next = engine->free_groups;
    engine->free_groups = group;
    engine->ended++;
}

void engine_thread_ended(struct timing_engine *engine, struct eu *eu, struct slot *slot, uint64_t now)
{
    struct running_group *group = slot->group;
    engine->counts.resident += now - slot->started;
    if (engine->profile) {
        timing_profile_spread(engine->profile, TIMING_SERIES_RESIDENT, slot->started, now);
        engine_note_event(engine, eu, slot, TIMING_EVENT_THREAD, slot->started, now);
    }
    slot->is_live = false;
    slot->free = now + engine->k[TIMING_thread_end];
    eu->live--;
    engine->subslice_slots[eu->subslice]++;
    engine->last_end = now > engine->last_end ? now : engine->last_end;
    if (++group->ended == group->record->threads)
        end_group(engine, group);
}
