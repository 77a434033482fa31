/* Decodes a message by the columns of its table row: channels, elements, offsets of addresses and data, and the number
 * of registers that are sent and returned. */
#include "sim/timing/record.h"
#include "sim/message/request.h"

#include <assert.h>
#include <stdarg.h>
#include <string.h>

static void raise_named(struct request *request, const char *format, va_list arguments)
{
    char text[200];
    vsnprintf(text, sizeof text, format, arguments);
    sim_fault_raise(request->fault, "%s: %s", request->kind->name, text);
}

enum message_effect request_fault(struct request *request, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    raise_named(request, format, arguments);
    va_end(arguments);
    return MESSAGE_FAULT;
}

bool request_refuse(struct request *request, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    raise_named(request, format, arguments);
    va_end(arguments);
    return false;
}

enum { OPERATION_COUNT = 16 };

static const signed char integer_operands[OPERATION_COUNT] = {
#define ATOMIC_INTEGER(NUMBER, OPERANDS, NAME, NEW, RETURNED) [NUMBER] = (OPERANDS) + 1,
#include "tables/atomic_operations.def"
};
static const signed char real_operands[OPERATION_COUNT] = {
#define ATOMIC_REAL(NUMBER, OPERANDS, NAME, NEW, RETURNED) [NUMBER] = (OPERANDS) + 1,
#include "tables/atomic_operations.def"
};

static unsigned bits(uint32_t value, unsigned low, unsigned count)
{
    return value >> low & ((1u << count) - 1);
}

/* Returns the number of operands of the descriptor's atomic operation; -1: this generation lacks the operation. */
static int atomic_operands(const struct request *request)
{
    bool is_float = request->kind->data == DATA_FLOAT || request->kind->data == DATA_HALF;
    return (is_float ? real_operands : integer_operands)[bits(request->descriptor, 8, is_float ? 3 : 4)] - 1;
}

bool request_media_block(struct request *request, unsigned *width, unsigned *rows, unsigned *pitch)
{
    assert(width && rows && pitch);
    uint32_t shape = request_header(request, 2);
    *width = (shape & 63) + 1;
    *rows = (shape >> 16 & 63) + 1;
    for (*pitch = 4; *pitch < *width; *pitch *= 2)
        continue;
    if (shape & ~0x003f003fu)
        return request_refuse(request, "header dword 2 is 0x%08x: only width and height are implemented", shape);
    /* Blocks have at most 256 bytes of registers, and at most 64 rows. */
    if (*pitch * *rows > 256)
        return request_refuse(request, "a block of %u bytes by %u rows does not exist", *width, *rows);
    return true;
}

/* Returns the registers that `bytes` occupy. */
static unsigned registers(const struct request *request, unsigned bytes)
{
    return (bytes + request->register_bytes - 1) / request->register_bytes;
}

static bool decode_channels(struct request *request)
{
    uint32_t descriptor = request->descriptor;
    unsigned mode;
    request->channels = 1;
    switch (request->kind->channels) {
    case CHANNELS_BLOCK: break;
    case CHANNELS_NATIVE: request->channels = request->register_bytes / 4; break;
    case CHANNELS_AT_8: request->channels = bits(descriptor, 8, 1) ? 16 : 8; break;
    case CHANNELS_AT_12: request->channels = bits(descriptor, 12, 1) ? 16 : 8; break;
    case CHANNELS_AT_12R: request->channels = bits(descriptor, 12, 1) ? 8 : 16; break;
    case CHANNELS_MODE_12:
        mode = bits(descriptor, 12, 2);
        if (mode == 3)
            return request_refuse(request, "SIMD mode 3 is reserved");
        if (mode == 0 && request->kind->address == ADDRESS_A64)
            return request_refuse(request, "SIMD4x2 is not implemented");
        request->is_4x2 = mode == 0;
        request->channels = mode == 0 ? 2 : mode == 1 ? 16 : 8;
        break;
    case CHANNELS_SAMPLER:
        mode = bits(descriptor, 17, 2);
        if (mode != 1 && mode != 2)
            return request_refuse(request, "SIMD mode %u is not implemented", mode);
        request->channels = mode * request->register_bytes / 4;
        break;
    case CHANNELS_LSC: break; /* lsc_decode() */
    }
    return true;
}

