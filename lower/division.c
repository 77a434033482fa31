/* Quotients and remainders of integers where the part divides floats only (from XeHP on): by an approximate reciprocal, one
 * step of Newton's method and two corrections. */
#include "lower/ir.h"
#include "lower/passes.h"

struct division {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTypeRef word; /* 32-bit unsigned lanes */
};

static LLVMTypeRef lanes_like(LLVMTypeRef type, LLVMTypeRef element)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMVectorType(element, type_lanes(type)) : element;
}

static LLVMValueRef splat(LLVMTypeRef type, LLVMValueRef scalar)
{
    enum { MOST = 1024 };
    LLVMValueRef all[MOST];
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || type_lanes(type) > MOST)
        return scalar;
    for (unsigned k = 0; k < type_lanes(type); k++)
        all[k] = scalar;
    return LLVMConstVector(all, type_lanes(type));
}

static LLVMValueRef number(const struct division *d, uint64_t n)
{
    return splat(d->word, LLVMConstInt(type_element(d->word), n, false));
}

static LLVMValueRef high_product(const struct division *d, LLVMValueRef x, LLVMValueRef y)
{
    LLVMValueRef operands[] = {x, y};
    return genx_build(d->builder, d->module, GENX_UMULH, d->word, operands, 2);
}

/* 2^32 / y from below: a float's reciprocal, scaled by a little less than 2^32, and one step that doubles its bits. */
static LLVMValueRef reciprocal(const struct division *d, LLVMValueRef y)
{
    enum { SCALE = 0x4f7ffffe }; /* as a float: 2^32 less two units in its last place */
    LLVMTypeRef f32 = LLVMFloatTypeInContext(LLVMGetModuleContext(d->module)), floats = lanes_like(d->word, f32);
    LLVMValueRef scale = splat(floats, LLVMConstBitCast(LLVMConstInt(type_element(d->word), SCALE, false), f32));
    LLVMValueRef divisor = LLVMBuildUIToFP(d->builder, y, floats, "");
    LLVMValueRef inverse = genx_build(d->builder, d->module, GENX_INV, floats, &divisor, 1);
    LLVMValueRef z = LLVMBuildFPToUI(d->builder, LLVMBuildFMul(d->builder, inverse, scale, ""), d->word, "");
    LLVMValueRef error = LLVMBuildMul(d->builder, LLVMBuildNeg(d->builder, y, ""), z, "");
    return LLVMBuildAdd(d->builder, z, high_product(d, z, error), "");
}

static LLVMValueRef divide_unsigned(const struct division *d, LLVMValueRef x, LLVMValueRef y, bool remainder)
{
    LLVMBuilderRef b = d->builder;
    LLVMValueRef quotient = high_product(d, x, reciprocal(d, y));
    LLVMValueRef rest = LLVMBuildSub(b, x, LLVMBuildMul(b, quotient, y, ""), "");
    for (int step = 0; step < 2; step++) {
        LLVMValueRef more = LLVMBuildICmp(b, LLVMIntUGE, rest, y, "");
        quotient = LLVMBuildSelect(b, more, LLVMBuildAdd(b, quotient, number(d, 1), ""), quotient, "");
        rest = LLVMBuildSelect(b, more, LLVMBuildSub(b, rest, y, ""), rest, "");
    }
    return remainder ? rest : quotient;
}

/* Sign as 0 or -1 in every bit. */
static LLVMValueRef sign_of(const struct division *d, LLVMValueRef x)
{
    return LLVMBuildAShr(d->builder, x, number(d, 31), "");
}

/* -x where `sign` is -1. */
static LLVMValueRef with_sign(const struct division *d, LLVMValueRef x, LLVMValueRef sign)
{
    return LLVMBuildSub(d->builder, LLVMBuildXor(d->builder, x, sign, ""), sign, "");
}

static LLVMValueRef divide(const struct division *d, LLVMOpcode op, LLVMValueRef x, LLVMValueRef y)
{
    bool remainder = op == LLVMURem || op == LLVMSRem;
    if (op == LLVMUDiv || op == LLVMURem)
        return divide_unsigned(d, x, y, remainder);
    LLVMValueRef left = sign_of(d, x), right = sign_of(d, y);
    LLVMValueRef value = divide_unsigned(d, with_sign(d, x, left), with_sign(d, y, right), remainder);
    return with_sign(d, value, remainder ? left : LLVMBuildXor(d->builder, left, right, ""));
}

static void expand(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMTypeRef type = LLVMTypeOf(i), i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
    struct division d = {module, builder, lanes_like(type, i32)};
    bool sign = op == LLVMSDiv || op == LLVMSRem;
    LLVMPositionBuilderBefore(builder, i);
    LLVMValueRef x = LLVMBuildIntCast2(builder, LLVMGetOperand(i, 0), d.word, sign, "");
    LLVMValueRef y = LLVMBuildIntCast2(builder, LLVMGetOperand(i, 1), d.word, sign, "");
    LLVMValueRef value = LLVMBuildIntCast2(builder, divide(&d, op, x, y), type, sign, "");
    LLVMReplaceAllUsesWith(i, value);
    LLVMInstructionEraseFromParent(i);
}

bool pass_divisions(LLVMModuleRef module, const struct lower_options *options)
{
    enum { FIRST_WITHOUT = 125 };
    if (options->platform->generation < FIRST_WITHOUT)
        return true;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        LLVMOpcode op = LLVMGetInstructionOpcode(i);
        if ((op == LLVMUDiv || op == LLVMURem || op == LLVMSDiv || op == LLVMSRem) && type_element_bits(LLVMTypeOf(i)) <= 32)
            expand(module, builder, i);
    }
    LLVMDisposeBuilder(builder);
    return true;
}
