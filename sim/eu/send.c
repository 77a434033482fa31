/* Executes messages, and the instructions that wait for their effects. */
#include <assert.h>
#include <string.h>
#include "sim/check/check.h"
#include "sim/eu/barrier.h"
#include "sim/eu/operand.h"
#include "sim/eu/values.h"

enum { GATEWAY = 3, SFID_MASK = 0xf };

static uint32_t address_dword(const struct eu_thread *thread, unsigned subregister)
{
    uint32_t value;
    memcpy(&value, thread->file + EU_FILE_ADDRESS + 4 * (subregister % 8), sizeof value);
    return value;
}

/* Returns the host address of the first of `count` payload registers; NULL for null or none. Faults if they exceed the
 * register file. */
static uint8_t *payload(struct eu_thread *thread, const struct eu_instruction *in, const struct eu_operand *operand,
                        uint32_t count)
{
    if (operand->place == EU_NOWHERE || (operand->place == EU_DIRECT && operand->base < EU_FILE_GENERAL) || count == 0)
        return NULL;
    int64_t offset = operand->base - EU_FILE_GENERAL;
    if (operand->place == EU_INDIRECT) {
        uint16_t address;
        memcpy(&address, thread->file + EU_FILE_ADDRESS + 2 * operand->address, sizeof address);
        offset = (int64_t)address + operand->base;
    }
    if (offset < 0 || offset + (int64_t)count * thread->platform->grf_bytes > thread->general_bytes) {
        eu_thread_fault(thread, in, "payload of %u registers leaves the register file", count);
        return NULL;
    }
    return thread->file + EU_FILE_GENERAL + offset;
}

/* Copies the `count` registers that bytes of s0 name side by side, and returns the host address of the first. */
static uint8_t *gather(struct eu_thread *thread, const struct eu_instruction *in, uint32_t count)
{
    uint32_t size = thread->platform->grf_bytes, names = (uint32_t)in->src[0].base;
    if (count > EU_GATHERED_MOST || names + count > EU_FILE_SCALAR + EU_SCALAR_BYTES) {
        eu_thread_fault(thread, in, "a message gathers %u registers, whose numbers leave s0", count);
        return NULL;
    }
    for (uint32_t i = 0; i < count; i++) {
        uint32_t number = thread->file[names + i], to = EU_FILE_GATHERED + i * size;
        if (number >= thread->platform->grf_count) {
            eu_thread_fault(thread, in, "a message gathers register %u of %u", number, thread->platform->grf_count);
            return NULL;
        }
        memcpy(thread->file + to, thread->file + EU_FILE_GENERAL + number * size, size);
        if (thread->values)
            eu_values_copy(thread, to, EU_FILE_GENERAL + number * size, size);
    }
    return thread->file + EU_FILE_GATHERED;
}

/* The check of the thread's group; NULL: its accesses are not checked. */
static struct check_group *check_of(const struct eu_thread *thread)
{
    return thread->state ? thread->state->check : NULL;
}

/* Skips a whole message: its reply is zeros. */
static enum message_effect leave_out(struct eu_thread *thread, const struct message *message)
{
    thread->fault->dropped = 1;
    if (message->dst)
        memset(message->dst, 0, (size_t)message->dst_regs * thread->platform->grf_bytes);
    return MESSAGE_DONE;
}

/* Dword 2 of the header. */
static uint32_t barrier_payload(const struct message *message)
{
    uint32_t payload = 0;
    if (message->src0)
        memcpy(&payload, message->src0 + 2 * sizeof payload, sizeof payload);
    return payload;
}

static void after_message(struct eu_thread *thread, const struct eu_instruction *in, const struct message *message,
                          enum message_effect effect)
{
    if (effect == MESSAGE_FAULT && thread->state->drop_faults)
        effect = leave_out(thread, message);
    /* Also where only some channels' accesses were left out; the end of a thread is its end nevertheless. */
    if (effect == MESSAGE_FAULT || thread->fault->dropped)
        eu_thread_fault(thread, in, "message failed");
    if (effect == MESSAGE_FAULT)
        return;
    if (effect == MESSAGE_END_OF_THREAD || in->end_of_thread) {
        eu_stop_thread(thread, EU_END);
    } else if (effect == MESSAGE_BARRIER && !eu_barrier_signal(thread, in, barrier_payload(message))) {
        thread->at_barrier = true;
        if (check_of(thread) && thread->active != thread->dispatch)
            check_divergent_barrier(check_of(thread), thread->active, thread->dispatch);
    }
}

struct eu_lengths eu_message_lengths(const struct platform *platform, const struct eu_instruction *in,
                                     uint32_t descriptor, uint32_t extended)
{
    bool in_instruction = platform_has(platform, FEATURE_SEND_LENGTHS) && in->src1_registers != EU_LENGTH_IN_DESCRIPTOR;
    uint32_t src1 = in_instruction ? in->src1_registers : extended >> 6 & 0x1f;
    return (struct eu_lengths){descriptor >> 25 & 0xf, in->src[1].place == EU_NOWHERE ? 0 : src1,
                               descriptor >> 20 & 0x1f};
}

/* Reads the shared function and the numbers of registers from the descriptors. */
static void read_descriptors(const struct platform *platform, const struct eu_instruction *in, struct message *message)
{
    /* Before Gen12 the extended descriptor's low bits are the shared function, also when it comes from a0. */
    message->sfid = platform_has(platform, FEATURE_XE_ENCODING) ? in->sfid : message->extended & SFID_MASK;
    struct eu_lengths lengths = eu_message_lengths(platform, in, message->descriptor, message->extended);
    message->src0_regs = lengths.src0;
    message->src1_regs = lengths.src1;
    message->dst_regs = lengths.dst;
    if (in->dst.place == EU_DIRECT && in->dst.base >= EU_FILE_GENERAL)
        message->dst_room = platform->grf_count - ((unsigned)in->dst.base - EU_FILE_GENERAL) / platform->grf_bytes;
    message->wide_offset = in->wide_offset;
    message->surface_offset = in->surface_offset;
}