/* Channels beyond the instruction's execution size are disabled. */
void request_decode_mask(struct request *request)
{
    const struct message *message = request->message;
    uint32_t mask = message->exec_mask;
    if (message->exec_size < 32)
        mask &= (1u << message->exec_size) - 1;
    if (request->kind->channels == CHANNELS_LSC)
        request->mask = mask;
    else if (request->is_4x2)
        request->mask = ((mask & 0xf) != 0) | ((mask & 0xf0) != 0) << 1;
    else
        request->mask = request->channels < 32 ? mask & ((1u << request->channels) - 1) : mask;
}

static bool decode_data(struct request *request)
{
    uint32_t descriptor = request->descriptor;
    int operands;
    request->element_bytes = 4;
    request->elements = 1;
    switch (request->kind->data) {
    case DATA_NONE: request->elements = 0; break;
    case DATA_DWORD: break;
    case DATA_MASKED:
        request->component_mask = ~bits(descriptor, 8, 4) & 0xf;
        if (request->component_mask == 0)
            return request_refuse(request, "every component is masked off");
        request->elements = (unsigned)__builtin_popcount(request->component_mask);
        break;
    case DATA_DWORDS: request->elements = 1u << bits(descriptor, 10, 2); break;
    case DATA_QWORDS:
        request->elements = 1u << bits(descriptor, 10, 2);
        request->element_bytes = 8;
        break;
    case DATA_OWORDS:
        if (bits(descriptor, 8, 3) > 4)
            return request_refuse(request, "block size %u is reserved", bits(descriptor, 8, 3));
        request->elements = bits(descriptor, 8, 3) < 2 ? 1 : 1u << (bits(descriptor, 8, 3) - 1);
        request->element_bytes = 16;
        break;
    case DATA_HWORDS:
        request->elements = 1u << bits(descriptor, 12, 2);
        request->element_bytes = 32;
        break;
    case DATA_HWORDS_8:
        if (bits(descriptor, 8, 3) == 0 || bits(descriptor, 8, 3) > 4)
            return request_refuse(request, "block size %u is reserved", bits(descriptor, 8, 3));
        request->elements = 1u << (bits(descriptor, 8, 3) - 1);
        request->element_bytes = 32;
        break;
    case DATA_TEXEL: break;
    case DATA_LSC: break;
    case DATA_MEDIA: break;
    case DATA_INT64: request->element_bytes = 8; /* fall through */
    case DATA_INT32:
    case DATA_FLOAT:
    case DATA_INT16:
    case DATA_HALF:
        operands = atomic_operands(request);
        if (operands < 0)
            return request_refuse(request, "atomic operation %u does not exist on %s", bits(descriptor, 8, 4),
                                  request->message->state->platform->name);
        request->operands = (unsigned)operands;
        break;
    }
    return true;
}

/* Returns the bytes of data that are sent or returned (SIMD4x2 and low or high owords still take whole registers). */
static unsigned data_bytes(const struct request *request, unsigned elements)
{
    if (request->is_4x2)
        return request->register_bytes;
    return elements * request->channels * request->element_bytes;
}

static unsigned address_registers(const struct request *request)
{
    switch (request->kind->address) {
    case ADDRESS_A32: return request->is_4x2 ? 1 : registers(request, request->channels * 4);
    case ADDRESS_A64: return registers(request, request->channels * 8);
    default: return 0;
    }
}

static bool check_header(struct request *request)
{
    enum request_header_rule rule = request->kind->header;
    if (rule == HEADER_REQUIRED && !request->has_header)
        return request_refuse(request, "a header is required");
    if (rule == HEADER_FORBIDDEN && request->has_header)
        return request_refuse(request, "a header is not allowed");
    return true;
}

