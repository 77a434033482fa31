/* Fast paths for the commonest instructions: 32-bit lanes, packed or scalar operands, no saturation. They must produce
 * the same bits as eu_execute_alu: test/unit/sim_eu runs every case both ways.
 *
 * Each function below is compiled for every lane count and, on x86-64, twice: for any processor and for one with AVX2
 * and FMA, chosen when the kernel is decoded. */
#pragma GCC optimize("O3")
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "sim/eu/fast.h"
#include "sim/eu/operand.h"

#define INLINE static inline __attribute__((always_inline))

enum { FAST_LANES = 16 };

union fast_lanes {
    uint32_t u[FAST_LANES];
    int32_t i[FAST_LANES];
    float f[FAST_LANES];
};

static const uint32_t lane_bit[FAST_LANES] = {1,      1 << 1, 1 << 2,  1 << 3,  1 << 4,  1 << 5,  1 << 6,  1 << 7,
                                              1 << 8, 1 << 9, 1 << 10, 1 << 11, 1 << 12, 1 << 13, 1 << 14, 1 << 15};

#define LOAD_NARROW(CTYPE)                                                                                             \
    {                                                                                                                  \
        CTYPE narrow[FAST_LANES];                                                                                      \
        memcpy(narrow, at, n * sizeof(CTYPE));                                                                         \
        for (unsigned lane = 0; lane < n; lane++)                                                                      \
            x->i[lane] = narrow[lane];                                                                                 \
        break;                                                                                                         \
    }

INLINE uint32_t load_element(const uint8_t *at, unsigned type)
{
    uint16_t word;
    uint32_t dword;
    switch (type) {
    case EU_UB: return *at;
    case EU_B: return (uint32_t)(int8_t)*at;
    case EU_UW: return memcpy(&word, at, sizeof word), word;
    case EU_W: return memcpy(&word, at, sizeof word), (uint32_t)(int16_t)word;
    default: return memcpy(&dword, at, sizeof dword), dword;
    }
}

INLINE void load(const struct eu_thread *thread, const struct eu_operand *operand, const unsigned n,
                 union fast_lanes *x)
{
    const uint8_t *at = thread->file + operand->base;
    uint32_t scalar = (uint32_t)operand->immediate;
    switch (operand->load) {
    case LOAD_DWORDS: memcpy(x, at, 4 * n); break;
    case LOAD_DWORD:
        memcpy(&scalar, at, sizeof scalar);
        for (unsigned lane = 0; lane < n; lane++)
            x->u[lane] = scalar;
        break;
    case LOAD_WORDS: LOAD_NARROW(int16_t)
    case LOAD_UWORDS: LOAD_NARROW(uint16_t)
    case LOAD_BYTES: LOAD_NARROW(int8_t)
    case LOAD_UBYTES: LOAD_NARROW(uint8_t)
    case LOAD_REGION:
        for (unsigned lane = 0; lane < n; lane++)
            x->u[lane] = load_element(at + eu_region_offset(operand, lane), operand->type);
        break;
    default: /* a constant, modifiers applied already */
        for (unsigned lane = 0; lane < n; lane++)
            x->u[lane] = scalar;
        return;
    }
    if (operand->negate || operand->absolute)
        for (unsigned lane = 0; lane < n; lane++)
            x->u[lane] = ((x->u[lane] & operand->keep) ^ operand->flip) - operand->minus;
}

INLINE void store_element(uint8_t *at, unsigned how, uint32_t value)
{
    uint16_t word = (uint16_t)value;
    if (how == STORE_BYTES)
        *at = (uint8_t)value;
    else if (how == STORE_WORDS)
        memcpy(at, &word, sizeof word);
    else
        memcpy(at, &value, sizeof value);
}

