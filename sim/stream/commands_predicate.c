/* Commands that are executed on a condition: the predicate, and batches that end early. */
#include "sim/stream/internal.h"

#include <inttypes.h>

enum { SOURCE_0 = 0x2400, SOURCE_1 = 0x2408, DATA = 0x2410, RESULT = 0x2418, RESULT_2 = 0x23bc };

static int read_quadword(struct stream *stream, uint32_t offset, uint64_t *value)
{
    uint32_t low, high;
    if (!stream_register_read(stream, offset, &low) || !stream_register_read(stream, offset + 4, &high))
        return 0;
    *value = (uint64_t)high << 32 | low;
    return 1;
}

int stream_predicate(struct stream *stream, uint32_t *enabled)
{
    if (!stream_register_read(stream, RESULT, enabled))
        return 0;
    *enabled &= 1;
    return 1;
}

/* Compares the predicate registers, combines that with the predicate, and keeps it or its opposite. */
int command_predicate(struct stream *stream, const uint32_t *words, uint32_t count)
{
    enum { KEEP, LOAD = 2, LOAD_INVERTED };
    enum { SET, AND, OR, XOR };
    enum { COMPARE_TRUE, COMPARE_FALSE, SOURCES_EQUAL, DELTAS_EQUAL };
    uint32_t load = words[0] >> 6 & 3, combine = words[0] >> 3 & 3, compare = words[0] & 3, old;
    uint64_t source_0, source_1, data;
    (void)count;
    if (load == 1)
        return sim_fault_raise(stream->fault, "%s: load operation 1 does not exist", stream->command);
    if (!read_quadword(stream, SOURCE_0, &source_0) || !read_quadword(stream, SOURCE_1, &source_1) ||
        !read_quadword(stream, DATA, &data) || !stream_predicate(stream, &old))
        return 0;
    uint32_t result = compare == COMPARE_TRUE    ? 1
                      : compare == COMPARE_FALSE ? 0
                      : compare == SOURCES_EQUAL ? source_0 == source_1
                                                 : source_0 - source_1 == data;
    result = combine == SET ? result : combine == AND ? old & result : combine == OR ? old | result : old ^ result;
    if (load == KEEP)
        return 1;
    return stream_register_write(stream, RESULT, load == LOAD_INVERTED ? !result : result);
}

/* Whether the commands that follow have no effect, up to the next such command. */
int command_set_predicate(struct stream *stream, const uint32_t *words, uint32_t count)
{
    enum {
        NEVER,
        RESULT_2_CLEAR,
        RESULT_2_SET,
        RESULT_CLEAR,
        RESULT_SET,
        RENDER_STREAMER = 11,
        POSITION_STREAMER,
        ALWAYS = 15
    };
    uint32_t condition = words[0] & 15, result = 0, result_2 = 0;
    (void)count;
    if (!stream_register_read(stream, RESULT, &result) || !stream_register_read(stream, RESULT_2, &result_2))
        return 0;
    switch (condition) {
    case NEVER: stream->skipping = 0; return 1;
    case RESULT_2_CLEAR: stream->skipping = !(result_2 & 1); return 1;
    case RESULT_2_SET: stream->skipping = result_2 & 1; return 1;
    case RESULT_CLEAR: stream->skipping = !(result & 1); return 1;
    case RESULT_SET: stream->skipping = result & 1; return 1;
    case POSITION_STREAMER: return 1; /* means another streamer than this one */
    case RENDER_STREAMER:
    case ALWAYS: stream->skipping = 1; return 1;
    default:
        return sim_fault_raise(stream->fault, "%s: condition %" PRIu32 " is not implemented", stream->command,
                               condition);
    }
}

int stream_compare(uint32_t operation, uint32_t value, uint32_t data)
{
    switch (operation) {
    case 0: return value > data;
    case 1: return value >= data;
    case 2: return value < data;
    case 3: return value <= data;
    case 4: return value == data;
    case 5: return value != data;
    default: return -1;
    }
}

/* Goes on when the comparison holds; ends the batch, or its level, when it does not. */
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
