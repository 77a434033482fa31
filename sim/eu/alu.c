/* Computes arithmetic, logic, shifts, bit fields and comparisons. Each function is one opcode family; the comment
 * before it is the manual's pseudo-code in short. */
#include "sim/eu/alu.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Every statement below is one lane: a, b, c are its sources, `r` its result. */
#define INTEGER_LANES(alu, EXPRESSION)                                                                                 \
    for (unsigned lane = 0; lane < (alu)->lanes; lane++) {                                                             \
        int64_t a = (alu)->src[0].i[lane], b = (alu)->src[1].i[lane], c = (alu)->src[2].i[lane];                       \
        (void)a, (void)b, (void)c;                                                                                     \
        (alu)->out.i[lane] = (int64_t)(EXPRESSION);                                                                    \
    }
#define SINGLE_LANES(alu, EXPRESSION)                                                                                  \
    for (unsigned lane = 0; lane < (alu)->lanes; lane++) {                                                             \
        float a = (alu)->src[0].f[lane], b = (alu)->src[1].f[lane], c = (alu)->src[2].f[lane];                         \
        (void)a, (void)b, (void)c;                                                                                     \
        (alu)->out.f[lane] = (EXPRESSION);                                                                             \
    }
#define DOUBLE_LANES(alu, EXPRESSION)                                                                                  \
    for (unsigned lane = 0; lane < (alu)->lanes; lane++) {                                                             \
        double a = (alu)->src[0].d[lane], b = (alu)->src[1].d[lane], c = (alu)->src[2].d[lane];                        \
        (void)a, (void)b, (void)c;                                                                                     \
        (alu)->out.d[lane] = (EXPRESSION);                                                                             \
    }
#define LANES(alu, INT_EXPRESSION, FLOAT_EXPRESSION)                                                                   \
    if ((alu)->domain == EU_INTEGER) {                                                                                 \
        INTEGER_LANES(alu, INT_EXPRESSION)                                                                             \
    } else if ((alu)->domain == EU_SINGLE) {                                                                           \
        SINGLE_LANES(alu, FLOAT_EXPRESSION)                                                                            \
    } else {                                                                                                           \
        DOUBLE_LANES(alu, FLOAT_EXPRESSION)                                                                            \
    }

static unsigned source_bytes(const struct eu_alu *alu, unsigned source)
{
    return eu_type_table[alu->in->src[source].type].bytes;
}

static uint64_t width_mask(unsigned bytes)
{
    return bytes == 8 ? UINT64_MAX : (1ull << 8 * bytes) - 1;
}

void eu_alu_none(struct eu_alu *alu)
{
    (void)alu;
}

void eu_alu_move(struct eu_alu *alu)
{
    memcpy(&alu->out, &alu->src[0], sizeof alu->out);
}

/* dst = src0 in the lanes whose bits are set in src1, an immediate; bit n is lane n, whatever the channel offset */
void eu_alu_smov(struct eu_alu *alu)
{
    alu->enabled &= (uint32_t)alu->in->src[1].immediate;
    eu_alu_move(alu);
}

/* 64-bit sums may wrap; in unsigned arithmetic so that this is defined. */
static int64_t wrapping_add(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a + (uint64_t)b);
}
static int64_t wrapping_mul(int64_t a, int64_t b)
{
    return (int64_t)((uint64_t)a * (uint64_t)b);
}

__extension__ typedef __int128 wide;

/* Returns a lane of a source with its sign, for sums and products that may exceed 64 bits before saturation. */
static wide wide_lane(const struct eu_alu *alu, unsigned source, unsigned lane)
{
    int64_t value = alu->src[source].i[lane];
    return alu->in->src[source].type == EU_UQ && !alu->in->src[source].negate ? (wide)(uint64_t)value : (wide)value;
}

/* True if lanes must be saturated while they are computed; write_saturated() does that. */
static bool saturates_wide(const struct eu_alu *alu)
{
    return alu->in->saturate && alu->domain == EU_INTEGER && eu_type_table[alu->in->dst.type].domain == EU_INTEGER;
}

