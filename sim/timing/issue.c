/* Issues the instructions of one EU: a thread's order and its dependencies, the ports that threads share. */
#include "sim/timing/engine_internal.h"

#include "sim/eu/instruction.h"
#include "sim/timing/clock_readings.h"

static const struct timing_program *find_program(const struct timing_engine *engine, uint64_t pointer)
{
    const struct timing_program *program = engine->programs;
    while (program && (uintptr_t)program->program != pointer)
        program = program->next;
    return program;
}

/* The thread's next run of instructions. False: there is none, or it is invalid. */
static bool next_run(struct timing_engine *engine, struct slot *slot)
{
    while (slot->run < slot->runs_end) {
        uint32_t word = *slot->run++, index = word >> 12, count = word & 0xfff;
        if (count > 0) {
            if (!slot->program || index >= slot->program->count || count > slot->program->count - index)
                return false;
            slot->op = &slot->program->op[index];
            slot->left = count - 1;
            __builtin_prefetch(slot->run + HOST_LINE / sizeof *slot->run);
            return true;
        }
        if (slot->runs_end - slot->run < 2)
            return false;
        slot->program = find_program(engine, slot->run[0] | (uint64_t)slot->run[1] << 32);
        slot->run += 2;
    }
    return false;
}

static inline bool next_op(struct timing_engine *engine, struct slot *slot)
{
    if (slot->left == 0)
        return next_run(engine, slot);
    slot->op++;
    slot->left--;
    return true;
}

bool engine_next_op(struct timing_engine *engine, struct slot *slot)
{
    return next_op(engine, slot);
}

