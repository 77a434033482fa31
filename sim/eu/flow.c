/* Executes control flow with one model: each channel has an instruction pointer of its own.
 *
 * Channels of `thread->active` are at thread->ip. Every other dispatched channel waits, and thread->resume has the
 * instruction at which it becomes active again; the interpreter activates it when ip gets there. A branch makes some
 * channels wait at its target. If none of the instruction's channels remains active, ip jumps to JIP, where the next
 * waiting channels are. (Intel PRM, Skylake volume 7, "EU flow control": PcIP per channel, JIP and UIP.)
 *
 * thread->ip is already at the following instruction when these functions run. */
#include <string.h>
#include "sim/eu/operand.h"

/* Returns the channels of an instruction, as a mask over all channels. */
static uint32_t concerned(const struct eu_instruction *in)
{
    return in->lanes_mask << in->channel_offset;
}

/* Returns the executing channels for which the instruction's predicate holds. */
static uint32_t taken(const struct eu_thread *thread, const struct eu_instruction *in)
{
    return eu_enabled_lanes(thread, in) << in->channel_offset & thread->active;
}

/* Returns the pointer of instruction `index` of the thread's program; EU_NO_TARGET, an invalid address, for no
 * instruction. */
static uint32_t pointer_of(const struct eu_thread *thread, uint32_t index)
{
    return index < thread->program->count ? eu_pointer(thread, &thread->program->instructions[index]) : EU_NO_TARGET;
}

static void wait_for(struct eu_thread *thread, uint32_t channels, uint32_t pointer)
{
    thread->active &= ~channels;
    for (uint32_t rest = channels; rest != 0; rest &= rest - 1)
        thread->resume[__builtin_ctz(rest)] = pointer;
}

static void wait_at(struct eu_thread *thread, uint32_t channels, uint32_t target)
{
    wait_for(thread, channels, pointer_of(thread, target));
}

/* Jumps to `target` if none of the instruction's channels is active any more. */
static void jump_if_idle(struct eu_thread *thread, const struct eu_instruction *in, uint32_t target)
{
    if ((thread->active & concerned(in)) == 0 && target != EU_NO_TARGET)
        thread->ip = target;
}

/* False, with the fault raised, if the branch's target comes from a register. */
static bool has_target(struct eu_thread *thread, const struct eu_instruction *in, uint32_t target)
{
    if (target == EU_NO_TARGET)
        eu_thread_fault(thread, in, "branch through a register is not implemented");
    return target != EU_NO_TARGET;
}

/* if: channels whose predicate is false wait at JIP (after else, or at endif). */
void eu_execute_if(struct eu_thread *thread, const struct eu_instruction *in)
{
    uint32_t skip = thread->active & concerned(in) & ~taken(thread, in);
    if (in->function != 0) {
        eu_thread_fault(thread, in, "if with branch control is not implemented");
        return;
    }
    wait_at(thread, skip, in->jip);
    jump_if_idle(thread, in, in->jip);
}

/* else: channels that executed the first block wait at UIP (endif). Channels of the second block wait right after
 * else. */
void eu_execute_else(struct eu_thread *thread, const struct eu_instruction *in)
{
    if (in->function != 0) {
        eu_thread_fault(thread, in, "else with branch control is not implemented");
        return;
    }
    uint32_t next = pointer_of(thread, thread->ip);
    wait_at(thread, thread->active & concerned(in), in->uip);
    uint32_t waiting = 0;
    for (uint32_t rest = thread->dispatch & ~thread->active & concerned(in); rest != 0; rest &= rest - 1)
        waiting |= thread->resume[__builtin_ctz(rest)] == next;
    if (!waiting && has_target(thread, in, in->jip))
        thread->ip = in->jip;
}

/* endif, join: waiting channels have become active. If none did, ip jumps to JIP. */
void eu_execute_join(struct eu_thread *thread, const struct eu_instruction *in)
{
    jump_if_idle(thread, in, in->jip);
}

/* while: channels whose predicate holds go back to JIP; the others, and channels that executed break, wait after it.
 */
void eu_execute_while(struct eu_thread *thread, const struct eu_instruction *in)
{
    uint32_t again = taken(thread, in);
    if (again == 0 || !has_target(thread, in, in->jip))
        return;
    wait_at(thread, thread->active & concerned(in) & ~again, thread->ip);
    thread->ip = in->jip;
}

/* break: UIP is the loop's while. Channels that leave must not evaluate its predicate: they wait after it. */
void eu_execute_break(struct eu_thread *thread, const struct eu_instruction *in)
{
    if (!has_target(thread, in, in->uip))
        return;
    const struct eu_instruction *at = &thread->program->instructions[in->uip];
    uint32_t target = at->op == &eu_op_table[EU_OP_WHILE] ? in->uip + 1 : in->uip;
    wait_at(thread, taken(thread, in), target);
    jump_if_idle(thread, in, in->jip);
}

/* cont, halt, brc: channels whose predicate holds wait at UIP. */
void eu_execute_leave(struct eu_thread *thread, const struct eu_instruction *in)
{
    if (!has_target(thread, in, in->uip))
        return;
    wait_at(thread, taken(thread, in), in->uip);
    jump_if_idle(thread, in, in->jip);
}

/* goto: without branch control it is like cont, but up to Gen9 the channels whose predicate does not hold leave. With
 * branch control (loops: UIP is a backward target), channels whose predicate holds go back to UIP at once and the
 * others wait after the goto; JIP is used if no channel executes it. */
