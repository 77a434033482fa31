/* Reads and writes the memory and registers of a command streamer, and refuses unsupported fields of commands. */
#include "sim/stream/internal.h"

#include <assert.h>
#include <inttypes.h>
#include "sim/base/poll.h"

int stream_refuse(struct stream *stream, const uint32_t *words, uint32_t bits, const char *what)
{
    if (!(words[0] & bits))
        return 1;
    return sim_fault_raise(stream->fault, "%s: %s is not implemented (dword 0 is 0x%08" PRIx32 ")", stream->command,
                           what, words[0]);
}

void *stream_memory(struct stream *stream, uint64_t gpu, uint64_t size)
{
    assert(stream->space);
    if ((size == 4 || size == 8) && gpu % size) {
        sim_fault_raise(stream->fault, "%s: address 0x%" PRIx64 " is not aligned to %" PRIu64 " bytes", stream->command,
                        gpu, size);
        return NULL;
    }
    void *memory = sim_space_map(stream->space, gpu, size);
    if (!memory)
        sim_fault_raise_address(stream->fault, gpu, size, stream->command);
    if (stream->record)
        launch_touched(stream, gpu, size);
    return memory;
}

int stream_store(struct stream *stream, uint64_t gpu, uint64_t value, unsigned size)
{
    assert(size == 4 || size == 8);
    void *memory = stream_memory(stream, gpu, size);
    if (!memory)
        return 0;
    if (stream->is_replay)
        return 1;
    if (size == 8)
        __atomic_store_n((uint64_t *)memory, value, __ATOMIC_SEQ_CST);
    else
        __atomic_store_n((uint32_t *)memory, (uint32_t)value, __ATOMIC_SEQ_CST);
    sim_poll_written();
    return 1;
}

int stream_predicate(struct stream *stream, uint32_t *enabled)
{
    assert(enabled);
    if (!stream_register_read(stream, STREAM_PREDICATE_RESULT, enabled))
        return 0;
    *enabled &= 1;
    return 1;
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