static void write_saturated(struct eu_alu *alu, unsigned lane, wide value)
{
    enum eu_type type = (enum eu_type)alu->in->dst.type;
    unsigned bits = 8 * eu_type_table[type].bytes - (eu_type_is_signed(type) ? 1 : 0);
    wide high = ((wide)1 << bits) - 1, low = eu_type_is_signed(type) ? -high - 1 : 0;
    alu->out.i[lane] = (int64_t)(value < low ? low : value > high ? high : value);
    alu->is_saturated = true;
}

#define SATURATED_LANES(alu, VALUE)                                                                                    \
    if (saturates_wide(alu)) {                                                                                         \
        for (unsigned lane = 0; lane < (alu)->lanes; lane++)                                                           \
            write_saturated(alu, lane, VALUE);                                                                         \
        return;                                                                                                        \
    }

void eu_alu_add(struct eu_alu *alu)
{
    SATURATED_LANES(alu, wide_lane(alu, 0, lane) + wide_lane(alu, 1, lane))
    LANES(alu, wrapping_add(a, b), a + b)
}
void eu_alu_mul(struct eu_alu *alu)
{
    SATURATED_LANES(alu, wide_lane(alu, 0, lane) * wide_lane(alu, 1, lane))
    LANES(alu, wrapping_mul(a, b), a * b)
}

/* Returns `value` as a float whose last bit is set if it is inexact (round to odd). Rounding that to half gives the
 * same as rounding `value` to half once, in the mode to nearest; in the other modes rounding twice is harmless. */
static float rounded_to_odd(double value)
{
    float near = (float)value;
    uint32_t bits;
    if ((double)near == value || isnan(near) || isinf(near))
        return near;
    memcpy(&bits, &near, sizeof bits);
    bits -= fabs((double)near) > fabs(value) ? 1 : 0; /* towards zero */
    bits |= 1;
    memcpy(&near, &bits, sizeof near);
    return near;
}

static bool is_of_halves(const struct eu_alu *alu)
{
    const struct eu_operand *src = alu->in->src;
    return alu->in->dst.type == EU_HF && src[0].type == EU_HF && src[1].type == EU_HF && src[2].type == EU_HF &&
           (eu_control(alu->thread) >> EU_CR0_ROUNDING_SHIFT & 3) == EU_ROUND_EVEN;
}

/* Halves: a double holds the sum of a product and a half exactly enough to round from. */
static void fuse_halves(struct eu_alu *alu)
{
    SINGLE_LANES(alu, rounded_to_odd((double)b * (double)c + (double)a))
}

/* dst = src0 + src1 * src2, rounded once. */
void eu_alu_mad(struct eu_alu *alu)
{
    SATURATED_LANES(alu, wide_lane(alu, 0, lane) + wide_lane(alu, 1, lane) * wide_lane(alu, 2, lane))
    if (alu->domain == EU_INTEGER) {
        INTEGER_LANES(alu, wrapping_add(a, wrapping_mul(b, c)))
    } else if (is_of_halves(alu)) {
        fuse_halves(alu);
    } else if (alu->domain == EU_SINGLE) {
        SINGLE_LANES(alu, fmaf(b, c, a))
    } else {
        DOUBLE_LANES(alu, fma(b, c, a))
    }
}

void eu_alu_add3(struct eu_alu *alu)
{
    SATURATED_LANES(alu, wide_lane(alu, 0, lane) + wide_lane(alu, 1, lane) + wide_lane(alu, 2, lane))
    INTEGER_LANES(alu, wrapping_add(wrapping_add(a, b), c))
}

/* dst = acc + src0 * src1 */
void eu_alu_mac(struct eu_alu *alu)
{
    SATURATED_LANES(alu, alu->accumulator.i[lane] + wide_lane(alu, 0, lane) * wide_lane(alu, 1, lane))
    if (alu->domain == EU_INTEGER) {
        INTEGER_LANES(alu, wrapping_add(alu->accumulator.i[lane], wrapping_mul(a, b)))
    } else if (alu->domain == EU_SINGLE) {
        SINGLE_LANES(alu, fmaf(a, b, alu->accumulator.f[lane]))
    } else {
        DOUBLE_LANES(alu, fma(a, b, alu->accumulator.d[lane]))
    }
}