void eu_execute_goto(struct eu_thread *thread, const struct eu_instruction *in)
{
    uint32_t go = taken(thread, in), stay = thread->active & concerned(in) & ~go;
    if (in->function == 0) {
        bool leaves_on_false = platform_has(thread->platform, FEATURE_GOTO_IF_FALSE);
        wait_at(thread, leaves_on_false ? stay : go, in->uip);
        jump_if_idle(thread, in, in->jip);
    } else if (go == 0) {
        jump_if_idle(thread, in, in->jip);
    } else if (has_target(thread, in, in->uip)) {
        wait_at(thread, stay, thread->ip);
        thread->ip = in->uip;
    }
}

/* brd: channels whose predicate holds go to JIP. */
void eu_execute_brd(struct eu_thread *thread, const struct eu_instruction *in)
{
    if (!has_target(thread, in, in->jip))
        return;
    wait_at(thread, taken(thread, in), in->jip);
    jump_if_idle(thread, in, in->jip);
}

/* The index of the instruction at byte `offset` of the kernel. */
static uint32_t index_at(const struct eu_program *program, uint32_t offset)
{
    return offset % 8 == 0 && offset < program->extent ? program->index[offset / 8] : EU_NO_TARGET;
}

int eu_program_starts_at(const struct eu_program *program, uint32_t offset)
{
    return index_at(program, offset) != EU_NO_TARGET;
}

/* Continues at `pointer`, in the thread's program or in other code. */
static void go_to(struct eu_thread *thread, const struct eu_instruction *in, uint32_t pointer)
{
    uint32_t index = index_at(thread->program, pointer - thread->origin);
    if (index != EU_NO_TARGET) {
        thread->ip = index;
        return;
    }
    const struct eu_code *code =
        thread->find_code != NULL ? thread->find_code(thread->find_context, pointer, thread->fault) : NULL;
    if (code == NULL) {
        eu_thread_fault(thread, in, "%s to 0x%x, where no instruction starts", in->op->mnemonic, pointer);
        return;
    }
    thread->program = code->program;
    thread->origin = code->ip;
    thread->counts = code->counts;
    thread->ip = index_at(code->program, pointer - code->ip);
    eu_stop_thread(thread, (enum eu_stop)(EU_MOVED - 1));
}

/* The dword that a branch through a register adds to its own pointer. */
static uint32_t distance(const struct eu_thread *thread, const struct eu_instruction *in)
{
    uint32_t bytes;
    memcpy(&bytes, thread->file + in->src[0].base, sizeof bytes);
    return bytes;
}

/* jmpi: a scalar jump of all channels. Up to Gen11 a register's distance counts from the next instruction. */
void eu_execute_jmpi(struct eu_thread *thread, const struct eu_instruction *in)
{
    if (in->predicate != EU_NO_PREDICATE && !(eu_predicate_lanes(thread, in) & 1))
        return;
    if (in->jip != EU_NO_TARGET) {
        thread->ip = in->jip;
        return;
    }
    if (in->src[0].place != EU_DIRECT) {
        eu_thread_fault(thread, in, "jmpi through an indirect register is not implemented");
        return;
    }
    uint32_t from = eu_pointer(thread, in) + (platform_has(thread->platform, FEATURE_JMPI_FROM_NEXT) ? in->size : 0);
    go_to(thread, in, from + distance(thread, in));
}

/* Remembers a call for debuggers. */
static void push_call(struct eu_thread *thread, uint32_t back)
{
    if (thread->call_depth < EU_MOST_CALLS)
        thread->calls[thread->call_depth] = back;
    thread->call_depth++;
}

/* Forgets the innermost call that returns to `back`, and the calls inside it. */
static void pop_call(struct eu_thread *thread, uint32_t back)
{
    for (unsigned depth = thread->call_depth; depth > 0; depth--)
        if (depth <= EU_MOST_CALLS && thread->calls[depth - 1] == back) {
            thread->call_depth = depth - 1;
            return;
        }
}

/* call, calla: dst.0 = return address (as in ip), dst.1 = the calling channels. */
void eu_execute_call(struct eu_thread *thread, const struct eu_instruction *in)
{
    uint32_t callers = taken(thread, in);
    if (in->dst.place != EU_DIRECT || (in->jip == EU_NO_TARGET && in->src[0].place != EU_DIRECT)) {
        eu_thread_fault(thread, in, "call through an indirect register is not implemented");
        return;
    }
    if (callers == 0)
        return;
    bool absolute = in->op == &eu_op_table[EU_OP_CALLA];
    uint32_t target = absolute ? 0 : eu_pointer(thread, in);
    if (in->jip == EU_NO_TARGET)
        target += distance(thread, in);
    else
        target += thread->program->instructions[in->jip].offset - (absolute ? 0 : in->offset);
    uint32_t linkage[2] = {eu_pointer(thread, in) + in->size, callers};
    memcpy(thread->file + in->dst.base, linkage, sizeof linkage);
    wait_at(thread, thread->active & ~callers, thread->ip);
    push_call(thread, linkage[0]);
    go_to(thread, in, target);
}

/* ret: channels whose predicate holds wait at the return address; control goes there when all channels wait. */
void eu_execute_ret(struct eu_thread *thread, const struct eu_instruction *in)
{
    if (in->src[0].place != EU_DIRECT) {
        eu_thread_fault(thread, in, "ret through an indirect register is not implemented");
        return;
    }
    uint32_t target = distance(thread, in);
    wait_for(thread, taken(thread, in), target);
    if ((thread->active & concerned(in)) == 0) {
        pop_call(thread, target);
        go_to(thread, in, target);
    }
}

void eu_execute_nop(struct eu_thread *thread, const struct eu_instruction *in)
{
    (void)thread, (void)in;
}

void eu_execute_illegal(struct eu_thread *thread, const struct eu_instruction *in)
{
    eu_thread_fault(thread, in, "illegal instruction");
}
