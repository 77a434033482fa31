/* Executes MI commands: the streamer's registers, memory, and control flow. */
#include "sim/stream/internal.h"

#include <inttypes.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>
#include "sim/base/poll.h"

static const uint32_t GLOBAL_GTT = 1u << 22; /* in most commands: the address is in the kernel's own address space */
static const uint32_t REGISTER_MASK = 0x7ffffc;

int command_batch_buffer_end(struct stream *stream, const uint32_t *words, uint32_t count)
{
    (void)words, (void)count;
    if (stream->depth)
        stream->next = stream->returns[--stream->depth];
    else
        stream->ended = 1;
    return 1;
}

/* Continues if the comparison holds; otherwise ends the batch, or its level. */
int command_conditional_batch_buffer_end(struct stream *stream, const uint32_t *words, uint32_t count)
{
    const uint32_t compares = 1u << 21, refused = 1u << 22 | 1u << 19 | 1u << 15, this_level = 1u << 18;
    uint32_t operation = words[0] >> 12 & 7;
    (void)count;
    if (!stream_refuse(stream, words, refused, "the global address space, a mask or predication"))
        return 0;
    if (!(words[0] & compares) || operation > 5)
        return sim_fault_raise(stream->fault, "%s: dword 0 is 0x%08" PRIx32 ": comparison %" PRIu32 " does not exist",
                               stream->command, words[0], operation);
    const uint32_t *memory = stream_memory(stream, stream_address(words + 2) & ~UINT64_C(7), 4);
    if (!memory)
        return 0;
    if (stream_compare(operation, __atomic_load_n(memory, __ATOMIC_SEQ_CST), words[1]))
        return 1;
    if (!(words[0] & this_level))
        stream->depth = 0;
    return command_batch_buffer_end(stream, words, 1);
}

int command_batch_buffer_start(struct stream *stream, const uint32_t *words, uint32_t count)
{
    const uint32_t second_level = 1u << 22, predicated = 1u << 15;
    uint32_t enabled = 1;
    (void)count;
    if (words[0] & predicated && !stream_predicate(stream, &enabled))
        return 0;
    if (!enabled)
        return 1;
    if (words[0] & second_level) {
        if (stream->depth == STREAM_DEPTH)
            return sim_fault_raise(stream->fault, "%s: more than %d batch levels", stream->command, STREAM_DEPTH);
        stream->returns[stream->depth++] = stream->next;
    }
    stream->next = stream_address(words + 1) & ~UINT64_C(3);
    return 1;
}

int command_load_register_immediate(struct stream *stream, const uint32_t *words, uint32_t count)
{
    if (!stream_refuse(stream, words, 0xf00, "byte write disable"))
        return 0;
    if (count % 2 == 0)
        return sim_fault_raise(stream->fault, "%s: a register has no value", stream->command);
    for (uint32_t i = 1; i < count; i += 2)
        if (!stream_register_write(stream, words[i] & REGISTER_MASK, words[i + 1]))
            return 0;
    return 1;
}

int command_load_register_register(struct stream *stream, const uint32_t *words, uint32_t count)
{
    uint32_t value;
    (void)count;
    return stream_register_read(stream, words[1] & REGISTER_MASK, &value) &&
           stream_register_write(stream, words[2] & REGISTER_MASK, value);
}

int command_load_register_memory(struct stream *stream, const uint32_t *words, uint32_t count)
{
    (void)count;
    if (!stream_refuse(stream, words, GLOBAL_GTT, "the global address space"))
        return 0;
    const uint32_t *memory = stream_memory(stream, stream_address(words + 2) & ~UINT64_C(3), 4);
    return memory && stream_register_write(stream, words[1] & REGISTER_MASK, __atomic_load_n(memory, __ATOMIC_SEQ_CST));
}

int command_store_register_memory(struct stream *stream, const uint32_t *words, uint32_t count)
{
    const uint32_t predicated = 1u << 21;
    uint32_t value, enabled = 1;
    (void)count;
    if (words[0] & predicated && !stream_predicate(stream, &enabled))
        return 0;
    if (!enabled)
        return 1;
    return stream_refuse(stream, words, GLOBAL_GTT, "the global address space") &&
           stream_register_read(stream, words[1] & REGISTER_MASK, &value) &&
           stream_store(stream, stream_address(words + 2) & ~UINT64_C(3), value, 4);
}

