/* Executes MI_ATOMIC: the operations of tables/atomic_operations.def on a dword or a quadword of memory. */
#include "sim/stream/internal.h"

#include <inttypes.h>
#include "sim/base/poll.h"

/* General-purpose registers that hold operands outside the command, and the result. */
enum { FIRST_OPERAND = 0, SECOND_OPERAND = 2, RETURNED_DATA = 4 };
enum { SHORT_COMMAND = 3, LONG_COMMAND = 11 }; /* dwords without and with operands */

static uint32_t step_dword(unsigned operation, uint32_t old, uint32_t a, uint32_t b, uint32_t *returned)
{
    int32_t s_old = (int32_t)old, s_a = (int32_t)a;
    switch (operation) {
#define ATOMIC_INTEGER(NUMBER, OPERANDS, NAME, NEW, RETURNED)                                                          \
    case NUMBER: *returned = RETURNED; return NEW;
#include "tables/atomic_operations.def"
    default: *returned = old; return old;
    }
}

static uint64_t step_qword(unsigned operation, uint64_t old, uint64_t a, uint64_t b, uint64_t *returned)
{
    int64_t s_old = (int64_t)old, s_a = (int64_t)a;
    switch (operation) {
#define ATOMIC_INTEGER(NUMBER, OPERANDS, NAME, NEW, RETURNED)                                                          \
    case NUMBER: *returned = RETURNED; return NEW;
#include "tables/atomic_operations.def"
    default: *returned = old; return old;
    }
}

static uint32_t perform_dword(uint32_t *memory, unsigned operation, uint32_t a, uint32_t b)
{
    uint32_t old = __atomic_load_n(memory, __ATOMIC_SEQ_CST), returned, new;
    do
        new = step_dword(operation, old, a, b, &returned);
    while (!__atomic_compare_exchange_n(memory, &old, new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return returned;
}

static uint64_t perform_qword(uint64_t *memory, unsigned operation, uint64_t a, uint64_t b)
{
    uint64_t old = __atomic_load_n(memory, __ATOMIC_SEQ_CST), returned, new;
    do
        new = step_qword(operation, old, a, b, &returned);
    while (!__atomic_compare_exchange_n(memory, &old, new, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return returned;
}

static int read_register(struct stream *stream, unsigned number, uint64_t *value)
{
    uint32_t low, high;
    if (!stream_register_read(stream, STREAM_GPR + 8 * number, &low) ||
        !stream_register_read(stream, STREAM_GPR + 8 * number + 4, &high))
        return 0;
    *value = (uint64_t)high << 32 | low;
    return 1;
}

/* Reads the operands: from the command, with dwords of the first and the second alternating, or from registers. */
static int read_operands(struct stream *stream, const uint32_t *words, uint32_t count, uint64_t *a, uint64_t *b)
{
    if (count == SHORT_COMMAND)
        return read_register(stream, FIRST_OPERAND, a) && read_register(stream, SECOND_OPERAND, b);
    *a = words[3] | (uint64_t)words[5] << 32;
    *b = words[4] | (uint64_t)words[6] << 32;
    return 1;
}

int command_atomic(struct stream *stream, const uint32_t *words, uint32_t count)
{
    static const unsigned char known[32] = {
#define ATOMIC_INTEGER(NUMBER, OPERANDS, NAME, NEW, RETURNED) [NUMBER] = 1,
#include "tables/atomic_operations.def"
    };
    const uint32_t global = 1u << 22, inline_data = 1u << 18, return_data = 1u << 16;
    uint32_t operation = words[0] >> 8 & 0xff, wide = operation >> 5, kind = operation & 0x1f;
    uint64_t a, b, returned;
    if (!stream_refuse(stream, words, global, "the global address space"))
        return 0;
    if (count != (words[0] & inline_data ? LONG_COMMAND : SHORT_COMMAND))
        return sim_fault_raise(stream->fault, "%s: %" PRIu32 " dwords %s operands in the command", stream->command,
                               count, words[0] & inline_data ? "with" : "without");
    if (!known[kind] || wide > 1 || (words[0] >> 19 & 3) != wide)
        return sim_fault_raise(stream->fault,
                               "%s: operation 0x%02" PRIx32 " on data of size %" PRIu32 " is not implemented",
                               stream->command, operation, words[0] >> 19 & 3);
    void *memory = stream_memory(stream, stream_address(words + 1) & ~UINT64_C(3), wide ? 8 : 4);
    if (!memory || !read_operands(stream, words, count, &a, &b))
        return 0;
    returned = wide ? perform_qword(memory, kind, a, b) : perform_dword(memory, kind, (uint32_t)a, (uint32_t)b);
    sim_poll_written();
    if (!(words[0] & return_data))
        return 1;
    return stream_register_write(stream, STREAM_GPR + 8 * RETURNED_DATA, (uint32_t)returned) &&
           (!wide || stream_register_write(stream, STREAM_GPR + 8 * RETURNED_DATA + 4, (uint32_t)(returned >> 32)));
}
