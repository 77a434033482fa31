/* Messages, and the instructions that wait for what they start. */
#include <string.h>
#include "sim/eu/operand.h"

enum { GATEWAY = 3, SFID_MASK = 0xf };

static uint32_t address_dword(const struct eu_thread *thread, unsigned subregister)
{
    uint32_t value;
    memcpy(&value, thread->file + EU_FILE_ADDRESS + 4 * (subregister % 8), sizeof value);
    return value;
}

/* Host address of the first of `count` payload registers; NULL for null or none. Faults when they leave the file. */
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

static void after_message(struct eu_thread *thread, const struct eu_instruction *in, enum message_effect effect)
{
    if (effect == MESSAGE_FAULT) {
        eu_thread_fault(thread, in, "message failed");
    } else if (effect == MESSAGE_END_OF_THREAD || in->end_of_thread) {
        eu_stop_thread(thread, EU_END);
    } else if (effect == MESSAGE_BARRIER) {
        thread->at_barrier = true;
    }
}

void eu_execute_send(struct eu_thread *thread, const struct eu_instruction *in)
{
    struct message message = {.state = thread->state, .end_of_thread = in->end_of_thread};
    message.exec_size = in->exec_size;
    message.exec_mask = eu_enabled_lanes(thread, in);
    message.channel_offset = in->channel_offset;
    message.thread_slot = thread->slot;
    message.descriptor = in->descriptor_register == EU_DESCRIPTOR_IMMEDIATE
                             ? in->descriptor
                             : address_dword(thread, in->descriptor_register);
    message.extended =
        in->extended_register == EU_DESCRIPTOR_IMMEDIATE ? in->extended : address_dword(thread, in->extended_register);
    /* Before Gen12 the extended descriptor's low bits are the shared function, also when it comes from a0. */
    message.sfid = thread->platform->generation < 12 ? message.extended & SFID_MASK : in->sfid;
    message.src0_regs = message.descriptor >> 25 & 0xf;
    message.dst_regs = message.descriptor >> 20 & 0x1f;
    message.src1_regs = in->src[1].place == EU_NOWHERE ? 0 : message.extended >> 6 & 0x1f;
    message.src0 = payload(thread, in, &in->src[0], message.src0_regs);
    message.src1 = payload(thread, in, &in->src[1], message.src1_regs);
    message.dst = payload(thread, in, &in->dst, message.dst_regs);
    if (message.src1 == NULL)
        message.src1_regs = 0;
    if (thread->stop)
        return;
    eu_host_control_reset();
    enum message_effect effect = message_send(&message, thread->fault);
    eu_host_control_set(thread);
    after_message(thread, in, effect);
}

/* Gen9 and Gen11 wait for a notification count in n0 that the gateway raises when all threads are at the barrier. */
void eu_execute_wait(struct eu_thread *thread, const struct eu_instruction *in)
{
    if (!thread->at_barrier) {
        eu_thread_fault(thread, in, "wait without a barrier message before it would never end");
        return;
    }
    thread->at_barrier = false;
    eu_stop_thread(thread, EU_BARRIER);
}

/* Gen12: only sync.bar waits for something that the simulator does not do in order. */
void eu_execute_sync(struct eu_thread *thread, const struct eu_instruction *in)
{
    if (in->function == EU_SYNC_BAR)
        eu_execute_wait(thread, in);
    else if (in->function == EU_SYNC_HOST)
        eu_thread_fault(thread, in, "sync.host is not implemented");
}