static bool fault_length(struct request *request, const char *which, unsigned have, unsigned want)
{
    return request_refuse(request, "%s %u registers where the descriptor 0x%08x needs %u", which, have,
                          request->descriptor, want);
}

/* The lengths in the descriptor count the registers that the EU provided. */
static bool check_registers(struct request *request)
{
    const struct message *message = request->message;
    unsigned sent = bits(request->descriptor, 25, 4), returned = bits(request->descriptor, 20, 5);
    if (message->src0_regs != sent)
        return fault_length(request, "first source has", message->src0_regs, sent);
    if (sent == 0 || !message->src0)
        return request_refuse(request, "no register is sent");
    if (message->src1_regs != 0 && !message->src1)
        return request_refuse(request, "the second source is missing");
    if (returned != 0 && (message->dst_regs != returned || !message->dst))
        return fault_length(request, "destination has", message->dst ? message->dst_regs : 0, returned);
    request->return_bytes = returned * request->register_bytes;
    return true;
}

/* COORDINATES and PARAMETERS take the rest of the payload, after header and data. */
static bool decode_coordinates(struct request *request, unsigned left)
{
    bool narrow = request->kind->address == ADDRESS_PARAMETERS && bits(request->descriptor, 29, 1);
    unsigned each = registers(request, request->channels * (narrow ? 2 : 4));
    unsigned most = request->kind->address == ADDRESS_COORDINATES ? 4 : 11;
    unsigned least = request->kind->address == ADDRESS_COORDINATES ? 1 : 0;
    if (left % each != 0 || left / each > most || left / each < least)
        return request_refuse(request, "%u registers of coordinates", left);
    request->coordinates = left / each;
    return true;
}

/* Texels are returned as four components unless the header masks some; 16-bit ones are packed two to a dword in SIMD16
 * and fill the lower half of a register in SIMD8. */
static void decode_texel(struct request *request)
{
    request->component_mask = 0xf;
    if (request->has_header)
        request->component_mask = ~bits(request_header(request, 2), 12, 4) & 0xf;
    request->elements = (unsigned)__builtin_popcount(request->component_mask);
    request->element_bytes = bits(request->descriptor, 30, 1) ? 2 : 4;
}

static unsigned texel_registers(const struct request *request)
{
    return request->elements * registers(request, request->channels * request->element_bytes);
}

/* Returns the number of returned registers. */
static unsigned expected_return(const struct request *request)
{
    enum request_direction direction = request->kind->direction;
    if (request->kind->data == DATA_TEXEL)
        return texel_registers(request);
    if (direction == DIRECTION_READ)
        return registers(request, data_bytes(request, request->elements));
    if (direction == DIRECTION_ATOMIC && bits(request->descriptor, 13, 1))
        return registers(request, request->channels * request->element_bytes);
    return 0;
}

bool request_decode(struct request *request)
{
    assert(request->kind && request->message && request->fault);
    const struct message_kind *kind = request->kind;
    if (!check_header(request) || !check_registers(request) || !decode_channels(request) || !decode_data(request))
        return false;
    request_decode_mask(request);
    if (kind->data == DATA_MEDIA) {
        unsigned width, rows, pitch;
        if (!request_media_block(request, &width, &rows, &pitch))
            return false;
        request->elements = rows;
        request->element_bytes = pitch;
    }
    if (kind->data == DATA_TEXEL)
        decode_texel(request);

    unsigned sent = request->message->src0_regs + request->message->src1_regs;
    unsigned header = request->has_header || kind->header == HEADER_IGNORED;
    unsigned data = 0;
    if (kind->direction == DIRECTION_WRITE)
        data = registers(request, data_bytes(request, request->elements));
    if (kind->direction == DIRECTION_ATOMIC)
        data = registers(request, data_bytes(request, request->operands));
    unsigned addresses = address_registers(request);
    if (kind->address == ADDRESS_COORDINATES || kind->address == ADDRESS_PARAMETERS) {
        if (sent < header + data)
            return fault_length(request, "sends", sent, header + data);
        if (!decode_coordinates(request, sent - header - data))
            return false;
        addresses = sent - header - data;
    }
    if (sent != header + addresses + data)
        return fault_length(request, "sends", sent, header + addresses + data);

    unsigned back = expected_return(request), given = bits(request->descriptor, 20, 5);
    if (kind->data == DATA_TEXEL && given > 0 && given < back) {
        /* A shorter response omits the last components. */
        unsigned each = back / request->elements;
        if (given % each == 0) {
            request->elements = given / each;
            back = given;
        }
    }
    /* A fence and a barrier may return a register without data. */
    bool lengths_match = given == back || (kind->direction == DIRECTION_NOTHING && given <= 1);
    if (!lengths_match)
        return fault_length(request, "returns", given, back);
    request->address_at = header * request->register_bytes;
    request->data_at = (header + addresses) * request->register_bytes;
    return true;
}

