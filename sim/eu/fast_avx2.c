/* Executes instructions on packed dwords, 8 or 16 at a time in AVX2 registers: the inner loops of most kernels. Results
 * are the same as those of fast.c's functions, which test/unit/sim_eu checks. */
#include "sim/eu/fast.h"

#if defined(__x86_64__)
#pragma GCC optimize("O3")
#include <assert.h>
#include <immintrin.h>
#include <stdlib.h>
#include <string.h>

#define TARGET __attribute__((target("avx2,fma")))
#define INLINE TARGET static inline __attribute__((always_inline))

enum { HALF = 8 /* lanes of a vector */ };

/* Lanes 0 to 7, and 8 to 15 if there are so many. */
struct lanes {
    __m256i half[2];
};

INLINE struct lanes load(const struct eu_thread *thread, const struct eu_operand *operand, const unsigned halves)
{
    struct lanes x;
    const uint8_t *at =
        operand->load == LOAD_CONSTANT ? (const uint8_t *)&operand->immediate : thread->file + operand->base;
    if (operand->load == LOAD_DWORDS) {
        x.half[0] = _mm256_loadu_si256((const __m256i_u *)at);
        x.half[1] = halves == 2 ? _mm256_loadu_si256((const __m256i_u *)(at + 32)) : x.half[0];
    } else {
        int32_t scalar;
        memcpy(&scalar, at, sizeof scalar);
        x.half[0] = x.half[1] = _mm256_set1_epi32(scalar);
    }
    if (__builtin_expect(operand->negate | operand->absolute, 0))
        for (unsigned i = 0; i < halves; i++) {
            x.half[i] = _mm256_and_si256(x.half[i], _mm256_set1_epi32((int32_t)operand->keep));
            x.half[i] = _mm256_xor_si256(x.half[i], _mm256_set1_epi32((int32_t)operand->flip));
            x.half[i] = _mm256_sub_epi32(x.half[i], _mm256_set1_epi32((int32_t)operand->minus));
        }
    return x;
}

/* Bit n of `bits` in all bits of lane n. */
INLINE __m256i spread(uint32_t bits)
{
    const __m256i lane = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    return _mm256_cmpeq_epi32(_mm256_and_si256(_mm256_set1_epi32((int32_t)bits), lane), lane);
}

INLINE void store(struct eu_thread *thread, const struct eu_instruction *in, const unsigned halves, uint32_t enabled,
                  struct lanes x)
{
    uint8_t *at = thread->file + in->dst.base;
    for (unsigned i = 0; i < halves; i++) {
        if (__builtin_expect(enabled == in->lanes_mask, 1))
            _mm256_storeu_si256((__m256i_u *)(at + 32 * i), x.half[i]);
        else
            _mm256_maskstore_epi32((int *)(at + 32 * i), spread(enabled >> HALF * i), x.half[i]);
    }
}

#define REAL(X)    _mm256_castsi256_ps(X)
#define INTEGER(X) _mm256_castps_si256(X)

/* Computes one operation on eight lanes. `choice`: lanes of sel that take the first source. */
INLINE __m256i compute(const enum eu_fast_op op, __m256i a, __m256i b, __m256i c, uint32_t choice)
{
    const __m256i shift = _mm256_and_si256(b, _mm256_set1_epi32(31));
    switch (op) {
    case FAST_MOVE: return a;
    case FAST_ADD_F: return INTEGER(_mm256_add_ps(REAL(a), REAL(b)));
    case FAST_MUL_F: return INTEGER(_mm256_mul_ps(REAL(a), REAL(b)));
    case FAST_MAD_F: return INTEGER(_mm256_fmadd_ps(REAL(b), REAL(c), REAL(a)));
    case FAST_MAC_F: return INTEGER(_mm256_fmadd_ps(REAL(a), REAL(b), REAL(c)));
    case FAST_ADD: return _mm256_add_epi32(a, b);
    case FAST_MUL: return _mm256_mullo_epi32(a, b);
    case FAST_AND: return _mm256_and_si256(a, b);
    case FAST_OR: return _mm256_or_si256(a, b);
    case FAST_XOR: return _mm256_xor_si256(a, b);
    case FAST_SHL: return _mm256_sllv_epi32(a, shift);
    case FAST_SHR: return _mm256_srlv_epi32(a, shift);
    case FAST_ASR: return _mm256_srav_epi32(a, shift);
    case FAST_ROL: /* a shift by 32 gives zeros */
        return _mm256_or_si256(_mm256_sllv_epi32(a, shift),
                               _mm256_srlv_epi32(a, _mm256_sub_epi32(_mm256_set1_epi32(32), shift)));
    case FAST_ROR:
        return _mm256_or_si256(_mm256_srlv_epi32(a, shift),
                               _mm256_sllv_epi32(a, _mm256_sub_epi32(_mm256_set1_epi32(32), shift)));
    case FAST_NOT: return _mm256_xor_si256(a, _mm256_set1_epi32(-1));
    case FAST_TO_FLOAT: return INTEGER(_mm256_cvtepi32_ps(a));
    case FAST_SEL: return _mm256_blendv_epi8(b, a, spread(choice));
    case FAST_MIN: return _mm256_min_epi32(a, b);
    case FAST_MAX: return _mm256_max_epi32(a, b);
    case FAST_MIN_U: return _mm256_min_epu32(a, b);
    case FAST_MAX_U: return _mm256_max_epu32(a, b);
    default: abort(); /* has no packed function */
    }
}