/* acc = acc + src0 * src1[31:16] << 16, the upper half of a product of dwords after `mul` has added the lower one.
 * dst = acc[63:32], or acc[31:0] if `is_low`. */
static void multiply_upper_word(struct eu_alu *alu, bool is_low)
{
    bool is_signed = eu_type_is_signed(alu->in->src[1].type);
    for (unsigned lane = 0; lane < alu->lanes; lane++) {
        int64_t b = alu->src[1].i[lane];
        int64_t high_word = is_signed ? (int64_t)(int16_t)(b >> 16) : b >> 16 & 0xffff;
        int64_t product = wrapping_mul(alu->src[0].i[lane], high_word);
        int64_t sum = wrapping_add(alu->accumulator.i[lane], (int64_t)((uint64_t)product << 16));
        alu->accumulator.i[lane] = sum;
        alu->out.i[lane] = is_low ? (int64_t)(int32_t)sum : sum >> 32;
    }
}

/* Where there is no macl, mach gives the lower half when it does not write the accumulator. */
void eu_alu_mach(struct eu_alu *alu)
{
    multiply_upper_word(alu, !alu->in->write_accumulator && !platform_has(alu->thread->platform, FEATURE_MACL));
}

void eu_alu_macl(struct eu_alu *alu)
{
    multiply_upper_word(alu, true);
}

/* dst = src0 * src1 + (1 - src0) * src2 */
void eu_alu_lrp(struct eu_alu *alu)
{
    SINGLE_LANES(alu, fmaf(a, b, (1.0f - a) * c))
}

/* dst = (src0 + src1 + 1) >> 1, without intermediate overflow */
void eu_alu_avg(struct eu_alu *alu)
{
    INTEGER_LANES(alu, (a + b + 1) >> 1)
}

/* dst = src0 + src1 (unsigned dwords), acc = carry out */
void eu_alu_addc(struct eu_alu *alu)
{
    for (unsigned lane = 0; lane < alu->lanes; lane++) {
        uint64_t sum = (uint64_t)(uint32_t)alu->src[0].i[lane] + (uint32_t)alu->src[1].i[lane];
        alu->out.i[lane] = (int64_t)(uint32_t)sum;
        alu->accumulator.i[lane] = (int64_t)(sum >> 32);
    }
}

/* dst = src0 - src1 (unsigned dwords), acc = borrow */
void eu_alu_subb(struct eu_alu *alu)
{
    for (unsigned lane = 0; lane < alu->lanes; lane++) {
        uint32_t a = (uint32_t)alu->src[0].i[lane], b = (uint32_t)alu->src[1].i[lane];
        alu->out.i[lane] = (int64_t)(uint32_t)(a - b);
        alu->accumulator.i[lane] = a < b;
    }
}

void eu_alu_not(struct eu_alu *alu)
{
    INTEGER_LANES(alu, ~a)
}
void eu_alu_and(struct eu_alu *alu)
{
    INTEGER_LANES(alu, a & b)
}
void eu_alu_or(struct eu_alu *alu)
{
    INTEGER_LANES(alu, a | b)
}
void eu_alu_xor(struct eu_alu *alu)
{
    INTEGER_LANES(alu, a ^ b)
}

/* The function's bit `a + 2 b + 4 c` for each bit of the sources. */
static uint64_t boolean_function(unsigned function, uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t result = 0;
    for (unsigned row = 0; row < 8; row++)
        if (function >> row & 1)
            result |= (row & 1 ? a : ~a) & (row & 2 ? b : ~b) & (row & 4 ? c : ~c);
    return result;
}

void eu_alu_bfn(struct eu_alu *alu)
{
    unsigned function = alu->in->function & 0xff;
    INTEGER_LANES(alu, boolean_function(function, (uint64_t)a, (uint64_t)b, (uint64_t)c))
}

/* Shift counts use the low 5 bits, in 64-bit mode (a quadword source or destination) the low 6. */
static int64_t shift_mask(const struct eu_alu *alu)
{
    return source_bytes(alu, 0) == 8 || eu_type_table[alu->in->dst.type].bytes == 8 ? 63 : 31;
}