uint64_t request_address(const struct request *request, unsigned channel)
{
    assert(channel < request->channels);
    if (request->kind->address == ADDRESS_A64) {
        unsigned at = request->address_at + channel * 8;
        return request_dword(request, at) | (uint64_t)request_dword(request, at + 4) << 32;
    }
    return request_dword(request, request->address_at + channel * (request->is_4x2 ? 16 : 4));
}

/* Returns memory for an access that is dropped: zeros for reads, unused memory for writes. NULL if the access is too
 * large. */
static uint8_t *left_out(struct sim_fault *fault, uint64_t size)
{
    static _Thread_local _Alignas(64) uint8_t nowhere[1024];
    if (size > sizeof nowhere)
        return NULL;
    fault->dropped = 1;
    return memset(nowhere, 0, size);
}

uint8_t *request_find_memory(struct request *request, uint64_t gpu, uint64_t size)
{
    gpu &= (UINT64_C(1) << 48) - 1;
    struct sim_range *window = &request->window;
    if (gpu < window->gpu || size > window->size || gpu - window->gpu > window->size - size) {
        const struct sim_range *range = sim_space_find(request->message->state->space, gpu);
        if (!range || size > range->size - (gpu - range->gpu))
            return NULL;
        *window = *range;
    }
    return window->host + (gpu - window->gpu);
}

uint8_t *request_try_memory(struct request *request, uint64_t gpu, uint64_t size)
{
    const struct message_touch *touch = request->message->state->touch;
    uint8_t *host = request_find_memory(request, gpu, size);
    if (host && touch)
        touch->touched(touch->context, gpu & ((UINT64_C(1) << 48) - 1), size, request_access(request) != CHECK_READ);
    if (host && request->message->state->record)
        record_touch(request->message->state->record, host, size);
    return host;
}

uint8_t *request_shadow(struct request *request, enum check_store store, uint64_t where, uint64_t size)
{
    static _Thread_local uint8_t nowhere[1024];
    uint8_t *bytes = check_values_at(request->message->state->shadow, store, where, size,
                                     request->kind->direction == DIRECTION_WRITE);
    return bytes ? bytes : size <= sizeof nowhere ? memset(nowhere, 0, size) : NULL;
}

uint8_t *request_memory(struct request *request, uint64_t gpu, uint64_t size)
{
    uint8_t *host = request_state(request, gpu, size);
    struct check_group *check = request->message->state->check;
    if (host && request->message->state->shadow)
        return request_shadow(request, CHECK_STORE_GLOBAL, gpu & ((UINT64_C(1) << 48) - 1), size);
    if (host && check)
        check_global(check, gpu & ((UINT64_C(1) << 48) - 1), size, request_access(request), request->window.gpu,
                     request->window.gpu + request->window.size);
    if (host)
        request_watch(request, gpu & ((UINT64_C(1) << 48) - 1), size, false);
    return host;
}

uint8_t *request_state(struct request *request, uint64_t gpu, uint64_t size)
{
    uint8_t *host = request_try_memory(request, gpu, size);
    if (host)
        return host;
    sim_fault_raise_address(request->fault, gpu & ((UINT64_C(1) << 48) - 1), size, request->kind->name);
    return request->message->state->drop_faults ? left_out(request->fault, size) : NULL;
}