INLINE void store(struct eu_thread *thread, const struct eu_instruction *in, const unsigned n, uint32_t enabled,
                  const union fast_lanes *x)
{
    uint8_t *at = thread->file + in->dst.base;
    if (in->dst.load == STORE_PACKED_WORDS) {
        uint16_t words[FAST_LANES];
        memcpy(words, at, 2 * n);
        for (unsigned lane = 0; lane < n; lane++)
            words[lane] = enabled & lane_bit[lane] ? (uint16_t)x->u[lane] : words[lane];
        memcpy(at, words, 2 * n);
        return;
    }
    if (in->dst.load != STORE_PACKED) {
        for (unsigned lane = 0; lane < n; lane++)
            if (enabled & lane_bit[lane])
                store_element(at + lane * in->dst.step, in->dst.load, x->u[lane]);
        return;
    }
    if (enabled == in->lanes_mask) {
        memcpy(at, x, 4 * n);
        return;
    }
    union fast_lanes old;
    memcpy(&old, at, 4 * n);
    for (unsigned lane = 0; lane < n; lane++)
        old.u[lane] = enabled & lane_bit[lane] ? x->u[lane] : old.u[lane];
    memcpy(at, &old, 4 * n);
}

/* Rounds towards zero, clamps, NaN gives 0: as operand.c's integer_of_real. */
INLINE int32_t to_int(float value)
{
    if (value >= 0x1p31f)
        return INT32_MAX;
    return value >= -0x1p31f ? (int32_t)value : value < 0 ? INT32_MIN : 0;
}

INLINE int32_t clamp(int32_t value, int32_t low, int32_t high)
{
    return value < low ? low : value > high ? high : value;
}

#define EACH(MEMBER, EXPRESSION)                                                                                       \
    for (unsigned lane = 0; lane < n; lane++)                                                                          \
        r->MEMBER[lane] = (EXPRESSION);                                                                                \
    break;

INLINE void compute(const enum eu_fast_op op, const unsigned n, const union fast_lanes *a, const union fast_lanes *b,
                    const union fast_lanes *c, uint32_t choice, union fast_lanes *r)
{
    switch (op) {
    case FAST_MOVE: EACH(u, a->u[lane])
    case FAST_ADD_F: EACH(f, a->f[lane] + b->f[lane])
    case FAST_MUL_F: EACH(f, a->f[lane] * b->f[lane])
    case FAST_MAD_F: EACH(f, fmaf(b->f[lane], c->f[lane], a->f[lane]))
    case FAST_MAC_F: EACH(f, fmaf(a->f[lane], b->f[lane], c->f[lane]))
    case FAST_ADD:
    case FAST_ADD_FLAGS: EACH(u, a->u[lane] + b->u[lane])
    case FAST_MUL: EACH(u, a->u[lane] * b->u[lane])
    case FAST_AND:
    case FAST_AND_FLAGS: EACH(u, a->u[lane] & b->u[lane])
    case FAST_OR:
    case FAST_OR_FLAGS: EACH(u, a->u[lane] | b->u[lane])
    case FAST_XOR: EACH(u, a->u[lane] ^ b->u[lane])
    case FAST_SHL: EACH(u, a->u[lane] << (b->u[lane] & 31))
    case FAST_SHR: EACH(u, a->u[lane] >> (b->u[lane] & 31))
    case FAST_ASR: EACH(i, a->i[lane] >> (b->u[lane] & 31))
    case FAST_ROL: EACH(u, a->u[lane] << (b->u[lane] & 31) | a->u[lane] >> (-b->u[lane] & 31))
    case FAST_ROR: EACH(u, a->u[lane] >> (b->u[lane] & 31) | a->u[lane] << (-b->u[lane] & 31))
    case FAST_NOT: EACH(u, ~a->u[lane])
    case FAST_TO_FLOAT: EACH(f, (float)a->i[lane])
    case FAST_TO_INT: EACH(i, to_int(a->f[lane]))
    case FAST_TO_BYTE: EACH(i, clamp(to_int(a->f[lane]), 0, UINT8_MAX))
    case FAST_SEL: EACH(u, choice & lane_bit[lane] ? a->u[lane] : b->u[lane])
    case FAST_MIN_F: EACH(u, ((a->f[lane] < b->f[lane]) | (b->f[lane] != b->f[lane])) ? a->u[lane] : b->u[lane])
    case FAST_MAX_F: EACH(u, ((a->f[lane] >= b->f[lane]) | (b->f[lane] != b->f[lane])) ? a->u[lane] : b->u[lane])
    case FAST_MIN: EACH(i, a->i[lane] < b->i[lane] ? a->i[lane] : b->i[lane])
    case FAST_MAX: EACH(i, a->i[lane] >= b->i[lane] ? a->i[lane] : b->i[lane])
    case FAST_MIN_U: EACH(u, a->u[lane] < b->u[lane] ? a->u[lane] : b->u[lane])
    case FAST_MAX_U: EACH(u, a->u[lane] >= b->u[lane] ? a->u[lane] : b->u[lane])
    default: abort(); /* comparisons go through run_compare */
    }
}

