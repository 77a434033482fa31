/* Expands conversions between 64-bit integers and floats on platforms without 64-bit integers to conversions of dwords.
 * Each rounds once, in every rounding mode: all steps are exact but one. */
#include <llvm-c/DebugInfo.h>
#include "lower/ir/ir.h"
#include "lower/ir/region.h"
#include "lower/passes.h"

enum { EXPONENT_AT = 23, EXPONENT_OF_1 = 127 };
static const double two_to_32 = 4294967296.0;

struct conversion {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTypeRef word; /* lanes of 32 bits, as many as the value has, or one */
};

struct halves {
    LLVMValueRef low, high;
};

static LLVMValueRef number(const struct conversion *c, int64_t n)
{
    return constant_number(c->word, n);
}

static struct region half_region(unsigned lanes, int offset)
{
    return (struct region){.offset = offset, .width = lanes, .hstride = 8};
}

static LLVMTypeRef both_halves(const struct conversion *c)
{
    return type_with_lanes(type_element(c->word), 2 * type_lanes(c->word));
}

static struct halves halves_of(const struct conversion *c, LLVMValueRef value)
{
    struct region low = half_region(type_lanes(c->word), 0), high = half_region(type_lanes(c->word), 4);
    LLVMValueRef words = LLVMBuildBitCast(c->builder, value, both_halves(c), "");
    return (struct halves){region_build_read(c->builder, c->module, c->word, words, &low, NULL),
                           region_build_read(c->builder, c->module, c->word, words, &high, NULL)};
}

static LLVMValueRef join(const struct conversion *c, struct halves h, LLVMTypeRef type)
{
    struct region low = half_region(type_lanes(c->word), 0), high = half_region(type_lanes(c->word), 4);
    LLVMValueRef words = LLVMGetUndef(both_halves(c));
    words = region_build_write(c->builder, c->module, words, h.low, &low, NULL, NULL);
    words = region_build_write(c->builder, c->module, words, h.high, &high, NULL, NULL);
    return LLVMBuildBitCast(c->builder, words, type, "");
}

static LLVMValueRef to_float(const struct conversion *c, LLVMValueRef words, bool sign, LLVMTypeRef type)
{
    return sign ? LLVMBuildSIToFP(c->builder, words, type, "") : LLVMBuildUIToFP(c->builder, words, type, "");
}

static LLVMValueRef times(const struct conversion *c, LLVMValueRef value, double factor)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return LLVMBuildFMul(c->builder, value, constant_splat(type, LLVMConstReal(type_element(type), factor)), "");
}

/* Takes the upper 32 significant bits, and ORs all bits below into bit 0: a float, of 24 bits, rounds the same. Then
 * scales by the power of two. A number that fits a dword is converted directly. */
static LLVMValueRef long_to_float(const struct conversion *c, LLVMValueRef value, bool sign, LLVMTypeRef type)
{
    LLVMBuilderRef b = c->builder;
    struct halves x = halves_of(c, value);
    LLVMValueRef zero = number(c, 0), top = number(c, 31);
    LLVMValueRef spread = sign ? LLVMBuildAShr(b, x.high, top, "") : zero; /* of the sign bit */
    LLVMValueRef bits = sign ? LLVMBuildXor(b, x.high, spread, "") : x.high;
    LLVMValueRef free = genx_build(b, c->module, GENX_LZD, c->word, &bits, 1); /* leading bits without information */
    if (sign)
        free = LLVMBuildSub(b, free, number(c, 1), "");
    LLVMValueRef fits = LLVMBuildICmp(b, LLVMIntEQ, x.high, sign ? LLVMBuildAShr(b, x.low, top, "") : zero, "");
    LLVMValueRef count = LLVMBuildAnd(b, free, top, ""), rest = LLVMBuildXor(b, count, top, "");
    LLVMValueRef upper = LLVMBuildShl(b, x.high, count, "");
    LLVMValueRef lower = LLVMBuildLShr(b, LLVMBuildLShr(b, x.low, number(c, 1), ""), rest, "");
    LLVMValueRef cut = LLVMBuildICmp(b, LLVMIntNE, LLVMBuildShl(b, x.low, count, ""), zero, "");
    LLVMValueRef words = LLVMBuildOr(b, LLVMBuildOr(b, upper, lower, ""), LLVMBuildZExt(b, cut, c->word, ""), "");
    words = LLVMBuildSelect(b, fits, x.low, words, "");
    LLVMValueRef exponent = LLVMBuildSub(b, number(c, EXPONENT_OF_1 + 32), count, "");
    exponent = LLVMBuildSelect(b, fits, number(c, EXPONENT_OF_1), exponent, "");
    LLVMValueRef power = LLVMBuildBitCast(b, LLVMBuildShl(b, exponent, number(c, EXPONENT_AT), ""), type, "");
    return LLVMBuildFMul(b, to_float(c, words, sign, type), power, "");
}

