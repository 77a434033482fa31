/* Issues the instructions of one EU: a thread's order and its dependencies, the ports that threads share. */
#include "sim/timing/engine_internal.h"

#include "sim/eu/instruction.h"

static const struct timing_program *find_program(const struct timing_engine *engine, uint64_t pointer)
{
    const struct timing_program *program = engine->programs;
    while (program && (uintptr_t)program->program != pointer)
        program = program->next;
    return program;
}

bool engine_next_op(struct timing_engine *engine, struct slot *slot)
{
    const struct record_words *runs = &slot->group->record->thread[slot->thread].runs;
    while (slot->left == 0) {
        if (slot->run == runs->count)
            return false;
        uint32_t word = runs->words[slot->run++];
        slot->index = word >> 12;
        slot->left = word & 0xfff;
        if (slot->left > 0)
            continue;
        if (slot->run + 2 > runs->count)
            return false;
        slot->program = find_program(engine, runs->words[slot->run] | (uint64_t)runs->words[slot->run + 1] << 32);
        slot->run += 2;
    }
    if (!slot->program || slot->index >= slot->program->count)
        return false;
    slot->op = &slot->program->op[slot->index++];
    slot->left--;
    return true;
}

static void wait_until(struct slot *slot, uint64_t tick, uint8_t why)
{
    if (tick > slot->at) {
        slot->at = tick;
        slot->cause = why;
    }
}

/* The same up to `own` ticks before. */
static void wait_before(struct slot *slot, caused_tick when, uint64_t own)
{
    uint64_t tick = when >> CAUSE_BITS;
    if (tick > slot->at + own) {
        slot->at = tick - own;
        slot->cause = when & ((1 << CAUSE_BITS) - 1);
    }
}

/* Gen9 and Gen11: hardware looks at registers. A result must not be written before an earlier one of the same register.
 */
static void wait_for_registers(struct slot *slot, const struct timing_op *op)
{
    for (unsigned s = 0; s < op->sources; s++)
        for (unsigned r = op->source[s].first; r < op->source[s].first + op->source[s].count && r < TIMING_REGISTERS;
             r++)
            wait_before(slot, slot->written[r], 0);
    uint64_t own = op->kind == TIMING_MESSAGE ? 0 : op->busy + op->latency;
    for (unsigned r = op->destination.first; r < op->destination.first + op->destination.count && r < TIMING_REGISTERS;
         r++) {
        wait_before(slot, slot->written[r], own);
        if (slot->latest_read > slot->at && r < TIMING_GENERAL)
            wait_until(slot, slot->read[r], TIMING_CAUSE_QUEUE);
    }
}

/* Gen12: the code says what it waits for. */
static void wait_for_tokens(struct slot *slot, const struct timing_op *op)
{
    if (op->distance && op->distance <= slot->in_order_count)
        wait_until(slot, slot->in_order[(slot->in_order_count - op->distance) % DISTANCES], TIMING_CAUSE_DEPENDENCY);
    if (op->wait_written >= 0)
        wait_before(slot, slot->token_written[op->wait_written], 0);
    if (op->wait_read >= 0)
        wait_until(slot, slot->token_read[op->wait_read], TIMING_CAUSE_QUEUE);
    if (op->takes >= 0)
        wait_before(slot, slot->token_written[op->takes], 0);
    for (unsigned t = 0; (op->all_written | op->all_read) && t < TOKENS; t++) {
        if (op->all_written >> t & 1)
            wait_before(slot, slot->token_written[t], 0);
        if (op->all_read >> t & 1)
            wait_until(slot, slot->token_read[t], TIMING_CAUSE_QUEUE);
    }
}

void engine_prepare(struct timing_engine *engine, struct slot *slot)
{
    const struct timing_op *op = slot->op;
    slot->at = slot->next;
    slot->cause = TIMING_CAUSE_DEPENDENCY;
    slot->port = op->port;
    if (slot->latest > slot->at) {
        if (engine->tokens)
            wait_for_tokens(slot, op);
        else
            wait_for_registers(slot, op);
    }
    if (op->kind != TIMING_WAIT)
        return;
    if (slot->group->releases > slot->barriers) {
        wait_until(slot, slot->group->released, TIMING_CAUSE_BARRIER);
    } else {
        slot->waits = true;
        slot->next = slot->at; /* at which it begins to wait */
        slot->at = TIMING_NEVER;
    }
}

/* The tick in the upper bits, the order among slots of the same tick in the lower three: the least word is that of the
 * chosen slot. No branches: they would be as good as random. */
uint64_t engine_choose_slot(const struct timing_engine *engine, struct eu *eu)
{
    const uint8_t *order = engine->order[eu->last];
    uint64_t least = TIMING_NEVER << 3;
#pragma GCC unroll 8
    for (uint32_t i = 0; i < MOST_EU_THREADS; i++) {
        uint64_t is_free = eu->free_of[eu->port[i]], tick = is_free > eu->at[i] ? is_free : eu->at[i];
        uint64_t word = tick << 3 | order[i];
        least = word < least ? word : least;
    }
    uint32_t number = eu->last + 1 + (uint32_t)(least & 7);
    eu->chosen_at = least >> 3;
    eu->chosen = number < engine->threads ? number : number - engine->threads;
    return eu->chosen_at;
}

static unsigned choose_port(const struct eu *eu, unsigned port)
{
    if (port != TIMING_EITHER_FPU)
        return port;
    return eu->free_of[TIMING_PORT_FPU1] < eu->free_of[TIMING_PORT_FPU0] ? TIMING_PORT_FPU1 : TIMING_PORT_FPU0;
}

