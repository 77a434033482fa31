/* Records for the timing model which shared function a message uses, and with how much data. */
#include "sim/message/record_timing.h"

#include <assert.h>

#include "sim/message/handlers.h"
#include "sim/message/surface.h"
#include "sim/timing/record.h"

static enum record_path path_of(const struct request *request)
{
    const struct message_kind *kind = request->kind;
    bool is_local = (request->descriptor & 255) == INDEX_SLM;
    if (kind->perform == message_end_of_thread)
        return RECORD_END;
    if (kind->perform == message_barrier)
        return RECORD_BARRIER;
    if (kind->perform == message_fence)
        return is_local ? RECORD_LOCAL_FENCE : RECORD_FENCE;
    if (kind->address == ADDRESS_PARAMETERS)
        return RECORD_SAMPLER;
    if (kind->address == ADDRESS_COORDINATES || kind->address == ADDRESS_LSC_TYPED)
        return RECORD_TYPED;
    if (kind->data == DATA_MEDIA)
        return RECORD_MEDIA;
    if (kind->direction == DIRECTION_NOTHING)
        return RECORD_OTHER;
    if (is_local && kind->address == ADDRESS_A32)
        return RECORD_LOCAL;
    if (kind->channels == CHANNELS_BLOCK)
        return RECORD_BLOCK;
    return kind->perform == message_byte_scattered ? RECORD_BYTE : RECORD_DATA;
}

/* Returns the bytes of the registers that hold the message's data. */
static unsigned bytes_of(const struct request *request)
{
    unsigned lanes = (unsigned)__builtin_popcount(request->mask);
    if (request->kind->direction == DIRECTION_NOTHING)
        return 0;
    if (request->kind->data == DATA_MEDIA)
        return request_writes(request) ? (request->message->src0_regs + request->message->src1_regs - 1) * 32u
                                       : request->return_bytes;
    return (request->kind->channels == CHANNELS_BLOCK ? 1 : lanes) * request->elements * request->element_bytes;
}

void message_record_timing(struct request *request)
{
    assert(request->message->state->record);
    static const enum record_direction directions[] = {[DIRECTION_NOTHING] = RECORD_NOTHING,
                                                       [DIRECTION_READ] = RECORD_READ,
                                                       [DIRECTION_WRITE] = RECORD_WRITE,
                                                       [DIRECTION_ATOMIC] = RECORD_ATOMIC};
    const struct message *message = request->message;
    struct record_message *note = message->state->record->message;
    note->path = path_of(request);
    note->direction = directions[request->kind->direction];
    note->skip = note->path == RECORD_SAMPLER && request->kind->perform != message_sampler_load;
    note->source_registers = message->src0_regs + message->src1_regs;
    note->destination_registers = message->dst ? message->dst_regs : 0;
    note->lanes = (unsigned)__builtin_popcount(request->mask);
    note->bytes = bytes_of(request);
    record_message_begin(message->state->record);
}