/* Both halves are exact doubles, and only their sum rounds. */
static LLVMValueRef long_to_double(const struct conversion *c, LLVMValueRef value, bool sign, LLVMTypeRef type)
{
    struct halves x = halves_of(c, value);
    LLVMValueRef high = times(c, to_float(c, x.high, sign, type), two_to_32);
    return LLVMBuildFAdd(c->builder, high, to_float(c, x.low, false, type), "");
}

/* A number beyond a dword is infinite as a half, and so is the largest dword. */
static LLVMValueRef long_to_half(const struct conversion *c, LLVMValueRef value, bool sign, LLVMTypeRef type)
{
    enum genx_id id = sign ? GENX_SSTRUNC_SAT : GENX_UUTRUNC_SAT;
    return to_float(c, genx_build(c->builder, c->module, id, c->word, &value, 1), sign, type);
}

/* Returns the sign of each lane of floats in all its bits. */
static LLVMValueRef sign_of(const struct conversion *c, LLVMValueRef value)
{
    bool is_double = type_element_bits(LLVMTypeOf(value)) == 64;
    LLVMValueRef words = is_double ? halves_of(c, value).high : LLVMBuildBitCast(c->builder, value, c->word, "");
    return LLVMBuildAShr(c->builder, words, number(c, 31), "");
}

/* Converts a number without sign. Its lower half is computed from the scaled number: if the number is itself a product,
 * it must not be fused with a sum, which would skip its rounding. */
static struct halves cut(const struct conversion *c, LLVMValueRef value)
{
    LLVMValueRef scaled = times(c, value, 1 / two_to_32);
    LLVMValueRef high = genx_build(c->builder, c->module, GENX_FPTOUI_SAT, c->word, &scaled, 1);
    LLVMValueRef rest = LLVMBuildFSub(c->builder, scaled, to_float(c, high, false, LLVMTypeOf(value)), "");
    LLVMValueRef below = times(c, rest, two_to_32);
    return (struct halves){genx_build(c->builder, c->module, GENX_FPTOUI_SAT, c->word, &below, 1), high};
}

/* Selects the halves `most` where the number is `limit` or more. */
static void clamp(const struct conversion *c, LLVMValueRef value, double limit, struct halves most, struct halves *x)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef bound = constant_splat(type, LLVMConstReal(type_element(type), limit));
    LLVMValueRef over = LLVMBuildFCmp(c->builder, LLVMRealOGE, value, bound, "");
    x->low = LLVMBuildSelect(c->builder, over, most.low, x->low, "");
    x->high = LLVMBuildSelect(c->builder, over, most.high, x->high, "");
}

static LLVMValueRef to_unsigned_long(const struct conversion *c, LLVMValueRef value, bool saturates, LLVMTypeRef type)
{
    LLVMTypeRef floats = LLVMTypeOf(value);
    if (saturates) { /* no number is 0 too */
        LLVMValueRef more = LLVMBuildFCmp(c->builder, LLVMRealOGT, value, LLVMConstNull(floats), "");
        value = LLVMBuildSelect(c->builder, more, value, LLVMConstNull(floats), "");
    }
    struct halves x = cut(c, value), most = {number(c, -1), number(c, -1)};
    if (saturates)
        clamp(c, value, two_to_32 * two_to_32, most, &x);
    return join(c, x, type);
}