#define COMPARE(MEMBER, OPERATOR)                                                                                      \
    for (unsigned lane = 0; lane < n; lane++)                                                                          \
        r.u[lane] = a.MEMBER[lane] OPERATOR b.MEMBER[lane] ? UINT32_MAX : 0;                                           \
    break;

#define COMPARE_BY_CONDITION(MEMBER)                                                                                   \
    switch (in->condition) {                                                                                           \
    case EU_EQUAL: COMPARE(MEMBER, ==)                                                                                 \
    case EU_NOT_EQUAL: COMPARE(MEMBER, !=)                                                                             \
    case EU_GREATER: COMPARE(MEMBER, >)                                                                                \
    case EU_GREATER_EQUAL: COMPARE(MEMBER, >=)                                                                         \
    case EU_LESS: COMPARE(MEMBER, <)                                                                                   \
    default: COMPARE(MEMBER, <=)                                                                                       \
    }

INLINE uint32_t bits_of(const union fast_lanes *masks, const unsigned n)
{
    uint32_t bits = 0;
    for (unsigned lane = 0; lane < n; lane++)
        bits |= masks->u[lane] & lane_bit[lane];
    return bits;
}

/* The condition of an integer result: what is written, compared with zero. */
INLINE uint32_t written_conditions(const struct eu_instruction *in, const unsigned n, const union fast_lanes *result)
{
    union fast_lanes a, b, r;
    memset(&b, 0, sizeof b);
    for (unsigned lane = 0; lane < n; lane++)
        a.u[lane] = load_element((const uint8_t *)&result->u[lane], in->dst.type); /* the low bytes */
    if (eu_type_is_signed((enum eu_type)in->dst.type)) {
        COMPARE_BY_CONDITION(i)
    } else {
        COMPARE_BY_CONDITION(u)
    }
    return bits_of(&r, n);
}

INLINE bool sets_flags(const enum eu_fast_op op)
{
    return op == FAST_ADD_FLAGS || op == FAST_AND_FLAGS || op == FAST_OR_FLAGS;
}

INLINE void run(struct eu_thread *thread, const struct eu_instruction *in, const enum eu_fast_op op, const unsigned n,
                const unsigned sources)
{
    if ((op == FAST_TO_INT || op == FAST_TO_BYTE) && eu_control(thread) & EU_CR0_ROUNDS_TO_INTEGERS) {
        eu_execute_alu(thread, in);
        return;
    }
    union fast_lanes a, b, c, r;
    uint32_t enabled = eu_enabled_lanes(thread, in), choice = enabled;
    if (op == FAST_SEL)
        enabled = in->no_mask ? in->lanes_mask : thread->active >> in->channel_offset & in->lanes_mask;
    load(thread, &in->src[0], n, &a);
    if (sources > 1)
        load(thread, &in->src[1], n, &b);
    if (sources > 2)
        load(thread, &in->src[2], n, &c);
    if (op == FAST_MAC_F)
        memcpy(&c, thread->file + EU_FILE_ACCUMULATOR, 4 * n);
    compute(op, n, &a, &b, &c, choice, &r);
    if (sets_flags(op))
        eu_write_flags(thread, in, enabled, written_conditions(in, n, &r));
    if (!sets_flags(op) || in->dst.place != EU_NOWHERE)
        store(thread, in, n, enabled, &r);
}