/* Its instruction waits for an answer whose time is not known. */
static bool is_blocked(const struct slot *slot)
{
    return slot->at > TIMING_NEVER / 2;
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

/* Waits until the registers are written that bits of `set` name, the first of them `first`. */
static void wait_for_set(struct slot *slot, uint64_t set, unsigned first, uint64_t own)
{
    for (; set; set &= set - 1)
        wait_before(slot, slot->written[first + (unsigned)__builtin_ctzll(set)], own);
}

/* Registers of the instruction are in `pending`, `other`. What it reads is there when it is issued. */
static void wait_for_pending(struct slot *slot, const struct timing_op *op, const uint64_t *pending, unsigned other)
{
    uint64_t own = op->kind == TIMING_MESSAGE ? 0 : op->busy + op->latency;
    for (unsigned i = 0; i < TIMING_SET_WORDS; i++)
        wait_for_set(slot, pending[i] & op->reads[i], i * TIMING_SET_BITS, 0);
    wait_for_set(slot, other & op->reads_other, TIMING_GENERAL, 0);
    for (unsigned i = 0; i < TIMING_SET_WORDS; i++)
        wait_for_set(slot, pending[i] & op->writes[i], i * TIMING_SET_BITS, own);
    wait_for_set(slot, other & op->writes_other, TIMING_GENERAL, own);
    for (unsigned i = 0; i < TIMING_SET_WORDS && !is_blocked(slot); i++)
        slot->pending[PENDING_SENT][i] &= ~op->reads[i];
}

/* The older instructions have written their registers: the young ones are older now. */
static void grow_older(struct slot *slot)
{
    for (unsigned i = 0; i < TIMING_SET_WORDS; i++) {
        slot->pending[PENDING_OLDER][i] = slot->pending[PENDING_YOUNG][i];
        slot->pending[PENDING_YOUNG][i] = 0;
    }
    slot->pending_other[PENDING_OLDER] = slot->pending_other[PENDING_YOUNG];
    slot->pending_other[PENDING_YOUNG] = 0;
    slot->older_until = slot->young_until;
}

/* Gen9 and Gen11: hardware looks at registers. A result must not be written before an earlier one of the same register.
 */
static void wait_for_registers(struct slot *slot, const struct timing_op *op)
{
    uint64_t pending[TIMING_SET_WORDS], any = 0;
    if (slot->older_until <= slot->at)
        grow_older(slot);
    for (unsigned i = 0; i < TIMING_SET_WORDS; i++) {
        pending[i] = slot->pending[PENDING_OLDER][i] | slot->pending[PENDING_YOUNG][i] | slot->pending[PENDING_SENT][i];
        any |= pending[i] & (op->reads[i] | op->writes[i]);
    }
    unsigned other = slot->pending_other[PENDING_OLDER] | slot->pending_other[PENDING_YOUNG];
    if (any || (other & (op->reads_other | op->writes_other)))
        wait_for_pending(slot, op, pending, other);
    if (!((slot->reading[0] & op->writes[0]) | (slot->reading[1] & op->writes[1])) || is_blocked(slot))
        return;
    if (slot->latest_read <= slot->at) {
        slot->reading[0] = slot->reading[1] = 0;
        return;
    }
    for (unsigned r = op->destination.first; r < op->destination.first + op->destination.count && r < TIMING_GENERAL;
         r++)
        wait_until(slot, slot->read[r], TIMING_CAUSE_QUEUE);
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

static inline void prepare(struct timing_engine *engine, struct slot *slot)
{
    const struct timing_op *op = slot->op;
    slot->at = slot->next;
    slot->cause = TIMING_CAUSE_DEPENDENCY;
    if (slot->latest > slot->at || slot->unanswered) {
        if (engine->tokens)
            wait_for_tokens(slot, op);
        else
            wait_for_registers(slot, op);
        if (is_blocked(slot)) { /* prepared again when the answer's time is known */
            slot->at = TIMING_NEVER;
            return;
        }
    }
    if (__builtin_expect(op->kind != TIMING_WAIT, 1))
        return;
    if (slot->group->releases > slot->barriers) {
        wait_until(slot, slot->group->released, TIMING_CAUSE_BARRIER);
    } else {
        slot->waits = true;
        slot->next = slot->at; /* at which it begins to wait */
        slot->at = TIMING_NEVER;
    }
}

void engine_prepare(struct timing_engine *engine, struct slot *slot)
{
    prepare(engine, slot);
}

/* The compiler makes no branches of these two: they would be as good as random. */
static inline eu_tick later(eu_tick a, eu_tick b)
{
    return a > b ? a : b;
}

static inline eu_tick earlier(eu_tick a, eu_tick b)
{
    return a < b ? a : b;
}

/* The least of the slots' ticks with their order in the lowest bits is that of the chosen slot. Without branches, as
 * above. */
static inline uint64_t choose_slot(const struct timing_engine *engine, struct eu *eu)
{
    const eu_tick *order = engine->order[eu->last];
    eu_tick tick[MOST_EU_THREADS];
#pragma GCC unroll 8
    for (uint32_t i = 0; i < MOST_EU_THREADS; i++)
        tick[i] = later(eu->free_of[eu->port[i]], eu->at[i]) + order[i];
    eu_tick least = earlier(earlier(earlier(tick[0], tick[1]), earlier(tick[2], tick[3])),
                            earlier(earlier(tick[4], tick[5]), earlier(tick[6], tick[7])));
    uint32_t number = eu->last + 1 + (uint32_t)(least & ((1 << ORDER_BITS) - 1));
    eu->chosen_at = least >> ORDER_BITS;
    eu->chosen = number < engine->threads ? number : number - engine->threads;
    return eu->chosen_at;
}

/* Without branches, as above. */
void engine_defer(struct eu *eu, const uint64_t *queue, uint64_t now, uint64_t accepted)
{
#pragma GCC unroll 8
    for (uint32_t i = 0; i < MOST_EU_THREADS; i++) {
        bool waits = (eu->queue[i] == queue) & (eu->at[i] <= eu_tick_of(now));
        eu->at[i] = waits ? eu_tick_of(accepted) : eu->at[i];
    }
}

uint64_t engine_choose_slot(const struct timing_engine *engine, struct eu *eu)
{
    const uint64_t *queue = eu->queue[eu->chosen];
    if (eu->parked) { /* the slots of that queue wait for its room, which the EU has not noted */
        eu->chosen_at = timing_memory_accepts(queue, engine->k[TIMING_message_queue], eu->chosen_at);
        engine_defer(eu, queue, eu->chosen_at, eu->chosen_at);
    }
    return choose_slot(engine, eu);
}

uint64_t engine_others_at(const struct eu *eu)
{
    const uint64_t *queue = eu->queue[eu->chosen];
    eu_tick least = eu_tick_of(TIMING_NEVER);
#pragma GCC unroll 8
    for (uint32_t i = 0; i < MOST_EU_THREADS; i++) {
        eu_tick at = later(eu->free_of[eu->port[i]], eu->at[i]);
        least = earlier(least, eu->queue[i] == queue ? least : at);
    }
    return least >> ORDER_BITS;
}

static unsigned choose_port(const struct eu *eu, unsigned port)
{
    if (port != TIMING_EITHER_FPU)
        return port;
    return eu->free_of[TIMING_PORT_FPU1] < eu->free_of[TIMING_PORT_FPU0] ? TIMING_PORT_FPU1 : TIMING_PORT_FPU0;
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

void engine_note_event(struct timing_engine *engine, const struct eu *eu, const struct slot *slot, uint8_t path,
                       uint64_t from, uint64_t to)
{
    const struct timing_event event = {.from = from,
                                       .to = to,
                                       .subslice = (uint16_t)eu->subslice,
                                       .eu = (uint8_t)((uint32_t)(eu - engine->eu) % engine->eus_each),
                                       .slot = (uint8_t)(slot - eu->slot),
                                       .path = path};
    timing_profile_event(engine->profile, &event);
}

/* The FPU is taken up to `end`. Returns the time in which both work. */
static uint64_t take_fpu(struct eu *eu, unsigned port, uint64_t now, uint64_t end)
{
    eu_tick other = eu->free_of[port == TIMING_PORT_FPU0 ? TIMING_PORT_FPU1 : TIMING_PORT_FPU0], here = eu_tick_of(end);
    eu_tick first = earlier(other, here);
    eu->free_of[port] = here;
    eu->free_of[TIMING_EITHER_FPU] = first;
    return (later(first, eu_tick_of(now)) - eu_tick_of(now)) >> ORDER_BITS;
}

static inline void take_port(struct timing_engine *engine, struct eu *eu, const struct slot *slot, unsigned port,
                             uint64_t now, uint64_t busy)
{
    struct timing_counts *counts = &eu->part->counts;
    uint64_t end = port == TIMING_NO_PORT ? now : now + busy, before = eu->busy_until;
    counts->instructions++;
    if (__builtin_expect(engine->profile != NULL, 0))
        profile(engine, eu, slot, now, end);
    uint64_t from = now > before ? now : before, to = end > from ? end : from;
    counts->stalled[slot->cause] += from - before;
    counts->active += to - from;
    eu->busy_until = to;
    if (port == TIMING_PORT_FPU0 || port == TIMING_PORT_FPU1)
        counts->both += take_fpu(eu, port, now, end);
    else if (port != TIMING_NO_PORT)
        eu->free_of[port] = eu_tick_of(end);
    eu->part->busy[port] += busy;
}

void engine_take_port(struct timing_engine *engine, struct eu *eu, const struct slot *slot, unsigned port, uint64_t now,
                      uint64_t busy)
{
    take_port(engine, eu, slot, port, now, busy);
}

/* The slot's registers are not all there before `done`. */
static void note_latest(struct slot *slot, uint64_t done)
{
    slot->latest = done > slot->latest ? done : slot->latest;
    slot->young_until = done > slot->young_until ? done : slot->young_until;
}

static void note_written(struct slot *slot, const struct timing_op *op, uint64_t done)
{
    unsigned end = op->destination.first + op->destination.count;
    for (unsigned r = op->destination.first; r < end && r < TIMING_REGISTERS; r++)
        slot->written[r] = caused(done, TIMING_CAUSE_DEPENDENCY);
    for (unsigned i = 0; i < TIMING_SET_WORDS; i++)
        slot->pending[PENDING_YOUNG][i] |= op->writes[i];
    slot->pending_other[PENDING_YOUNG] |= op->writes_other;
    if (op->destination.count > 0)
        note_latest(slot, done);
}

static void note_flag(struct slot *slot, const struct timing_op *op, uint64_t done)
{
    slot->written[op->flag] = caused(done, TIMING_CAUSE_DEPENDENCY);
    slot->pending_other[PENDING_YOUNG] |= (uint8_t)(1 << (op->flag - TIMING_GENERAL));
    note_latest(slot, done);
}

/* When the results of an instruction that was issued at `now` are there. */
static void note_results(struct timing_engine *engine, struct slot *slot, const struct timing_op *op, uint64_t now)
{
    uint64_t done = now + op->busy + op->latency, flagged = now + op->busy + op->flag_latency;
    if (op->kind != TIMING_PLAIN)
        return;
    if (!engine->tokens) {
        note_written(slot, op, done);
        if (op->writes_flag)
            note_flag(slot, op, flagged);
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
static void issue(struct timing_engine *engine, struct eu *eu, struct slot *slot, uint64_t now)
{
    const struct timing_op *op = slot->op;
    uint64_t interval = engine->k[TIMING_issue_interval];
    __builtin_prefetch(op + 1);
    if (__builtin_expect(op->reads_clock && engine->shape.readings, 0))
        clock_readings_add(engine->shape.readings, slot->group->record->index, slot->thread, now);
    take_port(engine, eu, slot, choose_port(eu, op->port), now, op->busy);
    note_results(engine, slot, op, now);
    if (op->kind == TIMING_WAIT)
        slot->barriers++;
    if (op->kind == TIMING_BRANCH && op->busy > interval)
        interval = op->busy;
    slot->next = now + interval;
    eu->last = eu->chosen;
    if (next_op(engine, slot))
        prepare(engine, slot);
    else
        eu->part->failed = true; /* a thread ends by a message */
    engine_note_slot(eu, slot, eu->last);
}

uint64_t engine_issue(struct timing_engine *engine, struct eu *eu, uint64_t horizon)
{
    for (;;) {
        uint64_t at = choose_slot(engine, eu);
        if (at >= horizon || engine_sends(eu) || eu->part->failed)
            return at;
        issue(engine, eu, &eu->slot[eu->chosen], at);
    }
}
