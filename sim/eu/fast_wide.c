/* Fast paths for integers of 64 bits: quadwords, and dwords of the accumulators, whose high halves are kept beside them
 * (thread.h). Kernels that hash use the accumulators as registers; addresses are quadwords, and index arithmetic
 * multiplies in the accumulator. Results are the same as those of the common pipeline, which test/unit/sim_eu checks.
 */
#pragma GCC optimize("O3")
#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include "sim/eu/fast.h"
#include "sim/eu/operand.h"

#define INLINE static inline __attribute__((always_inline))

enum { WIDE_LANES = 16 };

struct wide_lanes {
    uint64_t u[WIDE_LANES];
};

enum wide_load { WIDE_CONSTANT, WIDE_ACCUMULATOR, WIDE_D, WIDE_UD, WIDE_Q, WIDE_SCALAR, WIDE_REGION };
enum wide_store { WIDE_TO_NOTHING, WIDE_TO_ACCUMULATOR, WIDE_TO_DWORDS, WIDE_TO_QWORDS, WIDE_TO_REGION };
enum wide_op {
    WIDE_MOVE,
    WIDE_ADD,
    WIDE_MUL,
    WIDE_MUL_S, /* both factors are signed numbers of 32 bits */
    WIDE_MUL_U, /* unsigned ones */
    WIDE_MACH,
    WIDE_MACH_S,
    WIDE_MACH_U,
    WIDE_MACH_LOW, /* gives the low dword */
    WIDE_AND,
    WIDE_OR,
    WIDE_XOR,
    WIDE_NOT,
    WIDE_SHL,
    WIDE_SHR,
    WIDE_ASR,
    WIDE_OPS
};

INLINE uint64_t element(const uint8_t *at, unsigned type)
{
    uint16_t word;
    uint32_t dword;
    uint64_t qword;
    switch (type) {
    case EU_UB: return *at;
    case EU_B: return (uint64_t)(int8_t)*at;
    case EU_UW: return memcpy(&word, at, sizeof word), word;
    case EU_W: return memcpy(&word, at, sizeof word), (uint64_t)(int16_t)word;
    case EU_UD: return memcpy(&dword, at, sizeof dword), dword;
    case EU_D: return memcpy(&dword, at, sizeof dword), (uint64_t)(int32_t)dword;
    default: return memcpy(&qword, at, sizeof qword), qword;
    }
}

INLINE void load_accumulator(const struct eu_thread *thread, int32_t base, const unsigned n, struct wide_lanes *x)
{
    const int32_t *high = &thread->accumulator_high[(base - EU_FILE_ACCUMULATOR) / 4];
    uint32_t low[WIDE_LANES];
    memcpy(low, thread->file + base, 4 * n);
    for (unsigned lane = 0; lane < n; lane++)
        x->u[lane] = (uint64_t)high[lane] << 32 | low[lane];
}

INLINE void store_accumulator(struct eu_thread *thread, int32_t base, const unsigned n, uint32_t enabled,
                              const struct wide_lanes *x)
{
    int32_t *high = &thread->accumulator_high[(base - EU_FILE_ACCUMULATOR) / 4];
    uint32_t low[WIDE_LANES];
    memcpy(low, thread->file + base, 4 * n);
    for (unsigned lane = 0; lane < n; lane++) {
        low[lane] = enabled >> lane & 1 ? (uint32_t)x->u[lane] : low[lane];
        high[lane] = enabled >> lane & 1 ? (int32_t)(x->u[lane] >> 32) : high[lane];
    }
    memcpy(thread->file + base, low, 4 * n);
}

