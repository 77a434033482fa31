/* Moves one block for the whole thread: oword, hword and scratch blocks. Each channel of the execution mask is for a
 * dword, and the mask repeats; reads of scratch blocks ignore it. Compilers send blocks under NoMask. oneDNN relies on
 * the mask where a block crosses the edge of a picture (its send_t::nmasks()). */
#include "sim/message/handlers.h"
#include "sim/message/surface.h"

/* Moves `size` bytes between the target at `offset` and byte `at` of the registers' data. */
static enum surface_reach move_bytes(struct request *request, const struct target *target, uint64_t offset, unsigned at,
                                     unsigned size)
{
    uint8_t *memory = NULL;
    enum surface_reach reach = target_at(request, target, offset, size, &memory);
    if (reach == REACH_INSIDE && request_writes(request))
        memcpy(memory, request_payload(request, request->data_at + at), size);
    else if (reach == REACH_INSIDE)
        memcpy(request->message->dst + at, memory, size);
    else if (reach == REACH_OUTSIDE && !request_writes(request))
        memset(request->message->dst + at, 0, size);
    return reach;
}

/* Whether channels are disabled. */
static bool is_masked(const struct message *message)
{
    uint32_t all = message->exec_size < 32 ? (1u << message->exec_size) - 1 : ~0u;
    return (message->exec_mask & all) != all;
}

/* Moves the dwords of enabled channels between the target at `offset` and byte `at` of the registers' data. */
static enum message_effect move_enabled_dwords(struct request *request, const struct target *target, uint64_t offset,
                                               unsigned at)
{
    unsigned dwords = request->elements * request->element_bytes / 4, lanes = request->message->exec_size;
    for (unsigned i = 0; i < dwords; i++)
        if (request->message->exec_mask >> i % lanes & 1 &&
            move_bytes(request, target, offset + 4 * i, at + 4 * i, 4) == REACH_FAULT)
            return MESSAGE_FAULT;
    return MESSAGE_DONE;
}

/* Moves the request's blocks between the target at `offset` and the registers. The surface's end is checked for each
 * dword: dwords beyond it read as zero, the others are moved. Compilers rely on this when they merge the loads of a
 * buffer's last dwords. */
static enum message_effect move_whole_blocks(struct request *request, const struct target *target, uint64_t offset,
                                             bool high)
{
    unsigned size = request->element_bytes;
    for (unsigned block = 0; block < request->elements; block++) {
        unsigned at = block * size + (high ? 16 : 0);
        enum surface_reach reach = move_bytes(request, target, offset + block * size, at, size);
        for (unsigned byte = 0; reach == REACH_OUTSIDE && byte < size; byte += 4)
            if (move_bytes(request, target, offset + block * size + byte, at + byte, 4) == REACH_FAULT)
                return MESSAGE_FAULT;
        if (reach == REACH_FAULT)
            return MESSAGE_FAULT;
    }
    return MESSAGE_DONE;
}

static enum message_effect move_blocks(struct request *request, const struct target *target, uint64_t offset)
{
    /* A single "high" oword uses the upper half of its register. */
    bool high = request->kind->data == DATA_OWORDS && (request->descriptor >> 8 & 7) == 1;
    return is_masked(request->message) ? move_enabled_dwords(request, target, offset, high ? 16 : 0)
                                       : move_whole_blocks(request, target, offset, high);
}

/* Header dword 2: offset in owords. */
enum message_effect message_oword_block(struct request *request)
{
    struct target target;
    if (!target_open(request, &target))
        return MESSAGE_FAULT;
    return move_blocks(request, &target, request_header(request, 2) * UINT64_C(16));
}

/* Header dword 2: offset in bytes, dword aligned. */
enum message_effect message_oword_unaligned(struct request *request)
{
    struct target target;
    uint32_t offset = request_header(request, 2);
    if (offset % 4 != 0)
        return request_fault(request, "offset 0x%x is not dword aligned", offset);
    if (!target_open(request, &target))
        return MESSAGE_FAULT;
    return move_blocks(request, &target, offset);
}

/* Header dwords 0 and 1: address. Subtype 0 (bits 12:11) is the aligned form. */
enum message_effect message_a64_block(struct request *request)
{
    struct target target = {.kind = TARGET_FLAT, .is_64_bit = true};
    uint64_t address = request_header(request, 0) | (uint64_t)request_header(request, 1) << 32;
    unsigned index = request->descriptor & 255;
    unsigned alignment = (request->descriptor >> 11 & 3) == 0 ? 16 : 4;
    if (index != INDEX_STATELESS && index != INDEX_STATELESS_NONCOHERENT)
        return request_fault(request, "binding table index %u is not stateless", index);
    if (address % alignment != 0)
        return request_fault(request, "address 0x%llx is not aligned to %u bytes", (unsigned long long)address,
                             alignment);
    return move_blocks(request, &target, address);
}

/* Whether channels are disabled of a write in "dword channel mode" (descriptor bit 16). The finalizer relies on it for
 * spilled variables (IGC, G4_INST::isPartialWriteForSpill()). Where the first channel is not 0, later versions do not
 * any more, "to ensure data in scratch slot is not erased" (commit 7d91411de): such a write writes all dwords here. */
static bool has_disabled_dwords(const struct request *request)
{
    enum { DWORD_CHANNEL_MODE = 1 << 16 };
    return request_writes(request) && request->descriptor & DWORD_CHANNEL_MODE &&
           request->message->channel_offset == 0 && is_masked(request->message);
}

/* Scratch: the descriptor's low 12 bits count registers of 32 bytes from the start of the thread's own memory. */
static enum message_effect move_scratch(struct request *request, const struct target *target, uint64_t bytes)
{
    uint32_t offset = (request->descriptor & 0xfff) * 32;
    uint32_t size = request->elements * request->element_bytes;
    if (bytes == 0)
        return request_fault(request, "the kernel was started without scratch memory");
    if (offset + size > bytes)
        return request_fault(request, "offset %u exceeds the thread's %llu bytes of scratch memory", offset,
                             (unsigned long long)bytes);
    return has_disabled_dwords(request) ? move_enabled_dwords(request, target, offset, 0)
                                        : move_whole_blocks(request, target, offset, false);
}

/* The scratch area starts at the general state base plus header dword 5, bits 31:10. With SCRATCH_SURFACE it is a part
 * of the scratch surface, whose state that dword names. */
enum message_effect message_scratch_block(struct request *request)
{
    const struct message_state *state = request->message->state;
    uint32_t pointer = request_header(request, 5);
    struct target target = {.kind = TARGET_FLAT, .is_64_bit = true, .base = state->general_base + (pointer & ~0x3ffu)};
    if (!platform_has(state->platform, FEATURE_SCRATCH_SURFACE))
        return move_scratch(request, &target, state->scratch_bytes);
    if (!target_open_scratch(request, pointer, &target))
        return MESSAGE_FAULT;
    return move_scratch(request, &target, target.bytes);
}