INLINE void run_compare(struct eu_thread *thread, const struct eu_instruction *in, const enum eu_fast_op op,
                        const unsigned n)
{
    union fast_lanes a, b, r;
    uint32_t enabled = eu_enabled_lanes(thread, in);
    load(thread, &in->src[0], n, &a);
    load(thread, &in->src[1], n, &b);
    if (op == FAST_CMP_F) {
        COMPARE_BY_CONDITION(f)
    } else if (op == FAST_CMP) {
        COMPARE_BY_CONDITION(i)
    } else {
        COMPARE_BY_CONDITION(u)
    }
    eu_write_flags(thread, in, enabled, bits_of(&r, n));
    if (in->dst.place != EU_NOWHERE)
        store(thread, in, n, enabled, &r);
}

INLINE void run_csel(struct eu_thread *thread, const struct eu_instruction *in, const enum eu_fast_op op,
                     const unsigned n)
{
    union fast_lanes a, b, first, second, r;
    uint32_t enabled = eu_enabled_lanes(thread, in);
    load(thread, &in->src[2], n, &a);
    memset(&b, 0, sizeof b);
    if (op == FAST_CSEL_F) {
        COMPARE_BY_CONDITION(f)
    } else {
        COMPARE_BY_CONDITION(i)
    }
    load(thread, &in->src[0], n, &first);
    load(thread, &in->src[1], n, &second);
    for (unsigned lane = 0; lane < n; lane++)
        r.u[lane] = r.u[lane] ? first.u[lane] : second.u[lane];
    store(thread, in, n, enabled, &r);
}

/* --- one function per operation, lane count and processor ----------------------------------------------------------
 */

#define FUNCTION(TARGET, SUFFIX, OP, N, BODY)                                                                          \
    TARGET static void fast_##OP##_##N##_##SUFFIX(struct eu_thread *thread, const struct eu_instruction *in)           \
    {                                                                                                                  \
        BODY;                                                                                                          \
    }
#define FOR_EACH_COUNT(TARGET, SUFFIX, OP, SOURCES)                                                                    \
    FUNCTION(TARGET, SUFFIX, OP, 1, run(thread, in, OP, 1, SOURCES))                                                   \
    FUNCTION(TARGET, SUFFIX, OP, 4, run(thread, in, OP, 4, SOURCES))                                                   \
    FUNCTION(TARGET, SUFFIX, OP, 8, run(thread, in, OP, 8, SOURCES))                                                   \
    FUNCTION(TARGET, SUFFIX, OP, 16, run(thread, in, OP, 16, SOURCES))
#define FOR_EACH_COUNT_COMPARE(TARGET, SUFFIX, OP)                                                                     \
    FUNCTION(TARGET, SUFFIX, OP, 1, run_compare(thread, in, OP, 1))                                                    \
    FUNCTION(TARGET, SUFFIX, OP, 4, run_compare(thread, in, OP, 4))                                                    \
    FUNCTION(TARGET, SUFFIX, OP, 8, run_compare(thread, in, OP, 8))                                                    \
    FUNCTION(TARGET, SUFFIX, OP, 16, run_compare(thread, in, OP, 16))

#define FOR_EACH_COUNT_CSEL(TARGET, SUFFIX, OP)                                                                        \
    FUNCTION(TARGET, SUFFIX, OP, 1, run_csel(thread, in, OP, 1))                                                       \
    FUNCTION(TARGET, SUFFIX, OP, 4, run_csel(thread, in, OP, 4))                                                       \
    FUNCTION(TARGET, SUFFIX, OP, 8, run_csel(thread, in, OP, 8))                                                       \
    FUNCTION(TARGET, SUFFIX, OP, 16, run_csel(thread, in, OP, 16))