/* The port is taken up to `end`. */
static void occupy(struct eu *eu, unsigned port, uint64_t end)
{
    eu->free_of[port] = end;
    if (port == TIMING_PORT_FPU0 || port == TIMING_PORT_FPU1) {
        uint64_t first = eu->free_of[TIMING_PORT_FPU0], second = eu->free_of[TIMING_PORT_FPU1];
        eu->free_of[TIMING_EITHER_FPU] = first < second ? first : second;
    }
}

/* Time in which both FPUs work. */
static void count_both(struct timing_engine *engine, const struct eu *eu, unsigned port, uint64_t now, uint64_t end)
{
    uint64_t other = eu->free_of[port == TIMING_PORT_FPU0 ? TIMING_PORT_FPU1 : TIMING_PORT_FPU0];
    if (other > now)
        engine->counts.both += (other < end ? other : end) - now;
}

/* The EU has waited for the slot's instruction up to `now`, and is busy with it up to `end`. */
static void profile(struct timing_engine *engine, const struct eu *eu, const struct slot *slot, uint64_t now,
                    uint64_t end)
{
    struct timing_line *line = &slot->program->line[slot->op - slot->program->op];
    uint64_t from = now > eu->busy_until ? now : eu->busy_until;
    line->executed++;
    line->stalled[slot->cause] += from - eu->busy_until;
    if (slot->cause != TIMING_CAUSE_NO_THREAD)
        timing_profile_spread(engine->profile, TIMING_SERIES_STALLED, eu->busy_until, now);
    if (end <= from)
        return;
    line->active += end - from;
    timing_profile_spread(engine->profile, TIMING_SERIES_ACTIVE, from, end);
}

void engine_take_port(struct timing_engine *engine, struct eu *eu, const struct slot *slot, unsigned port, uint64_t now,
                      uint64_t busy)
{
    struct timing_counts *counts = &engine->counts;
    uint64_t end = now + busy;
    counts->instructions++;
    if (engine->profile)
        profile(engine, eu, slot, now, port == TIMING_NO_PORT ? now : end);
    if (now > eu->busy_until) {
        counts->stalled[slot->cause] += now - eu->busy_until;
        eu->busy_until = now;
    }
    if (port == TIMING_NO_PORT)
        return;
    if (port == TIMING_PORT_FPU0 || port == TIMING_PORT_FPU1)
        count_both(engine, eu, port, now, end);
    occupy(eu, port, end);
    switch (port) {
    case TIMING_PORT_FPU0: counts->fpu0 += busy; break;
    case TIMING_PORT_FPU1: counts->fpu1 += busy; break;
    case TIMING_PORT_MATH: counts->math += busy; break;
    case TIMING_PORT_SEND: counts->send += busy; break;
    default: break;
    }
    if (end > eu->busy_until) {
        counts->active += end - eu->busy_until;
        eu->busy_until = end;
    }
}

static void write_register(struct slot *slot, unsigned reg, uint64_t tick)
{
    slot->written[reg] = caused(tick, TIMING_CAUSE_DEPENDENCY);
    slot->latest = tick > slot->latest ? tick : slot->latest;
}

/* When the results of an instruction that was issued at `now` are there. */
static void note_results(struct timing_engine *engine, struct slot *slot, const struct timing_op *op, uint64_t now)
{
    uint64_t done = now + op->busy + op->latency, flagged = now + op->busy + op->flag_latency;
    if (op->kind != TIMING_PLAIN)
        return;
    if (!engine->tokens) {
        for (unsigned r = op->destination.first;
             r < op->destination.first + op->destination.count && r < TIMING_REGISTERS; r++)
            write_register(slot, r, done);
        if (op->writes_flag)
            write_register(slot, op->flag, flagged);
        return;
    }
    if (op->writes_flag && flagged > done)
        done = flagged;
    slot->latest = done > slot->latest ? done : slot->latest;
    if (op->takes >= 0) {
        slot->token_written[op->takes] = caused(done, TIMING_CAUSE_DEPENDENCY);
        slot->token_read[op->takes] = now + op->busy;
    } else {
        slot->in_order[slot->in_order_count++ % DISTANCES] = done;
    }
}

/* Issues an instruction that is no message. */
static void issue(struct timing_engine *engine, struct eu *eu, struct slot *slot, unsigned port, uint64_t now)
{
    const struct timing_op *op = slot->op;
    uint64_t interval = engine->k[TIMING_issue_interval];
    engine_prefetch(slot);
    engine_take_port(engine, eu, slot, port, now, op->busy);
    note_results(engine, slot, op, now);
    if (op->kind == TIMING_WAIT)
        slot->barriers++;
    if (op->kind == TIMING_BRANCH && op->busy > interval)
        interval = op->busy;
    slot->next = now + interval;
    eu->last = (uint32_t)(slot - eu->slot);
    if (engine_next_op(engine, slot))
        engine_prepare(engine, slot);
    else
        engine->failed = true; /* a thread ends by a message */
    engine_note_slot(eu, slot);
}

uint64_t engine_issue(struct timing_engine *engine, struct eu *eu, uint64_t horizon)
{
    for (;;) {
        uint64_t at = engine_choose_slot(engine, eu);
        if (at >= horizon || eu->sends[eu->chosen] || engine->failed)
            return at;
        struct slot *slot = &eu->slot[eu->chosen];
        issue(engine, eu, slot, choose_port(eu, slot->port), at);
    }
}
