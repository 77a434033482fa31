/* Performs atomic operations of the load/store cache. They are atomic for other host threads too: each is a
 * compare-and-swap loop on the host's memory. */
#include <math.h>
#include "sim/message/format.h"
#include "sim/message/handlers.h"
#include "sim/message/lsc.h"

enum { OPERATIONS = 64 };

static const signed char operands[OPERATIONS] = {
#define LSC_INTEGER(NUMBER, OPERANDS, NAME, NEW) [NUMBER] = (OPERANDS) + 1,
#define LSC_REAL(NUMBER, OPERANDS, NAME, NEW)    [NUMBER] = (OPERANDS) + 1,
#include "tables/lsc.def"
};

static const bool is_float[OPERATIONS] = {
#define LSC_REAL(NUMBER, OPERANDS, NAME, NEW) [NUMBER] = true,
#include "tables/lsc.def"
};

int lsc_atomic_operands(uint32_t operation)
{
    return operands[operation % OPERATIONS] - 1;
}

bool lsc_atomic_is_float(uint32_t operation)
{
    return is_float[operation % OPERATIONS];
}

static int64_t sign_extended(uint64_t value, unsigned bytes)
{
    unsigned unused = 64 - 8 * bytes;
    return (int64_t)(value << unused) >> unused;
}

static uint64_t step_integer(uint32_t operation, unsigned bytes, uint64_t old, uint64_t a, uint64_t b)
{
    int64_t s_old = sign_extended(old, bytes), s_a = sign_extended(a, bytes);
    switch (operation) {
#define LSC_INTEGER(NUMBER, OPERANDS, NAME, NEW)                                                                       \
    case NUMBER: return NEW;
#include "tables/lsc.def"
    default: return old;
    }
}

static float step_real(uint32_t operation, float old, float a, float b)
{
    switch (operation) {
#define LSC_REAL(NUMBER, OPERANDS, NAME, NEW)                                                                          \
    case NUMBER: return NEW;
#include "tables/lsc.def"
    default: return old;
    }
}

static float as_real(uint64_t bits, unsigned bytes)
{
    return bytes == 2 ? format_float_of_half((uint16_t)bits) : format_float_of((uint32_t)bits);
}

/* Returns the new value for `old`, of `bytes` bytes. */
static uint64_t step(uint32_t operation, unsigned bytes, uint64_t old, uint64_t a, uint64_t b)
{
    if (!is_float[operation])
        return step_integer(operation, bytes, old, a, b);
    float value = step_real(operation, as_real(old, bytes), as_real(a, bytes), as_real(b, bytes));
    return bytes == 2 ? format_half_of(value) : format_bits_of(value);
}

#define PERFORM(TYPE)                                                                                                  \
    {                                                                                                                  \
        TYPE *at = (TYPE *)(void *)memory, old = __atomic_load_n(at, __ATOMIC_SEQ_CST);                                \
        while (!__atomic_compare_exchange_n(at, &old, (TYPE)step(operation, sizeof old, old, a, b), false,             \
                                            __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))                                       \
            ;                                                                                                          \
        return old;                                                                                                    \
    }

/* Returns the old value. */
static uint64_t perform(uint32_t operation, unsigned bytes, uint8_t *memory, uint64_t a, uint64_t b)
{
    switch (bytes) {
    case 2: PERFORM(uint16_t)
    case 4: PERFORM(uint32_t)
    default: PERFORM(uint64_t)
    }
}

/* Returns operand `index` of a lane, with as many bytes as the memory element. */
static uint64_t operand(const struct request *request, unsigned index, unsigned lane, unsigned bytes)
{
    uint64_t value = 0;
    if (index < request->operands)
        memcpy(&value, request_payload(request, request->data_at + lsc_element_at(request, index, lane)), bytes);
    return value;
}

enum message_effect message_lsc_atomic(struct request *request)
{
    struct target target;
    uint32_t operation = request->descriptor % OPERATIONS;
    unsigned bytes = (request->descriptor >> 9 & 7) == 5 ? 2 : request->element_bytes;
    if (!lsc_target(request, &target))
        return MESSAGE_FAULT;
    for (uint32_t rest = request->mask; rest != 0; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t address = lsc_address(request, lane), old = 0;
        uint8_t *memory = NULL;
        if (address % bytes != 0)
            return request_fault(request, "address 0x%llx is not aligned to %u bytes", (unsigned long long)address,
                                 bytes);
        request_names_lane(request, lane, 0);
        enum surface_reach reach = target_at(request, &target, address, bytes, &memory);
        if (reach == REACH_FAULT)
            return MESSAGE_FAULT;
        if (reach == REACH_INSIDE)
            old = perform(operation, bytes, memory, operand(request, 0, lane, bytes), operand(request, 1, lane, bytes));
        if (request->message->dst_regs)
            memcpy(request->message->dst + lane * request->element_bytes, &old, request->element_bytes);
    }
    return MESSAGE_DONE;
}
