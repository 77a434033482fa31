/* Sends messages of EU threads: to the memory model, to the gateway's barrier, and to the end of the thread. */
#include "sim/timing/engine_internal.h"

#include "sim/timing/growing.h"

static uint8_t cause_of(const struct timing_message *message)
{
    switch (message->path) {
    case RECORD_LOCAL: return TIMING_CAUSE_LOCAL;
    case RECORD_SAMPLER: return TIMING_CAUSE_SAMPLER;
    case RECORD_FENCE:
    case RECORD_LOCAL_FENCE: return TIMING_CAUSE_FENCE;
    case RECORD_BARRIER: return TIMING_CAUSE_BARRIER;
    default: return TIMING_CAUSE_MEMORY;
    }
}

/* The group's threads that wait go on. */
static void release_barrier(struct timing_engine *engine, struct running_group *group)
{
    group->arrived = 0;
    group->releases++;
    group->released = group->latest + engine->k[TIMING_barrier_latency];
    for (uint32_t i = 0; i < engine->eus_each; i++) {
        uint32_t number = group->subslice * engine->eus_each + i;
        struct eu *eu = &engine->eu[number];
        bool changed = false;
        for (uint32_t s = 0; s < engine->threads; s++) {
            struct slot *slot = &eu->slot[s];
            if (!slot->is_live || !slot->waits || slot->group != group)
                continue;
            slot->waits = false;
            slot->at = group->released > slot->next ? group->released : slot->next;
            slot->cause = TIMING_CAUSE_BARRIER;
            engine_note_slot(eu, slot, s);
            changed = true;
        }
        if (changed)
            engine_set_key(engine, number, engine_choose_slot(engine, eu));
    }
}

static void arrive(struct timing_engine *engine, struct running_group *group, uint64_t now)
{
    group->latest = now > group->latest ? now : group->latest;
    if (++group->arrived == group->record->threads)
        release_barrier(engine, group);
}

/* The registers that the message writes are there at `done`; TIMING_NEVER: this is not known yet. */
static void note_answer(const struct timing_engine *engine, struct slot *slot, const struct timing_op *op,
                        const struct timing_message *message, uint64_t done)
{
    uint8_t why = cause_of(message);
    if (done < TIMING_NEVER)
        slot->latest = done > slot->latest ? done : slot->latest;
    if (engine->tokens) {
        if (op->takes >= 0 && message->destination_registers)
            slot->token_written[op->takes] = caused(done, why);
        return;
    }
    for (unsigned r = 0; r < message->destination_registers && op->back + r < TIMING_GENERAL; r++) {
        unsigned reg = op->back + r;
        slot->written[reg] = caused(done, why);
        slot->pending[PENDING_SENT][reg / TIMING_SET_BITS] |= UINT64_C(1) << reg % TIMING_SET_BITS;
    }
}

/* The registers that the message reads are free to be written at `taken`. */
static void note_taken(const struct timing_engine *engine, struct slot *slot, const struct timing_op *op,
                       const struct timing_message *message, uint64_t taken)
{
    slot->latest = taken > slot->latest ? taken : slot->latest;
    if (engine->tokens) {
        if (op->takes < 0)
            return;
        slot->token_read[op->takes] = taken;
        if (!message->destination_registers)
            slot->token_written[op->takes] = caused(taken, cause_of(message));
        return;
    }
    slot->latest_read = taken > slot->latest_read ? taken : slot->latest_read;
    for (unsigned i = 0; i < TIMING_SET_WORDS; i++) {
        slot->reading[i] |= op->reads[i];
        for (uint64_t set = op->reads[i]; set; set &= set - 1)
            slot->read[i * TIMING_SET_BITS + (unsigned)__builtin_ctzll(set)] = taken;
    }
}

/* Right after the one before, whose words are near. */
void engine_read_message(struct slot *slot)
{
    slot->sent_words = 0;
    if (slot->messages_end - slot->message >= 2)
        slot->sent = timing_message_read(slot->message, &slot->sent_words);
}

static void refuse(struct eu *eu, struct slot *slot, const uint64_t *queue, uint64_t now, uint64_t accepted)
{
    slot->cause = TIMING_CAUSE_QUEUE;
    eu->queue[slot - eu->slot] = queue;
    engine_defer(eu, queue, now, accepted);
}

bool engine_waits_on(const struct timing_engine *engine, struct eu *eu)
{
    uint64_t accepted = timing_memory_accepts(eu->queue[eu->chosen], engine->k[TIMING_message_queue], eu->chosen_at);
    if (accepted == eu->chosen_at)
        return false;
    eu->others_at = engine_others_at(eu);
    return accepted < eu->others_at;
}

