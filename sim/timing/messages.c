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
            engine_note_slot(eu, slot);
            changed = true;
        }
        if (changed) {
            uint64_t at;
            unsigned port;
            engine_first_slot(eu, engine->threads, &at, &port);
            engine_set_key(engine, number, at);
        }
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
            slot->token_written[op->takes] = message->destination_registers ? done : taken;
            slot->token_read[op->takes] = taken;
            slot->token_why[op->takes] = why;
        }
        return;
    }
    for (unsigned r = 0; r < message->destination_registers && op->back + r < TIMING_GENERAL; r++) {
        slot->written[op->back + r] = done;
        slot->why[op->back + r] = why;
    }
    for (unsigned s = 0; s < op->sources; s++)
        for (unsigned r = op->source[s].first; r < op->source[s].first + op->source[s].count && r < TIMING_GENERAL; r++)
            slot->read[r] = taken;
}

void engine_send(struct timing_engine *engine, struct eu *eu, struct slot *slot, uint64_t now)
{
    const struct record_words *words = &slot->group->record->thread[slot->thread].messages;
    const struct timing_op *op = slot->op;
    uint32_t size;
    if (slot->message + 2 > words->count) {
        engine->failed = true;
        return;
    }
    struct timing_message message = timing_message_read(words->words + slot->message, &size);
    uint64_t accepted, done = timing_memory_send(engine->memory, eu->subslice, now, &message, &accepted);
    if (accepted > now) {
        slot->at = accepted;
        slot->cause = TIMING_CAUSE_QUEUE;
        engine_note_slot(eu, slot);
        return;
    }
    uint64_t taken =
        now + engine->k[TIMING_payload_start] + message.source_registers * engine->k[TIMING_payload_register];
    engine_take_port(engine, eu, slot, TIMING_PORT_SEND, now, op->busy);
    slot->message += size;
    note_message(engine, slot, &message, taken, done);
    slot->next = now + engine->k[TIMING_issue_interval];
    eu->last = (uint32_t)(slot - eu->slot);
    if (op->is_end) {
        engine_thread_ended(engine, eu, slot, now);
        return;
    }
    struct running_group *group = slot->group;
    if (!engine_next_op(engine, slot)) {
        engine->failed = true;
        return;
    }
    engine_prepare(engine, slot);
    engine_note_slot(eu, slot);
    if (message.path == RECORD_BARRIER)
        arrive(engine, group, taken);
}
