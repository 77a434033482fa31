/* Executes commands that set the state of the GPGPU pipeline, and PIPE_CONTROL. */
#include "sim/stream/internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include "sim/base/clock.h"

int command_pipeline_select(struct stream *stream, const uint32_t *words, uint32_t count)
{
    (void)count;
    stream->pipeline = words[0] & 3;
    return 1;
}

/* Bit 15 is the number of registers of a thread; bits 31:16 say which of the bits below are set. */
int command_state_compute_mode(struct stream *stream, const uint32_t *words, uint32_t count)
{
    (void)count;
    if (words[1] >> 31 && platform_has(stream->platform, FEATURE_LARGE_GRF))
        stream->has_large_grf = words[1] >> 15 & 1;
    return 1;
}

/* Sets the base address from words[0..1] if its modify bit is set. */
static void take_base(uint64_t *base, const uint32_t *words)
{
    if (words[0] & 1)
        *base = stream_address(words) & ~UINT64_C(0xfff);
}

int command_state_base_address(struct stream *stream, const uint32_t *words, uint32_t count)
{
    (void)count;
    take_base(&stream->general_base, words + 1);
    take_base(&stream->surface_base, words + 4);
    take_base(&stream->dynamic_base, words + 6);
    take_base(&stream->indirect_base, words + 8);
    take_base(&stream->instruction_base, words + 10);
    take_base(&stream->bindless_base, words + 16);
    return 1;
}

enum { CURBE_UNIT = 32 }; /* bytes */

int command_media_vfe_state(struct stream *stream, const uint32_t *words, uint32_t count)
{
    (void)count;
    stream->scratch_pointer = stream_address(words + 1) & ~UINT64_C(0x3ff);
    stream->scratch_code = words[1] & 0xf;
    stream->curbe_room = (words[5] & 0xffff) * CURBE_UNIT;
    if (stream->scratch_code > 11)
        return sim_fault_raise(stream->fault, "%s: scratch size code %" PRIu32 " does not exist", stream->command,
                               stream->scratch_code);
    stream->scratch_bytes = stream->scratch_pointer ? 1024u << stream->scratch_code : 0;
    return 1;
}

/* Loads the payload that is kept on the chip: copied when the command is executed, for walkers without one of their
 * own. */
int command_media_curbe_load(struct stream *stream, const uint32_t *words, uint32_t count)
{
    uint32_t size = words[2] & 0x1ffff;
    (void)count;
    if (size == 0)
        return 1;
    if (size > stream->curbe_room)
        return sim_fault_raise(stream->fault, "%s: %" PRIu32 " bytes, MEDIA_VFE_STATE has room for %" PRIu32,
                               stream->command, size, stream->curbe_room);
    const void *memory = stream_memory(stream, stream->dynamic_base + words[3], size);
    uint8_t *copy = memory ? malloc(size) : NULL;
    if (!copy)
        return memory ? sim_fault_raise(stream->fault, "%s: no memory", stream->command) : 0;
    memcpy(copy, memory, size);
    free(stream->curbe);
    stream->curbe = copy;
    stream->curbe_bytes = size;
    return 1;
}

int command_media_interface_descriptor_load(struct stream *stream, const uint32_t *words, uint32_t count)
{
    const uint32_t descriptor_bytes = 4 * DESCRIPTOR_DWORDS;
    uint32_t size = words[2] & 0x1ffff;
    (void)count;
    if (size == 0 || size % descriptor_bytes || size > sizeof stream->descriptors)
        return sim_fault_raise(stream->fault, "%s: %" PRIu32 " bytes are not 1 to %d descriptors", stream->command,
                               size, STREAM_DESCRIPTORS);
    const void *memory = stream_memory(stream, stream->dynamic_base + words[3], size);
    if (!memory)
        return 0;
    memcpy(stream->descriptors, memory, size);
    stream->descriptor_count = size / descriptor_bytes;
    return 1;
}

int command_binding_table_pool(struct stream *stream, const uint32_t *words, uint32_t count)
{
    const uint32_t enable = 1u << 11;
    (void)count;
    if (!(words[1] & enable))
        return 1;
    return sim_fault_raise(stream->fault, "%s: a pool of its own for binding tables is not implemented",
                           stream->command);
}

int command_binding_table_base(struct stream *stream, const uint32_t *words, uint32_t count)
{
    (void)count;
    stream->binding_base = stream_address(words + 1) & ~UINT64_C(0xfff);
    stream->has_binding_base = 1;
    return 1;
}

/* Scratch memory is a surface; the other fields tune how threads are shared out. */
int command_cfe_state(struct stream *stream, const uint32_t *words, uint32_t count)
{
    (void)count;
    stream->scratch_surface = words[1] & ~UINT32_C(0x3ff);
    return 1;
}

/* Every earlier command has finished by now, and memory is coherent: only the post-sync write remains. */
int command_pipe_control(struct stream *stream, const uint32_t *words, uint32_t count)
{
    const uint32_t global_gtt = 1u << 24, register_write = 1u << 23, store_index = 1u << 21;
    enum { NO_WRITE, WRITE_IMMEDIATE, WRITE_DEPTH_COUNT, WRITE_TIMESTAMP };
    uint32_t operation = words[1] >> 14 & 3;
    (void)count;
    if (words[1] & register_write)
        return sim_fault_raise(stream->fault, "%s: register write is not implemented", stream->command);
    if (operation == NO_WRITE)
        return 1;
    if (operation == WRITE_DEPTH_COUNT || words[1] & (global_gtt | store_index))
        return sim_fault_raise(stream->fault, "%s: write with dword 1 = 0x%08" PRIx32 " is not implemented",
                               stream->command, words[1]);
    uint64_t value = operation == WRITE_TIMESTAMP ? sim_clock_advance(0) : (uint64_t)words[5] << 32 | words[4];
    return stream_store(stream, stream_address(words + 2) & ~UINT64_C(3), value, 8);
}