INLINE void load(const struct eu_thread *thread, const struct eu_operand *operand, const unsigned n,
                 struct wide_lanes *x)
{
    const uint8_t *at = thread->file + operand->base;
    uint64_t scalar = operand->immediate;
    uint32_t dwords[WIDE_LANES];
    switch (operand->load) {
    case WIDE_ACCUMULATOR: load_accumulator(thread, operand->base, n, x); break;
    case WIDE_D:
        memcpy(dwords, at, 4 * n);
        for (unsigned lane = 0; lane < n; lane++)
            x->u[lane] = (uint64_t)(int32_t)dwords[lane];
        break;
    case WIDE_UD:
        memcpy(dwords, at, 4 * n);
        for (unsigned lane = 0; lane < n; lane++)
            x->u[lane] = dwords[lane];
        break;
    case WIDE_Q: memcpy(x, at, 8 * n); break;
    case WIDE_REGION:
        for (unsigned lane = 0; lane < n; lane++)
            x->u[lane] = element(at + eu_region_offset(operand, lane), operand->type);
        break;
    default:
        if (operand->load == WIDE_SCALAR)
            scalar = element(at, operand->type);
        for (unsigned lane = 0; lane < n; lane++)
            x->u[lane] = scalar;
    }
    if (operand->negate)
        for (unsigned lane = 0; lane < n; lane++)
            x->u[lane] = ~x->u[lane] - (uint64_t)(int32_t)operand->minus;
}

INLINE void store(struct eu_thread *thread, const struct eu_instruction *in, const unsigned n, uint32_t enabled,
                  const struct wide_lanes *x)
{
    const struct eu_operand *dst = &in->dst;
    uint8_t *at = thread->file + dst->base;
    uint32_t dwords[WIDE_LANES];
    uint64_t qwords[WIDE_LANES];
    switch ((enum wide_store)dst->load) {
    case WIDE_TO_NOTHING: break;
    case WIDE_TO_ACCUMULATOR: store_accumulator(thread, dst->base, n, enabled, x); break;
    case WIDE_TO_DWORDS:
        memcpy(dwords, at, 4 * n);
        for (unsigned lane = 0; lane < n; lane++)
            dwords[lane] = enabled >> lane & 1 ? (uint32_t)x->u[lane] : dwords[lane];
        memcpy(at, dwords, 4 * n);
        break;
    case WIDE_TO_QWORDS:
        memcpy(qwords, at, 8 * n);
        for (unsigned lane = 0; lane < n; lane++)
            qwords[lane] = enabled >> lane & 1 ? x->u[lane] : qwords[lane];
        memcpy(at, qwords, 8 * n);
        break;
    case WIDE_TO_REGION:
        for (unsigned lane = 0; lane < n; lane++)
            if (enabled >> lane & 1)
                memcpy(at + lane * dst->step, &x->u[lane], eu_type_table[dst->type].bytes); /* the low bytes */
        break;
    }
}

INLINE uint64_t low_bits(uint64_t value, unsigned type)
{
    return eu_type_table[type].bytes == 8 ? value : (uint32_t)value;
}

#define EACH(EXPRESSION)                                                                                               \
    for (unsigned lane = 0; lane < n; lane++)                                                                          \
        r->u[lane] = (EXPRESSION);                                                                                     \
    break;

/* The low 64 bits; processors multiply 32 bits at a time. */
INLINE uint64_t product(const enum wide_op op, uint64_t a, uint64_t b)
{
    if (op == WIDE_MUL_S || op == WIDE_MACH_S)
        return (uint64_t)((int64_t)(int32_t)a * (int32_t)b);
    if (op == WIDE_MUL_U || op == WIDE_MACH_U)
        return (uint64_t)(uint32_t)a * (uint32_t)b;
    return a * b;
}

/* mach: alu.c's multiply_upper_word; the accumulator `c` becomes the sum. */
INLINE void multiply_upper(const struct eu_instruction *in, const enum wide_op op, const unsigned n,
                           const struct wide_lanes *a, const struct wide_lanes *b, struct wide_lanes *c,
                           struct wide_lanes *r)
{
    const uint32_t sign = eu_type_is_signed((enum eu_type)in->src[1].type) ? 0x8000 : 0;
    for (unsigned lane = 0; lane < n; lane++) {
        uint32_t word = (((uint32_t)b->u[lane] >> 16) ^ sign) - sign;
        c->u[lane] += product(op, a->u[lane], (uint64_t)(int32_t)word) << 16;
        r->u[lane] = op == WIDE_MACH_LOW ? c->u[lane] : (uint64_t)((int64_t)c->u[lane] >> 32);
    }
}