void eu_alu_shl(struct eu_alu *alu)
{
    int64_t mask = shift_mask(alu);
    SATURATED_LANES(alu, wide_lane(alu, 0, lane) * ((wide)1 << (alu->src[1].i[lane] & mask)))
    INTEGER_LANES(alu, (uint64_t)a << (b & mask))
}

/* Fills with zeros: the source is treated as unsigned at its own width. */
void eu_alu_shr(struct eu_alu *alu)
{
    int64_t mask = shift_mask(alu);
    unsigned bytes = source_bytes(alu, 0);
    uint64_t width = width_mask(bytes < 4 && alu->in->src[0].negate ? 4 : bytes);
    INTEGER_LANES(alu, ((uint64_t)a & width) >> (b & mask))
}

void eu_alu_asr(struct eu_alu *alu)
{
    int64_t mask = shift_mask(alu);
    INTEGER_LANES(alu, wide_lane(alu, 0, lane) >> (b & mask))
}

static uint64_t rotate_left(uint64_t value, uint64_t count, unsigned bits)
{
    count %= bits;
    value &= width_mask(bits / 8);
    return count == 0 ? value : (value << count | value >> (bits - count)) & width_mask(bits / 8);
}

void eu_alu_rol(struct eu_alu *alu)
{
    unsigned bits = 8 * source_bytes(alu, 0);
    INTEGER_LANES(alu, rotate_left((uint64_t)a, (uint64_t)b, bits))
}

void eu_alu_ror(struct eu_alu *alu)
{
    unsigned bits = 8 * source_bytes(alu, 0);
    INTEGER_LANES(alu, rotate_left((uint64_t)a, bits - (uint64_t)b % bits, bits))
}

static uint32_t reverse_bits(uint32_t value)
{
    uint32_t reversed = 0;
    for (unsigned bit = 0; bit < 32; bit++)
        reversed |= (value >> bit & 1) << (31 - bit);
    return reversed;
}

void eu_alu_bfrev(struct eu_alu *alu)
{
    INTEGER_LANES(alu, reverse_bits((uint32_t)a))
}

/* src0 = width, src1 = offset, src2 = data; signed data extends the field's sign. Width 0 gives 0. */
static int64_t extract_field(int64_t width, int64_t offset, int64_t data, bool is_signed)
{
    width &= 31;
    offset &= 31;
    if (width == 0)
        return 0;
    uint32_t bits = (uint32_t)data;
    if (offset + width > 32)
        return is_signed ? (int64_t)((int32_t)bits >> offset) : (int64_t)(bits >> offset);
    uint32_t field = bits << (32 - offset - width);
    return is_signed ? (int64_t)((int32_t)field >> (32 - width)) : (int64_t)(field >> (32 - width));
}

void eu_alu_bfe(struct eu_alu *alu)
{
    bool is_signed = eu_type_is_signed(alu->in->src[2].type);
    INTEGER_LANES(alu, extract_field(a, b, c, is_signed))
}

/* dst = a mask of src0 ones from bit src1 on */
void eu_alu_bfi1(struct eu_alu *alu)
{
    INTEGER_LANES(alu, (uint32_t)(((1u << (a & 31)) - 1) << (b & 31)))
}

/* The field src1, moved to where the mask src0 begins, in src2's place. */
static uint32_t insert_field(uint32_t mask, uint32_t field, uint32_t base)
{
    unsigned offset = mask ? (unsigned)__builtin_ctz(mask) : 0;
    return (field << offset & mask) | (base & ~mask);
}

void eu_alu_bfi2(struct eu_alu *alu)
{
    INTEGER_LANES(alu, insert_field((uint32_t)a, (uint32_t)b, (uint32_t)c))
}

void eu_alu_cbit(struct eu_alu *alu)
{
    uint64_t width = width_mask(source_bytes(alu, 0));
    INTEGER_LANES(alu, __builtin_popcountll((uint64_t)a & width))
}

