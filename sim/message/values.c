#include "sim/message/values.h"

#include <assert.h>
#include <string.h>
#include "sim/message/handlers.h"
#include "sim/message/lsc.h"

enum { MOST_SOURCE = 31 * 64 };

/* Whether the handler moves bits as they are, so that it moves a shadow as well. */
static bool moves_bits(const struct request *request)
{
    static enum message_effect (*const handlers[])(struct request *) = {
        message_scattered,   message_byte_scattered, message_oword_block, message_oword_unaligned,
        message_a64_block,   message_scratch_block,  message_media_block, message_lsc_move,
        message_lsc_strided, message_lsc_block2d};
    for (size_t i = 0; i < sizeof handlers / sizeof *handlers; i++)
        if (request->kind->perform == handlers[i])
            return true;
    return false;
}

/* Returns the place of a byte of the payload in the register file. */
static size_t place(const struct request *request, unsigned byte)
{
    return (size_t)(request_payload(request, byte) - request->message->values->file);
}

static unsigned payload_bytes(const struct request *request)
{
    return (request->message->src0_regs + request->message->src1_regs) * request->register_bytes;
}

static check_origin origin_at(const struct request *request, size_t at)
{
    const struct message_values *values = request->message->values;
    if (values->origins[at])
        return values->origins[at];
    return check_origin_at(request->message->state->check, CHECK_STORE_REGISTER,
                           (at - values->first_register) / request->register_bytes);
}

/* Returns the origin of unknown bits in bytes of the payload; 0: all are known. */
static check_origin unknown_in(const struct request *request, unsigned byte, unsigned bytes)
{
    for (unsigned i = byte; i < byte + bytes && i < payload_bytes(request); i++) {
        size_t at = place(request, i);
        if (request->message->values->bits[at])
            return origin_at(request, at);
    }
    return 0;
}

/* Takes bytes of the payload for known, after a report. */
static void take_for_known(const struct request *request, unsigned byte, unsigned bytes)
{
    for (unsigned i = byte; i < byte + bytes && i < payload_bytes(request); i++)
        request->message->values->bits[place(request, i)] = 0;
}

/* Reports unknown bytes among `bytes` at `first` + n * `step` of each enabled channel n. */
static void need_lanes(const struct request *request, unsigned first, unsigned step, unsigned bytes, const char *what)
{
    uint32_t lanes = 0;
    check_origin origin = 0, found;
    for (uint32_t rest = request->mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (!(found = unknown_in(request, first + lane * step, bytes)))
            continue;
        lanes |= 1u << lane;
        origin = found;
        take_for_known(request, first + lane * step, bytes);
    }
    if (lanes)
        check_value_used(request->message->state->check, what, lanes << request->message->channel_offset, origin);
}

static void need_header(const struct request *request, unsigned dword, unsigned dwords, const char *what)
{
    check_origin origin = unknown_in(request, 4 * dword, 4 * dwords);
    if (!origin)
        return;
    take_for_known(request, 4 * dword, 4 * dwords);
    check_value_used(request->message->state->check, what, 0, origin);
}

static void need_addresses(const struct request *request)
{
    static const char what[] = "the address of an access depends on an uninitialized value";
    switch (request->kind->address) {
    case ADDRESS_A32: need_lanes(request, request->address_at, request->is_4x2 ? 16 : 4, 4, what); break;
    case ADDRESS_A64: need_lanes(request, request->address_at, 8, 8, what); break;
    case ADDRESS_COORDINATES:
        for (unsigned i = 0; i < request->coordinates; i++)
            need_lanes(request, request->address_at + 4 * i * request->channels, 4, 4, what);
        break;
    case ADDRESS_LSC:
    case ADDRESS_LSC_SLM:
        if (request->kind->perform == message_lsc_block2d)
            need_header(request, 0, 8, what);
        else if (request->kind->perform == message_lsc_move || request->kind->perform == message_lsc_atomic)
            need_lanes(request, 0, lsc_address_bytes(request), lsc_address_bytes(request), what);
        break;
    default:
        if (request->kind->perform == message_oword_block || request->kind->perform == message_oword_unaligned)
            need_header(request, 2, 1, what);
        else if (request->kind->perform == message_a64_block)
            need_header(request, 0, 2, what);
        else if (request->kind->perform == message_media_block)
            need_header(request, 0, 3, what);
    }
}