INLINE void run(struct eu_thread *thread, const struct eu_instruction *in, const enum wide_op op, const unsigned n)
{
    struct wide_lanes a, b, c, lanes, *r = &lanes;
    uint32_t enabled = eu_enabled_lanes(thread, in);
    uint64_t most = eu_type_table[in->src[0].type].bytes == 8 || eu_type_table[in->dst.type].bytes == 8 ? 63 : 31;
    load(thread, &in->src[0], n, &a);
    if (op != WIDE_MOVE && op != WIDE_NOT)
        load(thread, &in->src[1], n, &b);
    switch (op) {
    case WIDE_MOVE: EACH(a.u[lane])
    case WIDE_ADD: EACH(a.u[lane] + b.u[lane])
    case WIDE_MUL:
    case WIDE_MUL_S:
    case WIDE_MUL_U: EACH(product(op, a.u[lane], b.u[lane]))
    case WIDE_AND: EACH(a.u[lane] & b.u[lane])
    case WIDE_OR: EACH(a.u[lane] | b.u[lane])
    case WIDE_XOR: EACH(a.u[lane] ^ b.u[lane])
    case WIDE_NOT: EACH(~a.u[lane])
    case WIDE_SHL: EACH(a.u[lane] << (b.u[lane] & most))
    case WIDE_SHR: EACH(low_bits(a.u[lane], in->src[0].type) >> (b.u[lane] & most))
    case WIDE_ASR: EACH((uint64_t)((int64_t)a.u[lane] >> (b.u[lane] & most)))
    case WIDE_MACH:
    case WIDE_MACH_S:
    case WIDE_MACH_U:
    case WIDE_MACH_LOW:
        load_accumulator(thread, EU_FILE_ACCUMULATOR + in->accumulator_offset, n, &c);
        multiply_upper(in, op, n, &a, &b, &c, r);
        if (in->write_accumulator)
            store_accumulator(thread, EU_FILE_ACCUMULATOR + in->accumulator_offset, n, enabled, &c);
        break;
    default: abort(); /* WIDE_OPS is no operation */
    }
    store(thread, in, n, enabled, r);
}

/* --- one function per operation, lane count and processor ----------------------------------------------------------
 */

#define FUNCTION(TARGET, SUFFIX, OP, N)                                                                                \
    TARGET static void wide_##OP##_##N##_##SUFFIX(struct eu_thread *thread, const struct eu_instruction *in)           \
    {                                                                                                                  \
        run(thread, in, OP, N);                                                                                        \
    }
#define FOR_EACH_COUNT(TARGET, SUFFIX, OP)                                                                             \
    FUNCTION(TARGET, SUFFIX, OP, 1)                                                                                    \
    FUNCTION(TARGET, SUFFIX, OP, 4)                                                                                    \
    FUNCTION(TARGET, SUFFIX, OP, 8)                                                                                    \
    FUNCTION(TARGET, SUFFIX, OP, 16)
#define FOR_EACH_OP(TARGET, SUFFIX)                                                                                    \
    FOR_EACH_COUNT(TARGET, SUFFIX, WIDE_MOVE)                                                                          \
    FOR_EACH_COUNT(TARGET, SUFFIX, WIDE_ADD)                                                                           \
    FOR_EACH_COUNT(TARGET, SUFFIX, WIDE_MUL)                                                                           \
    FOR_EACH_COUNT(TARGET, SUFFIX, WIDE_MUL_S)                                                                         \
    FOR_EACH_COUNT(TARGET, SUFFIX, WIDE_MUL_U)                                                                         \
    FOR_EACH_COUNT(TARGET, SUFFIX, WIDE_MACH)                                                                          \
    FOR_EACH_COUNT(TARGET, SUFFIX, WIDE_MACH_S)                                                                        \
    FOR_EACH_COUNT(TARGET, SUFFIX, WIDE_MACH_U)                                                                        \
    FOR_EACH_COUNT(TARGET, SUFFIX, WIDE_MACH_LOW)                                                                      \
    FOR_EACH_COUNT(TARGET, SUFFIX, WIDE_AND)                                                                           \
    FOR_EACH_COUNT(TARGET, SUFFIX, WIDE_OR)                                                                            \
    FOR_EACH_COUNT(TARGET, SUFFIX, WIDE_XOR)                                                                           \
    FOR_EACH_COUNT(TARGET, SUFFIX, WIDE_NOT)                                                                           \
    FOR_EACH_COUNT(TARGET, SUFFIX, WIDE_SHL)                                                                           \
    FOR_EACH_COUNT(TARGET, SUFFIX, WIDE_SHR)                                                                           \
    FOR_EACH_COUNT(TARGET, SUFFIX, WIDE_ASR)