INLINE void run(struct eu_thread *thread, const struct eu_instruction *in, const enum eu_fast_op op,
                const unsigned halves, const unsigned sources)
{
    uint32_t enabled = eu_enabled_lanes(thread, in), choice = enabled;
    if (op == FAST_SEL)
        enabled = in->no_mask ? in->lanes_mask : thread->active >> in->channel_offset & in->lanes_mask;
    struct lanes a = load(thread, &in->src[0], halves), b = a, c = a;
    if (sources > 1)
        b = load(thread, &in->src[1], halves);
    if (sources > 2)
        c = load(thread, &in->src[2], halves);
    if (op == FAST_MAC_F)
        for (unsigned i = 0; i < halves; i++)
            c.half[i] = _mm256_load_si256((const __m256i *)(thread->file + EU_FILE_ACCUMULATOR + 32 * i));
    for (unsigned i = 0; i < halves; i++)
        a.half[i] = compute(op, a.half[i], b.half[i], c.half[i], choice >> HALF * i);
    store(thread, in, halves, enabled, a);
}

/* Unordered operands make every comparison false but "not equal". */
INLINE __m256i compare_real(unsigned condition, __m256i a, __m256i b)
{
    switch (condition) {
    case EU_EQUAL: return INTEGER(_mm256_cmp_ps(REAL(a), REAL(b), _CMP_EQ_OQ));
    case EU_NOT_EQUAL: return INTEGER(_mm256_cmp_ps(REAL(a), REAL(b), _CMP_NEQ_UQ));
    case EU_GREATER: return INTEGER(_mm256_cmp_ps(REAL(a), REAL(b), _CMP_GT_OQ));
    case EU_GREATER_EQUAL: return INTEGER(_mm256_cmp_ps(REAL(a), REAL(b), _CMP_GE_OQ));
    case EU_LESS: return INTEGER(_mm256_cmp_ps(REAL(a), REAL(b), _CMP_LT_OQ));
    default: return INTEGER(_mm256_cmp_ps(REAL(a), REAL(b), _CMP_LE_OQ));
    }
}

INLINE __m256i compare_integer(unsigned condition, __m256i a, __m256i b)
{
    const __m256i ones = _mm256_set1_epi32(-1);
    switch (condition) {
    case EU_EQUAL: return _mm256_cmpeq_epi32(a, b);
    case EU_NOT_EQUAL: return _mm256_xor_si256(_mm256_cmpeq_epi32(a, b), ones);
    case EU_GREATER: return _mm256_cmpgt_epi32(a, b);
    case EU_GREATER_EQUAL: return _mm256_xor_si256(_mm256_cmpgt_epi32(b, a), ones);
    case EU_LESS: return _mm256_cmpgt_epi32(b, a);
    default: return _mm256_xor_si256(_mm256_cmpgt_epi32(a, b), ones);
    }
}

INLINE void run_compare(struct eu_thread *thread, const struct eu_instruction *in, const enum eu_fast_op op,
                        const unsigned halves)
{
    uint32_t enabled = eu_enabled_lanes(thread, in), conditions = 0;
    struct lanes a = load(thread, &in->src[0], halves), b = load(thread, &in->src[1], halves);
    const __m256i sign = _mm256_set1_epi32(op == FAST_CMP_U ? INT32_MIN : 0); /* unsigned order by signed comparison */
    for (unsigned i = 0; i < halves; i++) {
        if (op == FAST_CMP_F)
            a.half[i] = compare_real(in->condition, a.half[i], b.half[i]);
        else
            a.half[i] =
                compare_integer(in->condition, _mm256_xor_si256(a.half[i], sign), _mm256_xor_si256(b.half[i], sign));
        conditions |= (uint32_t)_mm256_movemask_ps(REAL(a.half[i])) << HALF * i;
    }
    eu_write_flags(thread, in, enabled, conditions);
    if (in->dst.place != EU_NOWHERE)
        store(thread, in, halves, enabled, a);
}