/* Count of leading bits equal to the sign (signed) or of leading zeros (unsigned); -1 if all bits are equal to it. */
static int64_t first_bit_high(int64_t value, bool is_signed)
{
    uint32_t bits = (uint32_t)value;
    if (is_signed && bits >> 31)
        bits = ~bits;
    return bits == 0 ? -1 : __builtin_clz(bits);
}

void eu_alu_fbh(struct eu_alu *alu)
{
    bool is_signed = eu_type_is_signed(alu->in->src[0].type);
    INTEGER_LANES(alu, first_bit_high(a, is_signed))
}

void eu_alu_fbl(struct eu_alu *alu)
{
    INTEGER_LANES(alu, (uint32_t)a == 0 ? -1 : __builtin_ctz((uint32_t)a))
}
void eu_alu_lzd(struct eu_alu *alu)
{
    INTEGER_LANES(alu, (uint32_t)a == 0 ? 32 : __builtin_clz((uint32_t)a))
}

/* dst = src0 + the sum of the four products of the bytes of src1 and src2 */
void eu_alu_dp4a(struct eu_alu *alu)
{
    bool b_signed = alu->in->src[1].type == EU_D, c_signed = alu->in->src[2].type == EU_D;
    for (unsigned lane = 0; lane < alu->lanes; lane++) {
        int64_t sum = alu->src[0].i[lane];
        for (unsigned shift = 0; shift < 32; shift += 8) {
            int64_t b = alu->src[1].i[lane] >> shift & 0xff, c = alu->src[2].i[lane] >> shift & 0xff;
            sum += (b_signed ? (int8_t)b : b) * (c_signed ? (int8_t)c : c);
        }
        alu->out.i[lane] = sum;
    }
}

/* Even lanes: the sum of absolute differences of a pair of lanes. Odd lanes are undefined and get a value that shows
 * it. */
static void sum_differences(struct eu_alu *alu, bool accumulate)
{
    enum { UNDEFINED = 0xcd };
    for (unsigned lane = 0; lane < alu->lanes; lane += 2) {
        int64_t sum = llabs(alu->src[0].i[lane] - alu->src[1].i[lane]);
        sum += llabs(alu->src[0].i[lane + 1] - alu->src[1].i[lane + 1]);
        alu->out.i[lane] = sum + (accumulate ? alu->accumulator.i[lane] : 0);
        alu->out.i[lane + 1] = UNDEFINED;
    }
}

void eu_alu_sad2(struct eu_alu *alu)
{
    sum_differences(alu, false);
}
void eu_alu_sada2(struct eu_alu *alu)
{
    sum_differences(alu, true);
}

#define COMPARE_LANES(CONDITION)                                                                                       \
    for (unsigned lane = 0; lane < lanes; lane++, bit <<= 1)                                                           \
        bits |= (CONDITION) ? bit : 0;                                                                                 \
    break;

#define COMPARE_ALL(MEMBER, CAST, UNORDERED)                                                                           \
    switch (condition) {                                                                                               \
    case EU_EQUAL: COMPARE_LANES((CAST)a->MEMBER[lane] == (CAST)b->MEMBER[lane])                                       \
    case EU_NOT_EQUAL: COMPARE_LANES((CAST)a->MEMBER[lane] != (CAST)b->MEMBER[lane])                                   \
    case EU_GREATER: COMPARE_LANES((CAST)a->MEMBER[lane] > (CAST)b->MEMBER[lane])                                      \
    case EU_GREATER_EQUAL: COMPARE_LANES((CAST)a->MEMBER[lane] >= (CAST)b->MEMBER[lane])                               \
    case EU_LESS: COMPARE_LANES((CAST)a->MEMBER[lane] < (CAST)b->MEMBER[lane])                                         \
    case EU_LESS_EQUAL: COMPARE_LANES((CAST)a->MEMBER[lane] <= (CAST)b->MEMBER[lane])                                  \
    case EU_UNORDERED: COMPARE_LANES(UNORDERED)                                                                        \
    default: break;                                                                                                    \
    }