bool engine_is_refused(const struct timing_engine *engine, struct eu *eu)
{
    const uint64_t *queue = eu->queue[eu->chosen];
    uint64_t accepted = timing_memory_accepts(queue, engine->k[TIMING_message_queue], eu->chosen_at);
    if (accepted > eu->chosen_at)
        engine_defer(eu, queue, eu->chosen_at, accepted);
    return accepted > eu->chosen_at;
}

/* The thread continues after its message, which was sent at `now`. */
static void go_on(struct timing_engine *engine, struct eu *eu, struct slot *slot, uint64_t now)
{
    slot->message += slot->sent_words;
    engine_read_message(slot);
    __builtin_prefetch(slot->message + HOST_LINE / sizeof *slot->message);
    slot->next = now + engine->k[TIMING_issue_interval];
    eu->last = (uint32_t)(slot - eu->slot);
    eu->queue[eu->last] = NULL;
    if (slot->op->is_end) {
        eu->at[eu->last] = eu_tick_of(TIMING_NEVER);
    } else if (engine_next_op(engine, slot)) {
        engine_prepare(engine, slot);
        engine_note_slot(eu, slot, eu->last);
    } else {
        eu->part->failed = true;
    }
}

/* Notes what is to be done when the events before it, of all subslices, have been: see engine_answer(). */
static void share(struct engine_subslice *part, const struct shared_event *event)
{
    struct shared_event *grown = growing_array(part->event, part->events, &part->room, sizeof *grown);
    if (!grown) {
        part->failed = true;
        return;
    }
    part->event = grown;
    part->event[part->events++] = *event;
}

/* The answers of L3 to the event's message. */
static void answer(struct timing_engine *engine, struct engine_subslice *part, struct shared_event *event)
{
    const struct timing_counts before = engine->counts, *after = &engine->counts;
    uint64_t done = event->done, now = event->key >> EU_BITS;
    if (event->requests) {
        uint64_t last =
            timing_memory_answer(engine->memory, &event->message, &part->requests, event->first, event->requests);
        done = last > done ? last : done;
        event->slot->unanswered--;
        note_answer(engine, event->slot, event->op, &event->message, done);
    }
    if (!engine->profile)
        return;
    timing_profile_note(engine->profile, TIMING_SERIES_L3, now, after->l3_bytes - before.l3_bytes);
    timing_profile_note(engine->profile, TIMING_SERIES_DRAM, now,
                        after->dram_read + after->dram_written - before.dram_read - before.dram_written);
    if (event->message.path == RECORD_LOCAL)
        timing_profile_note(engine->profile, TIMING_SERIES_LOCAL, now, event->message.bytes);
    if (event->message.path != RECORD_END)
        engine_note_event(engine, &engine->eu[engine_eu_of(event->key)], event->slot, (uint8_t)event->message.path, now,
                          done > event->taken ? done : event->taken);
}

void engine_answer(struct timing_engine *engine, struct engine_subslice *part, struct shared_event *event)
{
    answer(engine, part, event);
    if (event->op->is_end)
        engine_thread_ended(engine, &engine->eu[engine_eu_of(event->key)], event->slot, event->key >> EU_BITS);
}

void engine_send(struct timing_engine *engine, struct eu *eu, struct slot *slot, uint64_t now)
{
    struct engine_subslice *part = eu->part;
    struct running_group *group = slot->group;
    if (!slot->sent_words) {
        part->failed = true;
        return;
    }
    const struct timing_message message = slot->sent;
    const uint64_t *queue = timing_memory_queue(engine->memory, eu->subslice, message.path);
    uint64_t accepted = timing_memory_accepts(queue, engine->k[TIMING_message_queue], now);
    if (accepted > now) {
        refuse(eu, slot, queue, now, accepted);
        return;
    }
    __builtin_prefetch(slot->op + 1);
    struct shared_event event = {.key = engine_key_of((uint32_t)(eu - engine->eu), now),
                                 .slot = slot,
                                 .op = slot->op,
                                 .message = message,
                                 .first = part->requests.count};
    event.done = timing_memory_send(engine->memory, eu->subslice, now, &message, &part->counts, &part->requests);
    event.requests = part->requests.count - event.first;
    event.taken = now + engine->k[TIMING_payload_start] + message.source_registers * engine->k[TIMING_payload_register];
    engine_take_port(engine, eu, slot, TIMING_PORT_SEND, now, slot->op->busy);
    note_taken(engine, slot, slot->op, &message, event.taken);
    note_answer(engine, slot, slot->op, &message, event.requests ? TIMING_NEVER : event.done);
    slot->unanswered += event.requests > 0;
    if (event.requests || event.op->is_end || engine->profile)
        share(part, &event);
    go_on(engine, eu, slot, now);
    if (message.path != RECORD_BARRIER || part->failed)
        return;
    if (engine->holds_subslice)
        arrive(engine, group, event.taken);
    else
        part->failed = true; /* its threads may be on several subslices */
}