static void set_channels(const struct eu_thread *thread, const struct eu_instruction *in, struct message *message)
{
    if (check_of(thread))
        check_group_instruction(check_of(thread), eu_kernel_offset(thread, in));
    message->exec_size = in->exec_size;
    message->exec_mask = eu_enabled_lanes(thread, in);
    message->channel_offset = in->channel_offset;
    message->thread_slot = thread->slot;
}

void eu_execute_send(struct eu_thread *thread, const struct eu_instruction *in)
{
    struct message message = {.state = thread->state, .end_of_thread = in->end_of_thread};
    set_channels(thread, in, &message);
    message.descriptor = in->descriptor_register == EU_DESCRIPTOR_IMMEDIATE
                             ? in->descriptor
                             : address_dword(thread, in->descriptor_register);
    message.extended =
        in->extended_register == EU_DESCRIPTOR_IMMEDIATE ? in->extended : address_dword(thread, in->extended_register);
    read_descriptors(thread->platform, in, &message);
    message.is_gathered = eu_is_gathered(&in->src[0]);
    message.src0 = message.is_gathered ? gather(thread, in, message.src0_regs)
                                       : payload(thread, in, &in->src[0], message.src0_regs);
    message.src1 = payload(thread, in, &in->src[1], message.src1_regs);
    message.dst = payload(thread, in, &in->dst, message.dst_regs);
    if (message.src1 == NULL)
        message.src1_regs = 0;
    if (thread->stop)
        return;
    struct message_values values;
    if (thread->values)
        eu_values_message(thread, in, &message, &values);
    eu_host_control_reset();
    enum message_effect effect = message_send(&message, thread->fault);
    eu_host_control_set(thread);
    after_message(thread, in, &message, effect);
}

/* Executes a message that was decoded with the kernel: its payload registers are known to exist. */
static void execute_planned(struct eu_thread *thread, const struct eu_instruction *in)
{
    struct message message = {.state = thread->state,
                              .plan = in->plan,
                              .end_of_thread = in->end_of_thread,
                              .descriptor = in->descriptor,
                              .extended = in->extended};
    set_channels(thread, in, &message);
    read_descriptors(thread->platform, in, &message);
    message.src0 = thread->file + in->src[0].base;
    message.src1 = message.src1_regs == 0 ? NULL : thread->file + in->src[1].base;
    message.dst = message.dst_regs == 0 ? NULL : thread->file + in->dst.base;
    struct message_values values;
    if (__builtin_expect(thread->values != NULL, 0))
        eu_values_message(thread, in, &message, &values);
    if (in->computes)
        eu_host_control_reset();
    enum message_effect effect = message_send(&message, thread->fault);
    if (in->computes)
        eu_host_control_set(thread);
    after_message(thread, in, &message, effect);
}

/* True if `count` registers from the operand are existing general registers. Zero registers need no operand. */
static bool is_plain_payload(const struct platform *platform, const struct eu_operand *operand, uint32_t count)
{
    if (count == 0)
        return true;
    int64_t last = EU_FILE_GENERAL + (int64_t)platform->grf_bytes * platform->grf_count;
    return operand->place == EU_DIRECT && operand->base >= EU_FILE_GENERAL &&
           operand->base + (int64_t)count * platform->grf_bytes <= last;
}

eu_execute *eu_plan_send(const struct platform *platform, struct eu_instruction *in)
{
    assert(!in->plan);
    static const uint8_t there;
    static uint8_t back;
    struct message shape = {.descriptor = in->descriptor, .extended = in->extended, .end_of_thread = in->end_of_thread};
    if (in->descriptor_register != EU_DESCRIPTOR_IMMEDIATE || in->extended_register != EU_DESCRIPTOR_IMMEDIATE)
        return in->execute;
    read_descriptors(platform, in, &shape);
    if (shape.src0_regs == 0 || !is_plain_payload(platform, &in->src[0], shape.src0_regs) ||
        !is_plain_payload(platform, &in->src[1], shape.src1_regs) ||
        !is_plain_payload(platform, &in->dst, shape.dst_regs))
        return in->execute;
    shape.exec_size = in->exec_size;
    shape.src0 = &there;
    shape.src1 = shape.src1_regs == 0 ? NULL : &there;
    shape.dst = shape.dst_regs == 0 ? NULL : &back;
    in->plan = message_plan_create(platform, &shape);
    if (in->plan == NULL)
        return in->execute;
    in->computes = message_plan_computes(in->plan);
    return execute_planned;
}

/* Gen9 and Gen11 wait for a notification count in n0, which the gateway raises when all threads are at the barrier. */
void eu_execute_wait(struct eu_thread *thread, const struct eu_instruction *in)
{
    if (!thread->at_barrier) {
        eu_thread_fault(thread, in, "wait without a barrier message before it would never end");
        return;
    }
    thread->at_barrier = false;
    eu_stop_thread(thread, EU_BARRIER);
}

/* Gen12: only sync.bar waits for something that the simulator does not complete in order. */
void eu_execute_sync(struct eu_thread *thread, const struct eu_instruction *in)
{
    if (in->function == EU_SYNC_BAR && eu_barrier_is_named(thread, in)) {
        if (eu_barrier_passes(thread, in))
            eu_barrier_pass(thread, in);
    } else if (in->function == EU_SYNC_BAR)
        eu_execute_wait(thread, in);
    else if (in->function == EU_SYNC_HOST)
        eu_thread_fault(thread, in, "sync.host is not implemented");
}
