/* Executes the commands that set the predicate. */
#include "sim/stream/internal.h"

#include <inttypes.h>

enum { SOURCE_0 = 0x2400, SOURCE_1 = 0x2408, DATA = 0x2410, RESULT = STREAM_PREDICATE_RESULT, RESULT_2 = 0x23bc };

static int read_quadword(struct stream *stream, uint32_t offset, uint64_t *value)
{
    uint32_t low, high;
    if (!stream_register_read(stream, offset, &low) || !stream_register_read(stream, offset + 4, &high))
        return 0;
    *value = (uint64_t)high << 32 | low;
    return 1;
}

/* Compares the predicate registers, combines the result with the predicate, and stores it or its inverse. */
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

/* Enables or disables the following commands, up to the next command of this kind. */
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
