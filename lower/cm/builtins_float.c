/* Lowers conversions between float and shorter floats to integer operations, the same on every platform. */
#include "lower/cm/builtins.h"

static LLVMTypeRef like(const struct cm_call *c, LLVMValueRef value, unsigned bits)
{
    return type_with_lanes(int_type(c, bits), type_lanes(LLVMTypeOf(value)));
}

static LLVMValueRef splat(LLVMTypeRef type, uint64_t number)
{
    return constant_number(type, (int64_t)number);
}

/* Returns the bits of floats, shifted right by `bits` and rounded to nearest, ties to even. */
static LLVMValueRef shorten(const struct cm_call *c, unsigned bits)
{
    LLVMBuilderRef b = c->builder;
    LLVMValueRef x = operand(c, 0);
    LLVMTypeRef type = like(c, x, 32);
    LLVMValueRef word = LLVMBuildBitCast(b, x, type, ""), count = splat(type, bits);
    LLVMValueRef odd = LLVMBuildAnd(b, LLVMBuildLShr(b, word, count, ""), splat(type, 1), "");
    LLVMValueRef half_way = LLVMBuildAdd(b, odd, splat(type, (1u << (bits - 1)) - 1), "");
    LLVMValueRef quiet = LLVMBuildOr(b, word, splat(type, 0x400000), "");
    LLVMValueRef nan = LLVMBuildFCmp(b, LLVMRealUNO, x, x, "");
    return LLVMBuildLShr(b, LLVMBuildSelect(b, nan, quiet, LLVMBuildAdd(b, word, half_way, ""), ""), count, "");
}

LLVMValueRef cm_lower_bf_round(const struct cm_call *c)
{
    return LLVMBuildTrunc(c->builder, shorten(c, 16), c->result, "");
}

LLVMValueRef cm_lower_bf_widen(const struct cm_call *c)
{
    LLVMTypeRef type = like(c, operand(c, 0), 32);
    LLVMValueRef wide = LLVMBuildZExt(c->builder, operand(c, 0), type, "");
    return LLVMBuildBitCast(c->builder, LLVMBuildShl(c->builder, wide, splat(type, 16), ""), c->result, "");
}

LLVMValueRef cm_lower_tf32_round(const struct cm_call *c)
{
    return LLVMBuildShl(c->builder, shorten(c, 13), splat(c->result, 13), "");
}
