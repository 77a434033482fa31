/* Performs atomic operations on buffers, shared local memory, 64-bit addresses and typed surfaces. They are atomic for
 * other host threads too: each is a compare-and-swap loop on the host's memory. */
#include <math.h>
#include "sim/message/handlers.h"
#include "sim/message/surface.h"
#include "sim/message/typed.h"

static bool is_float(const struct request *request)
{
    return request->kind->data == DATA_FLOAT || request->kind->data == DATA_HALF;
}

/* Returns the bytes of memory that one channel changes. 16-bit operands are in the lower halves of their dwords in
 * registers. */
static unsigned memory_bytes(const struct request *request)
{
    return request->kind->data == DATA_INT16 || request->kind->data == DATA_HALF ? 2 : request->element_bytes;
}

static unsigned operation_number(const struct request *request)
{
    return request->descriptor >> 8 & (is_float(request) ? 7 : 15);
}

/* Each step_ function returns the value to store and the value to return. */
static uint32_t step_dword(unsigned operation, uint32_t old, uint32_t a, uint32_t b, uint32_t *returned)
{
    int32_t s_old = (int32_t)old, s_a = (int32_t)a;
    switch (operation) {
#define ATOMIC_INTEGER(NUMBER, OPERANDS, NAME, NEW, RETURNED)                                                          \
    case NUMBER: *returned = RETURNED; return NEW;
#include "tables/atomic_operations.def"
    default: return old;
    }
}

static uint16_t step_word(unsigned operation, uint16_t old, uint16_t a, uint16_t b, uint16_t *returned)
{
    int16_t s_old = (int16_t)old, s_a = (int16_t)a;
    switch (operation) {
#define ATOMIC_INTEGER(NUMBER, OPERANDS, NAME, NEW, RETURNED)                                                          \
    case NUMBER: *returned = (uint16_t)(RETURNED); return (uint16_t)(NEW);
#include "tables/atomic_operations.def"
    default: return old;
    }
}

static uint64_t step_qword(unsigned operation, uint64_t old, uint64_t a, uint64_t b, uint64_t *returned)
{
    int64_t s_old = (int64_t)old, s_a = (int64_t)a;
    switch (operation) {
#define ATOMIC_INTEGER(NUMBER, OPERANDS, NAME, NEW, RETURNED)                                                          \
    case NUMBER: *returned = RETURNED; return NEW;
#include "tables/atomic_operations.def"
    default: return old;
    }
}

static uint32_t step_real(unsigned operation, uint32_t old_bits, uint32_t a_bits, uint32_t b_bits, uint32_t *returned)
{
    float old = format_float_of(old_bits), a = format_float_of(a_bits), b = format_float_of(b_bits);
    *returned = old_bits;
    switch (operation) {
#define ATOMIC_REAL(NUMBER, OPERANDS, NAME, NEW, RETURNED)                                                             \
    case NUMBER: return format_bits_of(NEW);
#include "tables/atomic_operations.def"
    default: return old_bits;
    }
}

static uint16_t step_half(unsigned operation, uint16_t old_bits, uint16_t a_bits, uint16_t b_bits, uint16_t *returned)
{
    uint32_t wide[3] = {format_bits_of(format_float_of_half(old_bits)), format_bits_of(format_float_of_half(a_bits)),
                        format_bits_of(format_float_of_half(b_bits))};
    *returned = old_bits;
    return format_half_of(format_float_of(step_real(operation, wide[0], wide[1], wide[2], &wide[0])));
}

/* Returns operand `index` of `channel`. The payload has the first operand of all channels, then the second. */
static uint64_t operand(const struct request *request, unsigned index, unsigned channel)
{
    unsigned at = request->data_at + request_element_at(request, index, channel);
    if (index >= request->operands)
        return 0;
    uint64_t low = request_dword(request, at);
    return request->element_bytes == 8 ? low | (uint64_t)request_dword(request, at + 4) << 32 : low;
}