FOR_EACH_OP(, any)
#if defined(__x86_64__)
FOR_EACH_OP(__attribute__((target("avx2,fma"))), avx2)
#endif

#define ROW(OP, SUFFIX)                                                                                                \
    [OP] = {wide_##OP##_1_##SUFFIX, wide_##OP##_4_##SUFFIX, wide_##OP##_8_##SUFFIX, wide_##OP##_16_##SUFFIX}
#define TABLE(SUFFIX)                                                                                                  \
    {ROW(WIDE_MOVE, SUFFIX),     ROW(WIDE_ADD, SUFFIX),  ROW(WIDE_MUL, SUFFIX),    ROW(WIDE_MUL_S, SUFFIX),            \
     ROW(WIDE_MUL_U, SUFFIX),    ROW(WIDE_MACH, SUFFIX), ROW(WIDE_MACH_S, SUFFIX), ROW(WIDE_MACH_U, SUFFIX),           \
     ROW(WIDE_MACH_LOW, SUFFIX), ROW(WIDE_AND, SUFFIX),  ROW(WIDE_OR, SUFFIX),     ROW(WIDE_XOR, SUFFIX),              \
     ROW(WIDE_NOT, SUFFIX),      ROW(WIDE_SHL, SUFFIX),  ROW(WIDE_SHR, SUFFIX),    ROW(WIDE_ASR, SUFFIX)}

static eu_execute *pick(enum wide_op op, unsigned count)
{
    static eu_execute *const any[WIDE_OPS][FAST_COUNTS] = TABLE(any);
#if defined(__x86_64__)
    static eu_execute *const avx2[WIDE_OPS][FAST_COUNTS] = TABLE(avx2);
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return avx2[op][count];
#endif
    return any[op][count];
}

/* --- which instructions qualify --------------------------------------------------------------------------------------
 */

static bool is_integer(const struct eu_operand *operand)
{
    return eu_type_table[operand->type].domain == EU_INTEGER && operand->type < EU_UV;
}

static bool is_dword(const struct eu_operand *operand)
{
    return operand->type == EU_D || operand->type == EU_UD;
}

static bool is_wide(const struct eu_operand *operand)
{
    return operand->place == EU_DIRECT &&
           (eu_type_table[operand->type].bytes == 8 || (operand->special == EU_ACCUMULATOR && is_dword(operand)));
}

/* True if the dwords that begin there are in the accumulators. */
static bool fits_accumulators(int32_t base, unsigned n)
{
    int32_t first = base - EU_FILE_ACCUMULATOR;
    return first >= 0 && first % 4 == 0 && (unsigned)first / 4 + n <= EU_ACCUMULATOR_DWORDS;
}

static bool note_load(struct eu_operand *x, unsigned n, bool is_logic)
{
    unsigned bytes = eu_type_table[x->type].bytes;
    bool packed = x->linear && (x->step == bytes || n == 1);
    x->minus = x->negate && !is_logic ? UINT32_MAX : 0;
    if (!is_integer(x) || x->absolute)
        return false;
    if (x->place == EU_IMMEDIATE) {
        uint8_t raw[8];
        memcpy(raw, &x->immediate, sizeof raw);
        x->immediate = element(raw, x->type);
        x->load = WIDE_CONSTANT;
        return true;
    }
    if (x->place != EU_DIRECT)
        return false;
    if (x->special == EU_ACCUMULATOR) {
        x->load = WIDE_ACCUMULATOR;
        return is_dword(x) && x->linear && (x->step == 4 || (x->step == 0 && n == 1)) && fits_accumulators(x->base, n);
    }
    if (x->linear && x->step == 0)
        x->load = WIDE_SCALAR;
    else if (packed && bytes >= 4)
        x->load = x->type == EU_D ? WIDE_D : x->type == EU_UD ? WIDE_UD : WIDE_Q;
    else
        x->load = WIDE_REGION;
    return x->special == EU_PLAIN;
}

static bool note_store(struct eu_operand *dst, unsigned n)
{
    unsigned bytes = eu_type_table[dst->type].bytes;
    if (dst->place != EU_DIRECT || !is_integer(dst))
        return false;
    bool packed = dst->step == bytes || n == 1;
    if (dst->special == EU_ACCUMULATOR) {
        dst->load = WIDE_TO_ACCUMULATOR;
        return is_dword(dst) && packed && fits_accumulators(dst->base, n);
    }
    dst->load = !packed || bytes < 4 ? WIDE_TO_REGION : bytes == 4 ? WIDE_TO_DWORDS : WIDE_TO_QWORDS;
    return dst->base >= EU_FILE_GENERAL;
}

/* Whether the source's value, modifiers applied, is always a signed (an unsigned) number of 32 bits. */
static bool is_signed_factor(const struct eu_operand *x)
{
    return x->type != EU_UD && eu_type_table[x->type].bytes <= 4 && !x->negate && x->special == EU_PLAIN;
}

static bool is_unsigned_factor(const struct eu_operand *x)
{
    return !eu_type_is_signed((enum eu_type)x->type) && eu_type_table[x->type].bytes <= 4 && !x->negate &&
           x->special == EU_PLAIN;
}

static enum wide_op mul_op(const struct eu_instruction *in)
{
    const struct eu_operand *a = &in->src[0], *b = &in->src[1];
    if (is_signed_factor(a) && is_signed_factor(b))
        return WIDE_MUL_S;
    return is_unsigned_factor(a) && is_unsigned_factor(b) ? WIDE_MUL_U : WIDE_MUL;
}

/* The second factor is a word of src1, signed as that is. */
static enum wide_op mach_op(const struct platform *platform, const struct eu_instruction *in)
{
    const struct eu_operand *a = &in->src[0], *b = &in->src[1];
    if (!is_dword(&in->dst) || in->dst.special != EU_PLAIN)
        return WIDE_OPS;
    if (!in->write_accumulator && !platform_has(platform, FEATURE_MACL))
        return WIDE_MACH_LOW;
    if (is_signed_factor(a))
        return WIDE_MACH_S;
    return is_unsigned_factor(a) && !eu_type_is_signed((enum eu_type)b->type) ? WIDE_MACH_U : WIDE_MACH;
}

static enum wide_op find_op(const struct platform *platform, const struct eu_instruction *in)
{
    const struct eu_operand *a = &in->src[0];
    switch ((enum eu_opcode)(in->op - eu_op_table)) {
    case EU_OP_MOV: return WIDE_MOVE;
    case EU_OP_ADD: return WIDE_ADD;
    case EU_OP_MUL: return mul_op(in);
    case EU_OP_AND: return WIDE_AND;
    case EU_OP_OR: return WIDE_OR;
    case EU_OP_XOR: return WIDE_XOR;
    case EU_OP_NOT: return WIDE_NOT;
    case EU_OP_SHL: return WIDE_SHL;
    case EU_OP_SHR: return eu_type_table[a->type].bytes >= 4 ? WIDE_SHR : WIDE_OPS;
    case EU_OP_ASR: return a->type != EU_UQ ? WIDE_ASR : WIDE_OPS;
    case EU_OP_MACH: return mach_op(platform, in);
    default: return WIDE_OPS;
    }
}

eu_execute *eu_fast_wide_execute(const struct platform *platform, struct eu_instruction *in, unsigned count)
{
    enum wide_op op = find_op(platform, in);
    bool multiplies_upper = in->op == &eu_op_table[EU_OP_MACH];
    bool wide = multiplies_upper || is_wide(&in->dst);
    assert(in->exec_size <= WIDE_LANES && !in->saturate && count < FAST_COUNTS);
    if (op == WIDE_OPS || in->condition != EU_ALWAYS || (in->write_accumulator && !multiplies_upper))
        return NULL;
    struct eu_instruction noted = *in;
    for (unsigned s = 0; s < in->op->sources; s++) {
        wide = wide || is_wide(&in->src[s]);
        if (!note_load(&noted.src[s], in->exec_size, in->op->properties & EU_PROPERTY_LOGIC))
            return NULL;
    }
    if (!wide || !note_store(&noted.dst, in->exec_size))
        return NULL;
    if (multiplies_upper && !fits_accumulators(EU_FILE_ACCUMULATOR + in->accumulator_offset, in->exec_size))
        return NULL;
    *in = noted;
    return pick(op, count);
}