#define FOR_EACH_OP(TARGET, SUFFIX)                                                                                    \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_MOVE, 1)                                                                       \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_ADD_F, 2)                                                                      \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_MUL_F, 2)                                                                      \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_MAD_F, 3)                                                                      \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_MAC_F, 2)                                                                      \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_ADD, 2)                                                                        \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_MUL, 2)                                                                        \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_AND, 2)                                                                        \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_OR, 2)                                                                         \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_XOR, 2)                                                                        \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_SHL, 2)                                                                        \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_SHR, 2)                                                                        \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_ASR, 2)                                                                        \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_ROL, 2)                                                                        \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_ROR, 2)                                                                        \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_NOT, 1)                                                                        \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_TO_FLOAT, 1)                                                                   \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_TO_INT, 1)                                                                     \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_TO_BYTE, 1)                                                                    \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_SEL, 2)                                                                        \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_MIN_F, 2)                                                                      \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_MAX_F, 2)                                                                      \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_MIN, 2)                                                                        \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_MAX, 2)                                                                        \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_MIN_U, 2)                                                                      \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_MAX_U, 2)                                                                      \
    FOR_EACH_COUNT_COMPARE(TARGET, SUFFIX, FAST_CMP_F)                                                                 \
    FOR_EACH_COUNT_COMPARE(TARGET, SUFFIX, FAST_CMP)                                                                   \
    FOR_EACH_COUNT_COMPARE(TARGET, SUFFIX, FAST_CMP_U)                                                                 \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_ADD_FLAGS, 2)                                                                  \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_AND_FLAGS, 2)                                                                  \
    FOR_EACH_COUNT(TARGET, SUFFIX, FAST_OR_FLAGS, 2)                                                                   \
    FOR_EACH_COUNT_CSEL(TARGET, SUFFIX, FAST_CSEL_F)                                                                   \
    FOR_EACH_COUNT_CSEL(TARGET, SUFFIX, FAST_CSEL)

FOR_EACH_OP(, any)
#if defined(__x86_64__)
FOR_EACH_OP(__attribute__((target("avx2,fma"))), avx2)
#endif