/* The lanes with an unknown byte in the data that is written; all of a block is lane 0. */
static uint32_t data_lanes(const struct request *request, check_origin *origin)
{
    bool is_lsc = request->kind->channels == CHANNELS_LSC;
    uint32_t lanes = 0;
    for (unsigned byte = request->data_at; byte < payload_bytes(request); byte++) {
        size_t at = place(request, byte);
        unsigned lane = 0;
        if (!request->message->values->bits[at])
            continue;
        if (request->channels > 1 && request->element_bytes && !request->is_4x2) {
            unsigned across = is_lsc ? lsc_element_pitch(request) / request->element_bytes : request->channels;
            lane = (byte - request->data_at) / request->element_bytes % across;
        }
        if (lane >= 32 || (request->channels > 1 && !(request->mask >> lane & 1)))
            continue;
        lanes |= 1u << lane;
        *origin = *origin ? *origin : origin_at(request, at);
    }
    return lanes;
}

/* Performs the message on shadows: `sources` has the payload, with the shadow in place of its data. */
static void perform_on_shadow(struct request *request, const uint8_t *sources, uint8_t *destination)
{
    struct message_state state = *request->message->state;
    struct message message = *request->message;
    struct request twin = *request;
    struct sim_fault fault = {0};
    state.shadow = state.check;
    state.check = NULL;
    state.watch = NULL;
    state.tally = NULL;
    state.record = NULL;
    message.state = &state;
    message.values = NULL;
    message.src0 = sources;
    message.src1 = request->message->src1 ? sources + message.src0_regs * request->register_bytes : NULL;
    message.dst = destination;
    twin.message = &message;
    twin.fault = &fault;
    request->kind->perform(&twin);
}

static void move(struct request *request)
{
    const struct message *message = request->message;
    const struct message_values *values = message->values;
    struct check_group *group = message->state->check;
    uint8_t sources[2 * MOST_SOURCE];
    check_origin origin = 0;
    bool writes = request->kind->direction == DIRECTION_WRITE;
    unsigned bytes = payload_bytes(request);
    if (bytes > sizeof sources)
        return;
    uint32_t lanes = writes ? data_lanes(request, &origin) : 0;
    for (unsigned i = 0; i < bytes; i++) {
        bool is_data = writes && i >= request->data_at;
        sources[i] = is_data ? values->bits[place(request, i)] : *request_payload(request, i);
    }
    size_t to = message->dst ? (size_t)(message->dst - values->file) : 0;
    perform_on_shadow(request, sources, message->dst ? values->bits + to : NULL);
    bool is_block = request->channels <= 1;
    check_origin found =
        check_values_moved(group, writes, origin, is_block ? 0 : lanes << request->message->channel_offset);
    for (size_t i = 0; found && message->dst && i < (size_t)message->dst_regs * request->register_bytes; i++)
        if (values->bits[to + i])
            values->origins[to + i] = found;
}

/* The reply of other messages has values. */
static void reply_is_known(const struct request *request)
{
    const struct message *message = request->message;
    if (message->dst)
        memset(message->values->bits + (message->dst - message->values->file), 0,
               (size_t)message->dst_regs * request->register_bytes);
}

/* Whether an atomic operation stores its operand, and returns nothing of what was there. */
static bool overwrites(const struct request *request)
{
    enum { EXCHANGE = 4, LSC_STORE = 0x0b };
    bool is_integer = request->kind->data != DATA_FLOAT && request->kind->data != DATA_HALF;
    if (request->kind->channels == CHANNELS_LSC)
        return (request->descriptor & 0x3f) == LSC_STORE;
    return is_integer && (request->descriptor >> 8 & 15) == EXCHANGE && !request->message->dst;
}

void message_move_values(struct request *request)
{
    assert(request->message->values && request->message->state->check);
    if (request->kind->direction == DIRECTION_NOTHING || request->message->exec_mask == 0) {
        reply_is_known(request);
        return;
    }
    need_addresses(request);
    if (moves_bits(request)) {
        move(request);
        return;
    }
    if (request->kind->direction == DIRECTION_ATOMIC)
        check_atomic_overwrites(request->message->state->check, overwrites(request));
    if (request->kind->direction == DIRECTION_ATOMIC && request->element_bytes)
        for (unsigned i = 0; i < request->operands; i++)
            need_lanes(request, request->data_at + i * request->channels * request->element_bytes,
                       request->element_bytes, request->element_bytes,
                       "an atomic operation's operand is an uninitialized value");
    if (request->kind->direction == DIRECTION_WRITE) {
        check_origin origin = 0;
        uint32_t lanes = data_lanes(request, &origin);
        if (lanes)
            check_value_used(request->message->state->check, "an uninitialized value is stored in an image",
                             lanes << request->message->channel_offset, origin);
    }
    reply_is_known(request);
}