int command_store_data_immediate(struct stream *stream, const uint32_t *words, uint32_t count)
{
    const uint32_t quadword = 1u << 21;
    if (!stream_refuse(stream, words, GLOBAL_GTT, "the global address space"))
        return 0;
    uint64_t address = stream_address(words + 1) & ~UINT64_C(3);
    if (!(words[0] & quadword))
        return stream_store(stream, address, words[3], 4);
    if (count != 5)
        return sim_fault_raise(stream->fault, "%s: a quadword in %" PRIu32 " dwords", stream->command, count);
    return stream_store(stream, address, (uint64_t)words[4] << 32 | words[3], 8);
}

int command_copy_memory_memory(struct stream *stream, const uint32_t *words, uint32_t count)
{
    const uint32_t global_source = 1u << 22, global_destination = 1u << 21;
    (void)count;
    if (!stream_refuse(stream, words, global_source | global_destination, "the global address space"))
        return 0;
    const uint32_t *from = stream_memory(stream, stream_address(words + 3) & ~UINT64_C(3), 4);
    return from &&
           stream_store(stream, stream_address(words + 1) & ~UINT64_C(3), __atomic_load_n(from, __ATOMIC_SEQ_CST), 4);
}

/* Compares a register once: no other command of this stream runs meanwhile, so only clocks could change. */
static int wait_for_register(struct stream *stream, const uint32_t *words)
{
    uint32_t value;
    if (!stream_register_read(stream, words[2] & REGISTER_MASK, &value))
        return 0;
    if (stream_compare(words[0] >> 12 & 7, value, words[1]) == 1)
        return 1;
    return sim_fault_raise(stream->fault,
                           "%s: register 0x%" PRIx32 " is 0x%" PRIx32
                           ", which does not end the wait, and nothing will change it",
                           stream->command, words[2] & REGISTER_MASK, value);
}

/* Gives the processor away between two polls. */
static void pause_polling(unsigned tries)
{
    const struct timespec pause = {0, 50000};
    if (tries < 100)
        syscall(SYS_sched_yield); /* not gensim's own sched_yield, which waits for stores of this very thread */
    else
        nanosleep(&pause, NULL);
}

/* Waits for the program to write what ends the wait, or for the end of the queue. */
static int wait_for_program(struct stream *stream, const uint32_t *words, const uint32_t *memory)
{
    uint32_t operation = words[0] >> 12 & 7;
    stream_idle_begin(stream);
    for (unsigned tries = 0; !stream_compare(operation, __atomic_load_n(memory, __ATOMIC_SEQ_CST), words[1]) &&
                             !atomic_load(&stream->cancelled);
         tries++)
        pause_polling(tries);
    stream_idle_end(stream);
    if (atomic_load(&stream->cancelled))
        stream->ended = 1;
    stream_renew_space(stream);
    return 1;
}

/* Polls memory until the host, another context or an earlier command of this batch releases the wait, and yields the
 * processor in between. A poll counts towards --max-instructions, so that endless waits are stopped too. */
static int wait_for_memory(struct stream *stream, const uint32_t *words)
{
    const uint32_t *memory = stream_memory(stream, stream_address(words + 2) & ~UINT64_C(3), 4);
    if (!memory)
        return 0;
    if (stream->source->renew)
        return wait_for_program(stream, words, memory);
    for (unsigned tries = 0;; tries++) {
        if (stream_compare(words[0] >> 12 & 7, __atomic_load_n(memory, __ATOMIC_SEQ_CST), words[1]))
            return 1;
        if (!dispatcher_count_command(stream->dispatcher))
            return sim_fault_raise(stream->fault,
                                   "%s: the limit of instructions for this run is reached (--max-instructions)",
                                   stream->command);
        pause_polling(tries);
    }
}

int command_semaphore_wait(struct stream *stream, const uint32_t *words, uint32_t count)
{
    const uint32_t register_poll = 1u << 16;
    (void)count;
    if (!stream_refuse(stream, words, GLOBAL_GTT, "the global address space"))
        return 0;
    if (stream_compare(words[0] >> 12 & 7, 0, 0) < 0)
        return sim_fault_raise(stream->fault, "%s: comparison %" PRIu32 " does not exist", stream->command,
                               words[0] >> 12 & 7);
    return words[0] & register_poll ? wait_for_register(stream, words) : wait_for_memory(stream, words);
}

