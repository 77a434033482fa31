/* Sends messages of EU threads: to the memory model, to the gateway's barrier, and to the end of the thread. */
#include "sim/timing/engine_internal.h"

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

/* The registers that the message reads are free to be written at `taken`, those that it writes are there at `done`. */
static void note_message(struct timing_engine *engine, struct slot *slot, const struct timing_message *message,
                         uint64_t taken, uint64_t done)
{
    const struct timing_op *op = slot->op;
    uint8_t why = cause_of(message);
    slot->latest = done > slot->latest ? done : slot->latest;
    slot->latest = taken > slot->latest ? taken : slot->latest;
    if (engine->tokens) {
        if (op->takes >= 0) {
            slot->token_written[op->takes] = caused(message->destination_registers ? done : taken, why);
            slot->token_read[op->takes] = taken;
        }
        return;
    }
    for (unsigned r = 0; r < message->destination_registers && op->back + r < TIMING_GENERAL; r++) {
        unsigned reg = op->back + r;
        slot->written[reg] = caused(done, why);
        slot->pending[PENDING_SENT][reg / TIMING_SET_BITS] |= UINT64_C(1) << reg % TIMING_SET_BITS;
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
        engine_thread_ended(engine, eu, slot, now);
    } else if (engine_next_op(engine, slot)) {
        engine_prepare(engine, slot);
        engine_note_slot(eu, slot, eu->last);
    } else {
        engine->failed = true;
    }
}

/* Sends it to the memory model, and notes in the profile what that moved. */
static uint64_t send_on(struct timing_engine *engine, const struct eu *eu, const struct timing_message *message,
                        uint64_t now)
{
    const struct timing_counts before = engine->counts, *after = &engine->counts;
    uint64_t done = timing_memory_send(engine->memory, eu->subslice, now, message);
    timing_profile_note(engine->profile, TIMING_SERIES_L3, now, after->l3_bytes - before.l3_bytes);
    timing_profile_note(engine->profile, TIMING_SERIES_LOCAL, now, after->local_bytes - before.local_bytes);
    timing_profile_note(engine->profile, TIMING_SERIES_DRAM, now,
                        after->dram_read + after->dram_written - before.dram_read - before.dram_written);
    return done;
}

void engine_send(struct timing_engine *engine, struct eu *eu, struct slot *slot, uint64_t now)
{
    struct running_group *group = slot->group;
    if (!slot->sent_words) {
        engine->failed = true;
        return;
    }
    const struct timing_message *message = &slot->sent;
    const enum record_path path = message->path;
    const uint64_t *queue = timing_memory_queue(engine->memory, eu->subslice, path);
    uint64_t accepted = timing_memory_accepts(queue, engine->k[TIMING_message_queue], now);
    if (accepted > now) {
        refuse(eu, slot, queue, now, accepted);
        return;
    }
    __builtin_prefetch(slot->op + 1);
    uint64_t done = engine->profile ? send_on(engine, eu, message, now)
                                    : timing_memory_send(engine->memory, eu->subslice, now, message);
    uint64_t taken =
        now + engine->k[TIMING_payload_start] + message->source_registers * engine->k[TIMING_payload_register];
    engine_take_port(engine, eu, slot, TIMING_PORT_SEND, now, slot->op->busy);
    note_message(engine, slot, message, taken, done);
    if (engine->profile && path != RECORD_END)
        engine_note_event(engine, eu, slot, (uint8_t)path, now, done > taken ? done : taken);
    go_on(engine, eu, slot, now);
    if (path == RECORD_BARRIER && !engine->failed)
        arrive(engine, group, taken);
}