#define ROW(OP, SUFFIX)                                                                                                \
    [OP] = {fast_##OP##_1_##SUFFIX, fast_##OP##_4_##SUFFIX, fast_##OP##_8_##SUFFIX, fast_##OP##_16_##SUFFIX}
#define TABLE(SUFFIX)                                                                                                  \
    {ROW(FAST_MOVE, SUFFIX),      ROW(FAST_ADD_F, SUFFIX),   ROW(FAST_MUL_F, SUFFIX),   ROW(FAST_MAD_F, SUFFIX),       \
     ROW(FAST_ADD, SUFFIX),       ROW(FAST_MUL, SUFFIX),     ROW(FAST_AND, SUFFIX),     ROW(FAST_OR, SUFFIX),          \
     ROW(FAST_XOR, SUFFIX),       ROW(FAST_SHL, SUFFIX),     ROW(FAST_SHR, SUFFIX),     ROW(FAST_ASR, SUFFIX),         \
     ROW(FAST_TO_FLOAT, SUFFIX),  ROW(FAST_TO_INT, SUFFIX),  ROW(FAST_TO_BYTE, SUFFIX), ROW(FAST_SEL, SUFFIX),         \
     ROW(FAST_MIN_F, SUFFIX),     ROW(FAST_MAX_F, SUFFIX),   ROW(FAST_MIN, SUFFIX),     ROW(FAST_MAX, SUFFIX),         \
     ROW(FAST_MIN_U, SUFFIX),     ROW(FAST_MAX_U, SUFFIX),   ROW(FAST_CMP_F, SUFFIX),   ROW(FAST_CMP, SUFFIX),         \
     ROW(FAST_CMP_U, SUFFIX),     ROW(FAST_MAC_F, SUFFIX),   ROW(FAST_ROL, SUFFIX),     ROW(FAST_ROR, SUFFIX),         \
     ROW(FAST_NOT, SUFFIX),       ROW(FAST_CSEL_F, SUFFIX),  ROW(FAST_CSEL, SUFFIX),    ROW(FAST_ADD_FLAGS, SUFFIX),   \
     ROW(FAST_AND_FLAGS, SUFFIX), ROW(FAST_OR_FLAGS, SUFFIX)}

static eu_execute *pick(enum eu_fast_op op, unsigned count)
{
    static eu_execute *const any[FAST_OPS][FAST_COUNTS] = TABLE(any);
#if defined(__x86_64__)
    static eu_execute *const avx2[FAST_OPS][FAST_COUNTS] = TABLE(avx2);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return avx2[op][count];
#endif
    return any[op][count];
}

/* --- which instructions qualify --------------------------------------------------------------------------------------
 */

static bool is_float(const struct eu_operand *operand)
{
    return eu_type_table[operand->type].domain != EU_INTEGER;
}
/* True if the source's values, zero- or sign-extended, are the same number as a signed (unsigned) 32-bit lane. */
static bool fits_signed(const struct eu_operand *operand)
{
    return operand->type != EU_UD || (operand->place == EU_IMMEDIATE && operand->immediate <= INT32_MAX);
}

static bool fits_unsigned(const struct eu_operand *operand)
{
    return !eu_type_is_signed((enum eu_type)operand->type) ||
           (operand->place == EU_IMMEDIATE && operand->immediate <= INT16_MAX);
}

/* True for elements that an accumulator holds like a general register: dwords have a high half there. */
static bool is_plain_in_accumulator(const struct eu_operand *operand)
{
    return operand->type == EU_F || operand->type == EU_UW || operand->type == EU_W;
}

static enum eu_fast_load load_of(const struct eu_operand *operand, unsigned n)
{
    unsigned bytes = eu_type_table[operand->type].bytes;
    if (operand->place == EU_IMMEDIATE)
        return operand->type < EU_UV && bytes <= 4 ? LOAD_CONSTANT : LOAD_NONE;
    bool plain =
        operand->special == EU_PLAIN || (operand->special == EU_ACCUMULATOR && is_plain_in_accumulator(operand));
    if (operand->place != EU_DIRECT || !plain)
        return LOAD_NONE;
    if (bytes == 4 && operand->linear && operand->step == 0)
        return LOAD_DWORD;
    bool packed = operand->linear && (operand->step == bytes || n == 1);
    switch (operand->type) {
    case EU_D:
    case EU_UD:
    case EU_F: return packed ? LOAD_DWORDS : LOAD_REGION;
    case EU_W: return packed ? LOAD_WORDS : LOAD_REGION;
    case EU_UW: return packed ? LOAD_UWORDS : LOAD_REGION;
    case EU_B: return packed ? LOAD_BYTES : LOAD_REGION;
    case EU_UB: return packed ? LOAD_UBYTES : LOAD_REGION;
    default: return LOAD_NONE;
    }
}

/* The immediate as a 32-bit lane. */
static uint32_t constant_of(const struct eu_operand *operand)
{
    switch (operand->type) {
    case EU_W: return (uint32_t)(int16_t)operand->immediate;
    case EU_B: return (uint32_t)(int8_t)operand->immediate;
    default: return (uint32_t)operand->immediate;
    }
}

/* Records how to load each source. False unless each has a load and all are floats, or all are integers, as `real`
 * says. */
static bool note_loads(struct eu_instruction *in, bool real)
{
    for (unsigned s = 0; s < in->op->sources; s++) {
        struct eu_operand *x = &in->src[s];
        x->load = (uint8_t)load_of(x, in->exec_size);
        if (x->load == LOAD_NONE || is_float(x) != real || (real && x->type != EU_F))
            return false;
        if (x->load == LOAD_CONSTANT)
            x->immediate = constant_of(x);
        bool logic = in->op->properties & EU_PROPERTY_LOGIC;
        x->keep = x->absolute ? INT32_MAX : UINT32_MAX;
        x->flip = !x->negate ? 0 : real ? 0x80000000u : UINT32_MAX;
        x->minus = x->negate && !real && !logic ? UINT32_MAX : 0;
        if (x->absolute && !real)
            return false;
    }
    return true;
}

/* Comparisons and other operations that order integers need the true value of the source: a modifier could leave 32
 * bits. */
static enum eu_fast_op by_order(const struct eu_instruction *in, enum eu_fast_op as_signed, enum eu_fast_op as_unsigned)
{
    const struct eu_operand *a = &in->src[0], *b = &in->src[1];
    if (a->negate || b->negate)
        return FAST_OPS;
    if (fits_signed(a) && fits_signed(b))
        return as_signed;
    return fits_unsigned(a) && fits_unsigned(b) ? as_unsigned : FAST_OPS;
}

static enum eu_fast_op select_op(const struct eu_instruction *in, bool real)
{
    if (in->condition == EU_ALWAYS)
        return FAST_SEL;
    if (in->condition == EU_LESS)
        return real ? FAST_MIN_F : by_order(in, FAST_MIN, FAST_MIN_U);
    if (in->condition == EU_GREATER_EQUAL)
        return real ? FAST_MAX_F : by_order(in, FAST_MAX, FAST_MAX_U);
    return FAST_OPS;
}

static enum eu_fast_op compare_op(const struct eu_instruction *in, bool real)
{
    if (in->condition < EU_EQUAL || in->condition > EU_LESS_EQUAL)
        return FAST_OPS;
    return real ? FAST_CMP_F : by_order(in, FAST_CMP, FAST_CMP_U);
}

static enum eu_fast_op move_op(const struct eu_instruction *in, bool real, bool real_result)
{
    if (real == real_result)
        return FAST_MOVE;
    if (real)
        return in->dst.type == EU_D ? FAST_TO_INT : in->dst.type == EU_UB ? FAST_TO_BYTE : FAST_OPS;
    return fits_signed(&in->src[0]) && !in->src[0].negate ? FAST_TO_FLOAT : FAST_OPS;
}

static enum eu_fast_op shift_op(const struct eu_instruction *in)
{
    const struct eu_operand *a = &in->src[0];
    if (in->op == &eu_op_table[EU_OP_SHL])
        return FAST_SHL;
    if (a->negate)
        return FAST_OPS;
    if (in->op == &eu_op_table[EU_OP_SHR])
        return a->type == EU_W || a->type == EU_B ? FAST_OPS : FAST_SHR;
    return fits_signed(a) ? FAST_ASR : FAST_OPS;
}

/* The bits of a rotated lane are those of its own width; counts are taken modulo 32. */
static enum eu_fast_op rotate_op(const struct eu_instruction *in, enum eu_fast_op op)
{
    const struct eu_operand *a = &in->src[0];
    return (a->type == EU_UD || a->type == EU_D) && !a->negate && !in->src[1].negate ? op : FAST_OPS;
}

/* The third source is compared with zero: its true value must fit a lane. */
static enum eu_fast_op csel_op(const struct eu_instruction *in, bool real)
{
    const struct eu_operand *c = &in->src[2];
    if (in->condition < EU_EQUAL || in->condition > EU_LESS_EQUAL)
        return FAST_OPS;
    return real ? FAST_CSEL_F : fits_signed(c) && !c->negate ? FAST_CSEL : FAST_OPS;
}

/* Returns the operation of an instruction with suitable operands, else FAST_OPS. */
static enum eu_fast_op find_op(const struct eu_instruction *in, bool real)
{
    bool real_result = in->dst.place != EU_NOWHERE && in->dst.type == EU_F;
    switch ((enum eu_opcode)(in->op - eu_op_table)) {
    case EU_OP_CMP: return compare_op(in, real);
    case EU_OP_MOV: return move_op(in, real, real_result);
    default: break;
    }
    if (real != real_result)
        return FAST_OPS;
    switch ((enum eu_opcode)(in->op - eu_op_table)) {
    case EU_OP_SEL: return select_op(in, real);
    case EU_OP_ADD: return real ? FAST_ADD_F : FAST_ADD;
    case EU_OP_MUL: return real ? FAST_MUL_F : FAST_MUL;
    case EU_OP_MAD: return real ? FAST_MAD_F : FAST_OPS;
    case EU_OP_MAC: return real && in->src[0].type == EU_F && in->dst.place == EU_DIRECT ? FAST_MAC_F : FAST_OPS;
    case EU_OP_AND: return FAST_AND;
    case EU_OP_OR: return FAST_OR;
    case EU_OP_XOR: return FAST_XOR;
    case EU_OP_NOT: return FAST_NOT;
    case EU_OP_ROL: return rotate_op(in, FAST_ROL);
    case EU_OP_ROR: return rotate_op(in, FAST_ROR);
    case EU_OP_CSEL: return csel_op(in, real);
    case EU_OP_SHL:
    case EU_OP_SHR:
    case EU_OP_ASR: return shift_op(in);
    default: return FAST_OPS;
    }
}

/* True if an instruction other than a comparison or a selection sets flags. */
static bool has_condition(const struct eu_instruction *in)
{
    return in->condition != EU_ALWAYS && !(in->op->properties & (EU_PROPERTY_COMPARE | EU_PROPERTY_SELECT));
}

static enum eu_fast_op with_flags(enum eu_fast_op op)
{
    switch (op) {
    case FAST_ADD: return FAST_ADD_FLAGS;
    case FAST_AND: return FAST_AND_FLAGS;
    case FAST_OR: return FAST_OR_FLAGS;
    default: return FAST_OPS;
    }
}

/* Records how to store the destination if a fast path can. Results of comparisons are dwords or not stored. */
static bool note_store(struct eu_instruction *in)
{
    struct eu_operand *dst = &in->dst;
    bool compares = in->op == &eu_op_table[EU_OP_CMP];
    if (dst->place != EU_DIRECT)
        return dst->place == EU_NOWHERE && (compares || has_condition(in));
    unsigned bytes = eu_type_table[dst->type].bytes;
    if (bytes > 4 || dst->type == EU_HF || (bytes < 4 && compares))
        return false;
    if (dst->base < EU_FILE_GENERAL &&
        !(dst->special == EU_ACCUMULATOR && is_plain_in_accumulator(dst) && dst->step == bytes))
        return false;
    if (bytes == 4)
        dst->load = dst->step == 4 || in->exec_size == 1 ? STORE_PACKED : STORE_DWORDS;
    else
        dst->load = bytes == 1 ? STORE_BYTES : dst->step == 2 ? STORE_PACKED_WORDS : STORE_WORDS;
    return true;
}

/* mov to the null register: compilers wait for a result with it. */
static void fast_nothing(struct eu_thread *thread, const struct eu_instruction *in)
{
    (void)thread, (void)in;
}

static bool does_nothing(const struct eu_instruction *in)
{
    const struct eu_operand *x = &in->src[0];
    return in->op == &eu_op_table[EU_OP_MOV] && in->dst.place == EU_NOWHERE && in->condition == EU_ALWAYS &&
           !in->write_accumulator && x->place == EU_DIRECT && x->special == EU_PLAIN;
}

eu_execute *eu_fast_execute(const struct platform *platform, struct eu_instruction *in)
{
    assert(in->execute == eu_handler(in->op));
    static const uint8_t counts[FAST_LANES + 1] = {[1] = 1, [4] = 2, [8] = 3, [16] = 4};
    if (in->op->execute != EU_EXECUTE_alu || in->exec_size > FAST_LANES || counts[in->exec_size] == 0 || in->saturate ||
        (has_condition(in) && in->condition > EU_LESS_EQUAL))
        return in->execute;
    if (does_nothing(in))
        return fast_nothing;
    bool real = in->domain != EU_INTEGER;
    unsigned count = counts[in->exec_size] - 1u;
    eu_execute *wide = real ? NULL : eu_fast_wide_execute(platform, in, count);
    if (wide)
        return wide;
    enum eu_fast_op op = in->write_accumulator ? FAST_OPS : find_op(in, real);
    if (has_condition(in))
        op = real ? FAST_OPS : with_flags(op);
    if (op == FAST_OPS || (op == FAST_MAC_F && in->accumulator_offset > 0))
        return in->execute;
    struct eu_instruction noted = *in;
    if (!note_loads(&noted, real) || !note_store(&noted))
        return in->execute;
    *in = noted;
    eu_execute *packed = eu_fast_avx2_execute(in, op);
    if (packed)
        return packed;
    return pick(op, count);
}