#define FUNCTION(OP, HALVES, BODY)                                                                                     \
    TARGET static void packed_##OP##_##HALVES(struct eu_thread *thread, const struct eu_instruction *in)               \
    {                                                                                                                  \
        BODY;                                                                                                          \
    }
#define FUNCTIONS(OP, SOURCES)                                                                                         \
    FUNCTION(OP, 1, run(thread, in, OP, 1, SOURCES))                                                                   \
    FUNCTION(OP, 2, run(thread, in, OP, 2, SOURCES))
#define COMPARISONS(OP)                                                                                                \
    FUNCTION(OP, 1, run_compare(thread, in, OP, 1))                                                                    \
    FUNCTION(OP, 2, run_compare(thread, in, OP, 2))

FUNCTIONS(FAST_MOVE, 1)
FUNCTIONS(FAST_ADD_F, 2)
FUNCTIONS(FAST_MUL_F, 2)
FUNCTIONS(FAST_MAD_F, 3)
FUNCTIONS(FAST_MAC_F, 2)
FUNCTIONS(FAST_ADD, 2)
FUNCTIONS(FAST_MUL, 2)
FUNCTIONS(FAST_AND, 2)
FUNCTIONS(FAST_OR, 2)
FUNCTIONS(FAST_XOR, 2)
FUNCTIONS(FAST_SHL, 2)
FUNCTIONS(FAST_SHR, 2)
FUNCTIONS(FAST_ASR, 2)
FUNCTIONS(FAST_ROL, 2)
FUNCTIONS(FAST_ROR, 2)
FUNCTIONS(FAST_NOT, 1)
FUNCTIONS(FAST_TO_FLOAT, 1)
FUNCTIONS(FAST_SEL, 2)
FUNCTIONS(FAST_MIN, 2)
FUNCTIONS(FAST_MAX, 2)
FUNCTIONS(FAST_MIN_U, 2)
FUNCTIONS(FAST_MAX_U, 2)
COMPARISONS(FAST_CMP_F)
COMPARISONS(FAST_CMP)
COMPARISONS(FAST_CMP_U)

#define ROW(OP) [OP] = {packed_##OP##_1, packed_##OP##_2}

static eu_execute *const functions[FAST_OPS][2] = {
    ROW(FAST_MOVE), ROW(FAST_ADD_F),    ROW(FAST_MUL_F), ROW(FAST_MAD_F), ROW(FAST_MAC_F),
    ROW(FAST_ADD),  ROW(FAST_MUL),      ROW(FAST_AND),   ROW(FAST_OR),    ROW(FAST_XOR),
    ROW(FAST_SHL),  ROW(FAST_SHR),      ROW(FAST_ASR),   ROW(FAST_SEL),   ROW(FAST_MIN),
    ROW(FAST_MAX),  ROW(FAST_TO_FLOAT), ROW(FAST_MIN_U), ROW(FAST_MAX_U), ROW(FAST_CMP_F),
    ROW(FAST_CMP),  ROW(FAST_CMP_U),    ROW(FAST_ROL),   ROW(FAST_ROR),   ROW(FAST_NOT),
};

eu_execute *eu_fast_avx2_execute(const struct eu_instruction *in, enum eu_fast_op op)
{
    assert((unsigned)op < FAST_OPS);
    if ((in->exec_size != HALF && in->exec_size != 2 * HALF) || !__builtin_cpu_supports("avx2") ||
        !__builtin_cpu_supports("fma"))
        return NULL;
    if (in->dst.place != EU_NOWHERE && in->dst.load != STORE_PACKED)
        return NULL;
    for (unsigned s = 0; s < in->op->sources; s++)
        if (in->src[s].load != LOAD_DWORDS && in->src[s].load != LOAD_DWORD && in->src[s].load != LOAD_CONSTANT)
            return NULL;
    return functions[op][in->exec_size == 2 * HALF];
}

#else

eu_execute *eu_fast_avx2_execute(const struct eu_instruction *in, enum eu_fast_op op)
{
    (void)in, (void)op;
    return NULL;
}

#endif
