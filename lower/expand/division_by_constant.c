/* Divides by a constant with a product and a shift (Granlund and Montgomery, "Division by invariant integers using
 * multiplication", 1994). With m a little more than 2^(32 + s) / d, the high half of x * m, shifted by s, is the
 * quotient if what m has too much, times the largest x, is less than 2^(32 + s) / d. If m would need a 33rd bit, x is
 * added:
 *
 *     x / 10                 q = mulh(x, 0xcccccccd) >> 3
 *     x / 7                  h = mulh(x, 0x24924925);  q = (((x - h) >> 1) + h) >> 2
 *     x / 7, x < 2^31        q = mulh(x, 0x92492493) >> 2
 *     int(x) / 10            q = mulh(x, 0x66666667) >> 2;  q += q >>> 31
 *     int(x) / 4             q = (x + ((x >> 31) >>> 30)) >> 2 */
#include "lower/expand/division_by_constant.h"
#include "lower/ir/ir.h"

struct divided {
    LLVMBuilderRef builder;
    LLVMModuleRef module;
    LLVMTypeRef type; /* of all numbers */
};

static LLVMValueRef number(const struct divided *d, uint32_t n)
{
    return constant_number(d->type, (int64_t)n);
}

static LLVMValueRef shifted(const struct divided *d, LLVMOpcode op, LLVMValueRef x, unsigned distance)
{
    return distance ? LLVMBuildBinOp(d->builder, op, x, number(d, distance), "") : x;
}

static LLVMValueRef high_product(const struct divided *d, enum genx_id id, LLVMValueRef x, uint32_t factor)
{
    LLVMValueRef operands[] = {x, number(d, factor)};
    return genx_build(d->builder, d->module, id, d->type, operands, 2);
}

static bool is_power_of_two(uint32_t n)
{
    return (n & (n - 1)) == 0;
}

static unsigned ceiling_of_log2(uint32_t n)
{
    return n > 1 ? 32 - (unsigned)__builtin_clz(n - 1) : 0;
}

/* Finds the least distance with which the product of x up to `most` and *factor is right; false: for none does the
 * factor have 32 bits. *factor then lacks its 33rd bit. */
static bool find_factor(uint32_t by, uint32_t most, uint32_t *factor, unsigned *distance)
{
    unsigned last = ceiling_of_log2(by);
    for (unsigned s = 0; s <= last; s++) {
        unsigned __int128 power = (unsigned __int128)1 << (32 + s), m = power / by + 1, excess = m * by - power;
        *factor = (uint32_t)m;
        *distance = s;
        if (excess * most < power)
            return m <= UINT32_MAX;
    }
    return false;
}

static LLVMValueRef divide_unsigned(const struct divided *d, LLVMValueRef x, uint32_t by, uint32_t most)
{
    uint32_t factor;
    unsigned distance, zeros = (unsigned)__builtin_ctz(by);
    if (is_power_of_two(by))
        return shifted(d, LLVMLShr, x, zeros);
    if (find_factor(by, most, &factor, &distance))
        return shifted(d, LLVMLShr, high_product(d, GENX_UMULH, x, factor), distance);
    if (zeros)
        return divide_unsigned(d, shifted(d, LLVMLShr, x, zeros), by >> zeros, most >> zeros);
    LLVMValueRef high = high_product(d, GENX_UMULH, x, factor);
    LLVMValueRef half = shifted(d, LLVMLShr, LLVMBuildSub(d->builder, x, high, ""), 1);
    return shifted(d, LLVMLShr, LLVMBuildAdd(d->builder, half, high, ""), distance - 1);
}

/* Rounds to zero: the quotient of a negative number, rounded down, is one more. */
static LLVMValueRef divide_signed(const struct divided *d, LLVMValueRef x, uint32_t by)
{
    enum { SIGN = 31 };
    if (is_power_of_two(by)) {
        unsigned distance = (unsigned)__builtin_ctz(by);
        LLVMValueRef sign = distance > 1 ? shifted(d, LLVMAShr, x, SIGN) : x;
        LLVMValueRef rounding = distance ? shifted(d, LLVMLShr, sign, 32 - distance) : number(d, 0);
        return shifted(d, LLVMAShr, LLVMBuildAdd(d->builder, x, rounding, ""), distance);
    }
    uint32_t factor;
    unsigned distance;
    find_factor(by, (uint32_t)1 << SIGN, &factor, &distance); /* it has 32 bits: x has 31 */
    LLVMValueRef high = high_product(d, GENX_SMULH, x, factor);
    if (factor >> SIGN) /* read as a negative number, 2^32 too small */
        high = LLVMBuildAdd(d->builder, high, x, "");
    LLVMValueRef quotient = shifted(d, LLVMAShr, high, distance);
    return LLVMBuildAdd(d->builder, quotient, shifted(d, LLVMLShr, x, SIGN), "");
}

static LLVMValueRef divide(const struct divided *d, LLVMValueRef x, uint32_t by, const struct division_by_constant *c)
{
    if (!c->sign)
        return divide_unsigned(d, x, by, c->most);
    return by >> 31 ? LLVMBuildNeg(d->builder, divide_signed(d, x, 0u - by), "") : divide_signed(d, x, by);
}

LLVMValueRef division_by_constant(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef x, LLVMValueRef y,
                                  const struct division_by_constant *division)
{
    struct divided d = {builder, module, LLVMTypeOf(x)};
    uint64_t bits;
    if (type_element_bits(d.type) != 32 || !LLVMIsConstant(y) || !constant_splat_bits(y, &bits) || (uint32_t)bits == 0)
        return NULL;
    uint32_t by = (uint32_t)bits;
    if (division->remainder && !division->sign && is_power_of_two(by))
        return LLVMBuildAnd(builder, x, number(&d, by - 1), "");
    LLVMValueRef quotient = divide(&d, x, by, division);
    return division->remainder ? LLVMBuildSub(builder, x, LLVMBuildMul(builder, quotient, y, ""), "") : quotient;
}