static LLVMValueRef to_signed_long(const struct conversion *c, LLVMValueRef value, bool saturates, LLVMTypeRef type)
{
    LLVMBuilderRef b = c->builder;
    LLVMValueRef sign = sign_of(c, value);
    LLVMValueRef size = genx_build(b, c->module, GENX_ABSF, LLVMTypeOf(value), &value, 1);
    struct halves x = cut(c, size), most = {number(c, -1), number(c, 0x7fffffff)};
    if (saturates)
        clamp(c, size, two_to_32 * two_to_32 / 2,
              (struct halves){LLVMBuildXor(b, most.low, sign, ""), LLVMBuildXor(b, most.high, sign, "")}, &x);
    LLVMValueRef carries = LLVMBuildICmp(b, LLVMIntEQ, x.low, number(c, 0), "");
    LLVMValueRef carry = LLVMBuildSelect(b, carries, sign, number(c, 0), "");
    x.low = LLVMBuildSub(b, LLVMBuildXor(b, x.low, sign, ""), sign, "");
    x.high = LLVMBuildSub(b, LLVMBuildXor(b, x.high, sign, ""), carry, "");
    return join(c, x, type);
}

static LLVMValueRef from_long(const struct conversion *c, LLVMValueRef value, bool sign, LLVMTypeRef type)
{
    switch (type_element_bits(type)) {
    case 16: return long_to_half(c, value, sign, type);
    case 32: return long_to_float(c, value, sign, type);
    default: return long_to_double(c, value, sign, type);
    }
}

static LLVMValueRef to_long(const struct conversion *c, LLVMValueRef value, bool sign, bool saturates, LLVMTypeRef type)
{
    LLVMTypeRef floats = type_like(type, LLVMFloatTypeInContext(LLVMGetTypeContext(type)));
    if (type_element_bits(LLVMTypeOf(value)) == 16)
        value = LLVMBuildFPExt(c->builder, value, floats, "");
    return sign ? to_signed_long(c, value, saturates, type) : to_unsigned_long(c, value, saturates, type);
}

static bool is_long(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type_element(type)) == LLVMIntegerTypeKind && type_element_bits(type) == 64;
}

/* Returns the replacement of a conversion; NULL: not one of these. */
static LLVMValueRef convert(const struct conversion *c, LLVMValueRef i)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    enum genx_id id = genx_call_id(i);
    LLVMValueRef value = LLVMGetOperand(i, 0);
    if (is_long(type) && (id == GENX_FPTOSI_SAT || id == GENX_FPTOUI_SAT))
        return to_long(c, value, id == GENX_FPTOSI_SAT, true, type);
    if (is_long(type) && (LLVMIsAFPToSIInst(i) || LLVMIsAFPToUIInst(i)))
        return to_long(c, value, LLVMIsAFPToSIInst(i), false, type);
    if (is_long(LLVMTypeOf(value)) && (LLVMIsASIToFPInst(i) || LLVMIsAUIToFPInst(i)))
        return from_long(c, value, LLVMIsASIToFPInst(i), type);
    return NULL;
}

/* Double on a platform without it is refused later. */
static bool has_types(LLVMValueRef i, const struct lower_options *options)
{
    bool is_double = LLVMGetTypeKind(type_element(LLVMTypeOf(i))) == LLVMDoubleTypeKind ||
                     LLVMGetTypeKind(type_element(LLVMTypeOf(LLVMGetOperand(i, 0)))) == LLVMDoubleTypeKind;
    return !is_double || platform_has(options->platform, FEATURE_DOUBLE);
}

static bool is_conversion(LLVMValueRef i)
{
    enum genx_id id = genx_call_id(i);
    return LLVMIsACastInst(i) || id == GENX_FPTOSI_SAT || id == GENX_FPTOUI_SAT;
}

bool pass_int64_fp_convert(LLVMModuleRef module, const struct lower_options *options)
{
    if (platform_has(options->platform, FEATURE_NATIVE_INT64))
        return true;
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
    struct conversion c = {module, LLVMCreateBuilderInContext(context), NULL};
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_REMOVABLE(i, block)
    {
        if (!is_conversion(i) || !has_types(i, options))
            continue;
        LLVMPositionBuilderBefore(c.builder, i);
        LLVMSetCurrentDebugLocation2(c.builder, LLVMInstructionGetDebugLoc(i));
        c.word = type_like(LLVMTypeOf(i), i32);
        LLVMValueRef value = convert(&c, i);
        if (!value)
            continue;
        LLVMReplaceAllUsesWith(i, value);
        LLVMInstructionEraseFromParent(i);
    }
    LLVMDisposeBuilder(c.builder);
    return true;
}
