/* Counts the instructions of a thread for --stats and passes them to the trace. For observed threads the interpreter
 * calls this code instead of in->execute(); the results are the same. */
#include "sim/eu/scoreboard.h"

#include <assert.h>
#include "sim/eu/barrier.h"
#include "sim/eu/pair.h"
#include "sim/eu/values.h"
#include "sim/timing/record.h"

enum eu_class { MOVE, COMPARE, BITS, INTEGER, REAL, MATH, CONTROL, MESSAGE, WAIT };

_Static_assert(WAIT + 1 == EU_CLASSES, "every class has a name");

const char *eu_class_name(unsigned class)
{
    assert(class < EU_CLASSES);
    static const char *const names[EU_CLASSES] = {
        [MOVE] = "move",           [COMPARE] = "compare and select", [BITS] = "logic and shift", [INTEGER] = "integer",
        [REAL] = "floating point", [MATH] = "extended math",         [CONTROL] = "control flow", [MESSAGE] = "message",
        [WAIT] = "synchronisation"};
    return names[class];
}

static bool moves_bits(enum eu_opcode op)
{
    switch (op) {
    case EU_OP_SHL:
    case EU_OP_SHR:
    case EU_OP_ASR:
    case EU_OP_ROL:
    case EU_OP_ROR:
    case EU_OP_BFREV:
    case EU_OP_BFE:
    case EU_OP_BFI1:
    case EU_OP_BFI2:
    case EU_OP_CBIT:
    case EU_OP_FBH:
    case EU_OP_FBL:
    case EU_OP_LZD: return true;
    default: return false;
    }
}

static enum eu_class class_of(const struct eu_instruction *in)
{
    enum eu_opcode op = (enum eu_opcode)(in->op - eu_op_table);
    if (in->op->execute == EU_EXECUTE_send)
        return MESSAGE;
    if (op == EU_OP_WAIT || op == EU_OP_SYNC || op == EU_OP_NOP)
        return WAIT;
    if (in->op->execute == EU_EXECUTE_dpas)
        return in->dst.type == EU_F ? REAL : INTEGER;
    if (in->op->execute != EU_EXECUTE_alu)
        return CONTROL;
    if (op == EU_OP_MOV || op == EU_OP_MOVI || op == EU_OP_SMOV)
        return MOVE;
    if (in->op->properties & (EU_PROPERTY_COMPARE | EU_PROPERTY_SELECT))
        return COMPARE;
    if (in->op->properties & EU_PROPERTY_LOGIC || moves_bits(op))
        return BITS;
    if (op == EU_OP_MATH)
        return MATH;
    return in->domain == EU_INTEGER ? INTEGER : REAL;
}

void eu_program_classes(const struct eu_program *program, const struct eu_count *counts, struct eu_count *totals)
{
    assert(counts && totals);
    for (size_t i = 0; i < program->count; i++) {
        struct eu_count *total = &totals[class_of(&program->instructions[i])];
        total->issued += counts[i].issued;
        total->channels += counts[i].channels;
    }
}

void eu_thread_observe(struct eu_thread *thread, struct eu_count *counts, const struct eu_trace *trace)
{
    assert(thread->program); /* eu_thread_start() was called */
    thread->counts = counts;
    thread->trace = trace;
}

void eu_thread_record(struct eu_thread *thread, struct thread_record *record)
{
    assert(thread->program);
    thread->record = record;
}

void eu_thread_clock(struct eu_thread *thread, const uint64_t *next, const uint64_t *end)
{
    assert(thread->program && (next || !end));
    thread->clock = next;
    thread->clock_end = end;
    thread->clock_read = 0;
    thread->clock_read_at = UINT64_MAX; /* no instruction has read it */
}

/* Returns the active channels of an instruction. The predicate of sel selects a source; it disables no channel. */
static uint32_t channels_on(const struct eu_thread *thread, const struct eu_instruction *in)
{
    if ((in->op->properties & EU_PROPERTY_SELECT) && in->condition == EU_ALWAYS)
        return in->no_mask ? in->lanes_mask : thread->active >> in->channel_offset & in->lanes_mask;
    return eu_enabled_lanes(thread, in);
}

void eu_thread_watch(struct eu_thread *thread, eu_watcher *watcher, void *context)
{
    assert(thread->program);
    thread->watcher = watcher;
    thread->watch_context = context;
}

static void show(struct eu_thread *thread, const struct eu_instruction *in)
{
    const struct eu_view view = {.program = thread->program,
                                 .index = (uint32_t)(in - thread->program->instructions),
                                 .offset = eu_kernel_offset(thread, in),
                                 .opcode = in->op->mnemonic,
                                 .class = class_of(in),
                                 .lanes = in->exec_size,
                                 .enabled = channels_on(thread, in),
                                 .active = thread->active,
                                 .is_predicated = in->predicate != EU_NO_PREDICATE,
                                 .registers = thread->file + EU_FILE_GENERAL};
    thread->watcher(thread->watch_context, &view);
}

void eu_execute_observed(struct eu_thread *thread, const struct eu_instruction *in)
{
    assert(in >= thread->program->instructions && in < thread->program->instructions + thread->program->count);
    if (eu_is_shared(in) && !eu_pair_meets(thread, in))
        return; /* it is seen when it executes */
    if (in->op == &eu_op_table[EU_OP_SYNC] && eu_barrier_is_named(thread, in) && !eu_barrier_passes(thread, in))
        return;
    if (thread->counts) {
        struct eu_count *count = &thread->counts[in - thread->program->instructions];
        count->issued++;
        uint32_t on = channels_on(thread, in);
        count->channels += on == in->lanes_mask ? in->exec_size : (unsigned)__builtin_popcount(on);
    }
    if (thread->record)
        record_step(thread->record, thread->program, (uint32_t)(in - thread->program->instructions));
    if (thread->watcher)
        show(thread, in);
    if (thread->trace)
        eu_trace_before(thread, in);
    if (thread->scoreboard != NULL && !eu_scoreboard_step(thread->scoreboard, thread, in))
        return;
    if (thread->values)
        eu_values_step(thread, in);
    in->execute(thread, in);
    if (thread->trace)
        eu_trace_after(thread, in);
}