uint32_t eu_compare_lanes(enum eu_condition condition, enum eu_domain domain, bool is_unsigned_quad,
                          const union eu_lanes *a, const union eu_lanes *b, unsigned lanes)
{
    assert(a && b && lanes <= EU_MAX_LANES);
    uint32_t bits = 0, bit = 1;
    if (domain == EU_SINGLE) {
        COMPARE_ALL(f, float, a->f[lane] != a->f[lane] || b->f[lane] != b->f[lane])
    } else if (domain == EU_DOUBLE) {
        COMPARE_ALL(d, double, a->d[lane] != a->d[lane] || b->d[lane] != b->d[lane])
    } else if (is_unsigned_quad) {
        COMPARE_ALL(i, uint64_t, 0)
    } else {
        COMPARE_ALL(i, int64_t, 0)
    }
    return bits;
}

/* True if a source's lanes, as 64 bits, are treated as unsigned because the other source's are. */
static bool is_without_sign(const struct eu_operand *o)
{
    return o->place == EU_IMMEDIATE || o->type == EU_UQ || (!eu_type_is_signed(o->type) && !o->negate);
}

static bool compares_unsigned_quads(const struct eu_alu *alu)
{
    const struct eu_operand *a = &alu->in->src[0], *b = &alu->in->src[1];
    return (a->type == EU_UQ || b->type == EU_UQ) && is_without_sign(a) && is_without_sign(b);
}

static uint32_t nan_lanes(const struct eu_alu *alu, unsigned source)
{
    const union eu_lanes *x = &alu->src[source];
    return eu_compare_lanes(EU_UNORDERED, alu->domain, false, x, x, alu->lanes);
}

/* Stores the comparison's lanes as the condition and, as masks of ones, as the result. */
static void give_conditions(struct eu_alu *alu, uint32_t bits)
{
    alu->conditions = bits;
    alu->has_conditions = true;
    alu->domain = EU_INTEGER;
    for (unsigned lane = 0; lane < alu->lanes; lane++)
        alu->out.i[lane] = -(int64_t)(bits >> lane & 1);
}

void eu_alu_cmp(struct eu_alu *alu)
{
    give_conditions(alu, eu_compare_lanes(alu->in->condition, alu->domain, compares_unsigned_quads(alu), &alu->src[0],
                                          &alu->src[1], alu->lanes));
}

/* Like cmp, but true if src1 is NaN, and false if only src0 is, as min and max need. */
void eu_alu_cmpn(struct eu_alu *alu)
{
    uint32_t bits = eu_compare_lanes(alu->in->condition, alu->domain, compares_unsigned_quads(alu), &alu->src[0],
                                     &alu->src[1], alu->lanes);
    if (alu->domain != EU_INTEGER)
        bits = (bits & ~nan_lanes(alu, 0)) | nan_lanes(alu, 1);
    give_conditions(alu, bits);
}

static void select_lanes(struct eu_alu *alu, uint32_t first)
{
    LANES(alu, first >> lane & 1 ? a : b, first >> lane & 1 ? a : b)
}

/* Without condition the predicate selects src0 (exec.c passes it in `conditions`). With `l` it is the minimum and with
 * `ge` the maximum, where a number wins over a NaN. Other conditions are those of a comparison (IGC, foldCmpSel() in
 * visa/Optimizer.cpp, which makes such selections of comparisons). */
void eu_alu_sel(struct eu_alu *alu)
{
    if (alu->in->condition == EU_ALWAYS)
        select_lanes(alu, alu->conditions);
    else {
        uint32_t bits = eu_compare_lanes(alu->in->condition, alu->domain, compares_unsigned_quads(alu), &alu->src[0],
                                         &alu->src[1], alu->lanes);
        bool is_extreme = alu->in->condition == EU_LESS || alu->in->condition == EU_GREATER_EQUAL;
        if (alu->domain != EU_INTEGER && is_extreme)
            bits = (bits | nan_lanes(alu, 1)) & ~(nan_lanes(alu, 0) & ~nan_lanes(alu, 1));
        select_lanes(alu, bits);
    }
}

/* dst = src2 CONDITION 0 ? src0 : src1 */
void eu_alu_csel(struct eu_alu *alu)
{
    union eu_lanes zero;
    memset(&zero, 0, sizeof zero);
    select_lanes(alu, eu_compare_lanes(alu->in->condition, alu->domain, false, &alu->src[2], &zero, alu->lanes));
}