static uint64_t perform_dword(const struct request *request, uint32_t *memory, unsigned channel)
{
    uint32_t a = (uint32_t)operand(request, 0, channel), b = (uint32_t)operand(request, 1, channel), stored,
             returned = 0;
    uint32_t old = __atomic_load_n(memory, __ATOMIC_SEQ_CST);
    do {
        stored = (is_float(request) ? step_real : step_dword)(operation_number(request), old, a, b, &returned);
    } while (!__atomic_compare_exchange_n(memory, &old, stored, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return returned;
}

static uint64_t perform_word(const struct request *request, uint16_t *memory, unsigned channel)
{
    uint16_t a = (uint16_t)operand(request, 0, channel), b = (uint16_t)operand(request, 1, channel), stored,
             returned = 0;
    uint16_t old = __atomic_load_n(memory, __ATOMIC_SEQ_CST);
    do {
        stored = (is_float(request) ? step_half : step_word)(operation_number(request), old, a, b, &returned);
    } while (!__atomic_compare_exchange_n(memory, &old, stored, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return returned;
}

static uint64_t perform_qword(const struct request *request, uint64_t *memory, unsigned channel)
{
    uint64_t a = operand(request, 0, channel), b = operand(request, 1, channel), stored, returned = 0;
    uint64_t old = __atomic_load_n(memory, __ATOMIC_SEQ_CST);
    do {
        stored = step_qword(operation_number(request), old, a, b, &returned);
    } while (!__atomic_compare_exchange_n(memory, &old, stored, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST));
    return returned;
}

/* Performs the operation on `memory` (NULL: outside of the surface, returns 0); stores the old value in registers if
 * the message returns it. */
static bool perform_channel(struct request *request, uint8_t *memory, unsigned channel)
{
    unsigned size = request->element_bytes, bytes = memory_bytes(request);
    uint64_t returned = 0;
    if (memory && (uintptr_t)memory % bytes != 0)
        return request_refuse(request, "operand of channel %u is not aligned to %u bytes", channel, bytes);
    if (memory && bytes == 8)
        returned = perform_qword(request, (uint64_t *)(void *)memory, channel);
    else if (memory && bytes == 2)
        returned = perform_word(request, (uint16_t *)(void *)memory, channel);
    else if (memory)
        returned = perform_dword(request, (uint32_t *)(void *)memory, channel);
    if (request->descriptor >> 13 & 1)
        memcpy(request->message->dst + channel * size, &returned, size);
    return true;
}

enum message_effect message_untyped_atomic(struct request *request)
{
    struct target target;
    if (!target_open(request, &target))
        return MESSAGE_FAULT;
    for (unsigned channel = 0; channel < request->channels; channel++) {
        uint8_t *memory = NULL;
        if (!(request->mask >> channel & 1))
            continue;
        request_names_lane(request, channel, 0);
        enum surface_reach reach =
            target_at(request, &target, request_address(request, channel), memory_bytes(request), &memory);
        if (reach == REACH_FAULT || !perform_channel(request, memory, channel))
            return MESSAGE_FAULT;
    }
    return MESSAGE_DONE;
}

enum message_effect message_typed_atomic(struct request *request)
{
    struct surface surface;
    uint32_t mask = typed_slots(request, request->descriptor >> 12 & 1 ? 2 : 1);
    if (!surface_open(request, request->descriptor & 255, &surface))
        return MESSAGE_FAULT;
    unsigned bytes = memory_bytes(request);
    if (surface.type != SURFACE_NULL && (surface.format->bytes != bytes || surface.format->bits[0] != 8 * bytes))
        return request_fault(request, "format %s has no atomic operations", surface.format->name);
    for (unsigned channel = 0; channel < request->channels; channel++) {
        uint8_t *memory = NULL;
        if (!(mask >> channel & 1))
            continue;
        request_names_lane(request, channel, 0);
        if (!typed_pixel(request, &surface, channel, &memory) || !perform_channel(request, memory, channel))
            return MESSAGE_FAULT;
    }
    return MESSAGE_DONE;
}