/* The streamer's 64-bit ALU. Flags that are set are all ones, so that they can be stored as values. */
struct calculator {
    uint64_t source_a, source_b, result, zero, carry;
};

enum {
    OPERAND_SOURCE_A = 0x20,
    OPERAND_SOURCE_B = 0x21,
    OPERAND_RESULT = 0x31,
    OPERAND_ZERO = 0x32,
    OPERAND_CARRY = 0x33
};
enum { GPR_COUNT = 16 };

static int read_operand(struct stream *stream, const struct calculator *c, uint32_t operand, uint64_t *value)
{
    uint32_t low, high;
    switch (operand) {
    case OPERAND_RESULT: *value = c->result; return 1;
    case OPERAND_ZERO: *value = c->zero; return 1;
    case OPERAND_CARRY: *value = c->carry; return 1;
    default:
        if (operand >= GPR_COUNT)
            return sim_fault_raise(stream->fault, "%s: operand 0x%" PRIx32 " cannot be read", stream->command, operand);
        if (!stream_register_read(stream, STREAM_GPR + 8 * operand, &low) ||
            !stream_register_read(stream, STREAM_GPR + 8 * operand + 4, &high))
            return 0;
        *value = (uint64_t)high << 32 | low;
        return 1;
    }
}

static int load_source(struct stream *stream, struct calculator *c, uint32_t operand, uint64_t value)
{
    if (operand == OPERAND_SOURCE_A)
        c->source_a = value;
    else if (operand == OPERAND_SOURCE_B)
        c->source_b = value;
    else
        return sim_fault_raise(stream->fault, "%s: operand 0x%" PRIx32 " cannot be loaded", stream->command, operand);
    return 1;
}

static int store_result(struct stream *stream, uint32_t operand, uint64_t value)
{
    if (operand >= GPR_COUNT)
        return sim_fault_raise(stream->fault, "%s: operand 0x%" PRIx32 " cannot be stored to", stream->command,
                               operand);
    return stream_register_write(stream, STREAM_GPR + 8 * operand, (uint32_t)value) &&
           stream_register_write(stream, STREAM_GPR + 8 * operand + 4, (uint32_t)(value >> 32));
}

static void set_result(struct calculator *c, uint64_t result, int carry)
{
    c->result = result;
    c->zero = result == 0 ? UINT64_MAX : 0;
    c->carry = carry ? UINT64_MAX : 0;
}

static int calculate(struct stream *stream, struct calculator *c, uint32_t word)
{
    uint32_t first = word >> 10 & 0x3ff, second = word & 0x3ff;
    uint64_t value;
    switch (word >> 20) {
    case 0x000: return 1;
    case 0x080: return read_operand(stream, c, second, &value) && load_source(stream, c, first, value);
    case 0x480: return read_operand(stream, c, second, &value) && load_source(stream, c, first, ~value);
    case 0x081: return load_source(stream, c, first, 0);
    case 0x481: return load_source(stream, c, first, UINT64_MAX);
    case 0x100: set_result(c, c->source_a + c->source_b, c->source_a + c->source_b < c->source_a); return 1;
    case 0x101: set_result(c, c->source_a - c->source_b, c->source_a < c->source_b); return 1;
    case 0x102: set_result(c, c->source_a & c->source_b, 0); return 1;
    case 0x103: set_result(c, c->source_a | c->source_b, 0); return 1;
    case 0x104: set_result(c, c->source_a ^ c->source_b, 0); return 1;
    case 0x180: return read_operand(stream, c, second, &value) && store_result(stream, first, value);
    case 0x580: return read_operand(stream, c, second, &value) && store_result(stream, first, ~value);
    default:
        return sim_fault_raise(stream->fault, "%s: instruction 0x%08" PRIx32 " is not known", stream->command, word);
    }
}

int command_math(struct stream *stream, const uint32_t *words, uint32_t count)
{
    struct calculator calculator = {0};
    for (uint32_t i = 1; i < count; i++)
        if (!calculate(stream, &calculator, words[i]))
            return 0;
    return 1;
}