void eu_alu_frc(struct eu_alu *alu)
{
    LANES(alu, 0, a - floor(a))
}
void eu_alu_rndu(struct eu_alu *alu)
{
    LANES(alu, 0, ceil(a))
}
void eu_alu_rndd(struct eu_alu *alu)
{
    LANES(alu, 0, floor(a))
}
void eu_alu_rnde(struct eu_alu *alu)
{
    LANES(alu, 0, roundeven(a))
}
void eu_alu_rndz(struct eu_alu *alu)
{
    LANES(alu, 0, trunc(a))
}

/* Rounds a float to half: adds `random` to the 13 bits that half does not have, and truncates. vISA's documents say
 * this of normal results; that the bits of a subnormal one are cut at its own last bit is read from "normalized and
 * truncated". */
static float stochastic_half(float value, float random)
{
    const uint32_t dropped = 0x1fff;
    const float smallest_normal = 0x1p-14f, steps = 0x1p24f; /* subnormal halves are multiples of 2^-24 */
    uint32_t bits, added;
    if (!isfinite(value))
        return value;
    memcpy(&bits, &value, sizeof bits);
    memcpy(&added, &random, sizeof added);
    bits = (bits + (added & dropped)) & ~dropped;
    memcpy(&value, &bits, sizeof value);
    return fabsf(value) < smallest_normal ? truncf(value * steps) / steps : value;
}

/* dst = half(src0), rounded by the random bits src1; denormals stay */
void eu_alu_srnd(struct eu_alu *alu)
{
    alu->keeps_denormals = true;
    SINGLE_LANES(alu, stochastic_half(a, b))
}

/* Dot products of `terms` of the four lanes of each group; src0's fourth factor is 1 for dph. */
static void dot_product(struct eu_alu *alu, unsigned terms, bool is_homogeneous)
{
    for (unsigned group = 0; group < alu->lanes; group += 4) {
        float sum = 0;
        for (unsigned k = 0; k < terms; k++)
            sum += (is_homogeneous && k == 3 ? 1.0f : alu->src[0].f[group + k]) * alu->src[1].f[group + k];
        for (unsigned k = 0; k < 4; k++)
            alu->out.f[group + k] = sum;
    }
}

void eu_alu_dp2(struct eu_alu *alu)
{
    dot_product(alu, 2, false);
}
void eu_alu_dp3(struct eu_alu *alu)
{
    dot_product(alu, 3, false);
}
void eu_alu_dp4(struct eu_alu *alu)
{
    dot_product(alu, 4, false);
}
void eu_alu_dph(struct eu_alu *alu)
{
    dot_product(alu, 4, true);
}

/* The plane's coefficients: four floats from src0's first element on, with its modifiers. */
static void plane(const struct eu_alu *alu, float p[4])
{
    const struct eu_operand *source = &alu->in->src[0];
    memcpy(p, alu->thread->file + source->base, 4 * sizeof *p);
    for (unsigned i = 0; i < 4; i++) {
        p[i] = source->absolute ? fabsf(p[i]) : p[i];
        p[i] = source->negate ? -p[i] : p[i];
    }
}

/* dst = p.0 * src1 + p.3 */
void eu_alu_line(struct eu_alu *alu)
{
    float p[4];
    plane(alu, p);
    SINGLE_LANES(alu, fmaf(p[0], b, p[3]))
}

/* dst = p.0 * u + p.1 * v + p.3; u and v alternate in registers of eight lanes from src1 on. */
void eu_alu_pln(struct eu_alu *alu)
{
    float p[4], uv[4 * 8];
    plane(alu, p);
    memcpy(uv, alu->thread->file + alu->in->src[1].base, alu->lanes * 2 * sizeof *uv);
    for (unsigned lane = 0; lane < alu->lanes; lane++) {
        const float *pair = uv + lane / 8 * 16 + lane % 8;
        alu->out.f[lane] = fmaf(p[0], pair[0], fmaf(p[1], pair[8], p[3]));
    }
}
