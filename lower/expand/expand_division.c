/* Expands integer division and remainder on platforms without the instruction. Up to 32 bits (from XeHP on): an
 * approximate reciprocal, one step of Newton's method and two corrections; by constants, their reciprocal and one
 * correction, or by one constant a product and a shift (division_by_constant.c). 64 bits: bit by bit, in a loop. */
#include <stdio.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/analysis/range.h"
#include "lower/expand/division_by_constant.h"
#include "lower/ir/ir.h"
#include "lower/passes.h"
#include "lower/ir/remarks.h"

struct division {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTypeRef word; /* 32-bit or 64-bit unsigned lanes */
};

static LLVMValueRef number(const struct division *d, uint64_t n)
{
    return constant_number(d->word, (int64_t)n);
}

static LLVMValueRef high_product(const struct division *d, LLVMValueRef x, LLVMValueRef y)
{
    LLVMValueRef operands[] = {x, y};
    return genx_build(d->builder, d->module, GENX_UMULH, d->word, operands, 2);
}

/* Computes a lower bound of 2^32 / y: a float's reciprocal, scaled by a little less than 2^32, and one step that
 * doubles its bits. */
static LLVMValueRef reciprocal(const struct division *d, LLVMValueRef y)
{
    enum { SCALE = 0x4f7ffffe }; /* as a float: 2^32 minus two units in its last place */
    LLVMTypeRef f32 = LLVMFloatTypeInContext(LLVMGetModuleContext(d->module)), floats = type_like(d->word, f32);
    LLVMValueRef scale =
        constant_splat(floats, LLVMConstBitCast(LLVMConstInt(type_element(d->word), SCALE, false), f32));
    LLVMValueRef divisor = LLVMBuildUIToFP(d->builder, y, floats, "");
    LLVMValueRef inverse = genx_build(d->builder, d->module, GENX_INV, floats, &divisor, 1);
    LLVMValueRef z = LLVMBuildFPToUI(d->builder, LLVMBuildFMul(d->builder, inverse, scale, ""), d->word, "");
    LLVMValueRef error = LLVMBuildMul(d->builder, LLVMBuildNeg(d->builder, y, ""), z, "");
    return LLVMBuildAdd(d->builder, z, high_product(d, z, error), "");
}

/* Returns 2^32 / y of constants, rounded down and at most 2^32 - 1; NULL: some lane is not constant, or 0. */
static LLVMValueRef constant_reciprocal(const struct division *d, LLVMValueRef y)
{
    enum { MOST_LANES = 256 };
    LLVMValueRef each[MOST_LANES];
    unsigned lanes = type_lanes(d->word);
    if (lanes > MOST_LANES)
        return NULL;
    for (unsigned k = 0; k < lanes; k++) {
        uint64_t bits, whole;
        bool undefined;
        if (!constant_lane(y, k, &bits, &undefined) || bits == 0)
            return NULL;
        whole = ((uint64_t)1 << 32) / bits;
        each[k] = LLVMConstInt(type_element(d->word), whole > UINT32_MAX ? UINT32_MAX : whole, false);
    }
    return LLVMGetTypeKind(d->word) == LLVMVectorTypeKind ? LLVMConstVector(each, lanes) : each[0];
}

/* The estimate is never too large. It is too small by at most 2; by at most 1 if the reciprocal is exact to its last
 * bit, because the quotient then loses less than x / 2^32. */
static LLVMValueRef divide_unsigned(const struct division *d, LLVMValueRef x, LLVMValueRef y, bool remainder)
{
    LLVMBuilderRef b = d->builder;
    LLVMValueRef exact = constant_reciprocal(d, y);
    LLVMValueRef quotient = high_product(d, x, exact ? exact : reciprocal(d, y));
    LLVMValueRef rest = LLVMBuildSub(b, x, LLVMBuildMul(b, quotient, y, ""), "");
    for (int step = 0; step < (exact ? 1 : 2); step++) {
        LLVMValueRef more = LLVMBuildICmp(b, LLVMIntUGE, rest, y, "");
        quotient = LLVMBuildSelect(b, more, LLVMBuildAdd(b, quotient, number(d, 1), ""), quotient, "");
        rest = LLVMBuildSelect(b, more, LLVMBuildSub(b, rest, y, ""), rest, "");
    }
    return remainder ? rest : quotient;
}

/* Does one step of long division on `rest` and `quotient`, whose upper bits are the rest of the dividend. */
static void divide_step(const struct division *d, LLVMValueRef y, LLVMValueRef *rest, LLVMValueRef *quotient)
{
    LLVMBuilderRef b = d->builder;
    LLVMValueRef one = number(d, 1), top = number(d, 63), zero = number(d, 0);
    LLVMValueRef overflows = LLVMBuildICmp(b, LLVMIntSLT, *rest, zero, ""); /* its 65th bit after the shift */
    LLVMValueRef next = LLVMBuildLShr(b, *quotient, top, "");
    LLVMValueRef more = LLVMBuildOr(b, LLVMBuildShl(b, *rest, one, ""), next, "");
    LLVMValueRef fits = LLVMBuildOr(b, overflows, LLVMBuildICmp(b, LLVMIntUGE, more, y, ""), "");
    *rest = LLVMBuildSelect(b, fits, LLVMBuildSub(b, more, y, ""), more, "");
    LLVMValueRef shifted = LLVMBuildShl(b, *quotient, one, "");
    *quotient = LLVMBuildOr(b, shifted, LLVMBuildSelect(b, fits, one, zero, ""), "");
}

/* entry: jump to the loop; loop: 64 steps; exit: return. */
static void build_long_division(const struct division *caller, LLVMValueRef function, bool remainder)
{
    enum { STEPS = 64 };
    LLVMContextRef context = LLVMGetModuleContext(caller->module);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(context, function, "entry");
    LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(context, function, "loop");
    LLVMBasicBlockRef exit = LLVMAppendBasicBlockInContext(context, function, "exit");
    struct division d = {caller->module, LLVMCreateBuilderInContext(context), caller->word};
    LLVMPositionBuilderAtEnd(d.builder, entry);
    LLVMBuildBr(d.builder, loop);
    LLVMPositionBuilderAtEnd(d.builder, loop);
    LLVMValueRef left = LLVMBuildPhi(d.builder, i32, ""), rest = LLVMBuildPhi(d.builder, d.word, "");
    LLVMValueRef quotient = LLVMBuildPhi(d.builder, d.word, ""), new_rest = rest, new_quotient = quotient;
    divide_step(&d, LLVMGetParam(function, 1), &new_rest, &new_quotient);
    LLVMValueRef one = LLVMConstInt(i32, 1, false), new_left = LLVMBuildSub(d.builder, left, one, "");
    LLVMBuildCondBr(d.builder, LLVMBuildICmp(d.builder, LLVMIntNE, new_left, LLVMConstNull(i32), ""), loop, exit);
    LLVMBasicBlockRef from[] = {entry, loop};
    LLVMAddIncoming(left, (LLVMValueRef[]){LLVMConstInt(i32, STEPS, false), new_left}, from, 2);
    LLVMAddIncoming(rest, (LLVMValueRef[]){number(&d, 0), new_rest}, from, 2);
    LLVMAddIncoming(quotient, (LLVMValueRef[]){LLVMGetParam(function, 0), new_quotient}, from, 2);
    LLVMPositionBuilderAtEnd(d.builder, exit);
    LLVMBuildRet(d.builder, remainder ? new_rest : new_quotient);
    LLVMDisposeBuilder(d.builder);
}

/* Calls a function that is inlined at the end of the pass, because a loop needs blocks of its own. */
static LLVMValueRef divide_long(const struct division *d, LLVMValueRef x, LLVMValueRef y, bool remainder)
{
    char name[48];
    LLVMValueRef operands[] = {x, y};
    LLVMTypeRef types[] = {d->word, d->word}, type = LLVMFunctionType(d->word, types, 2, false);
    snprintf(name, sizeof name, "cm.%s.%u", remainder ? "urem" : "udiv", type_lanes(d->word));
    if (LLVMGetTypeKind(d->word) != LLVMVectorTypeKind)
        strcat(name, ".scalar");
    LLVMValueRef function = LLVMGetNamedFunction(d->module, name);
    if (!function) {
        function = LLVMAddFunction(d->module, name, type);
        LLVMSetLinkage(function, LLVMInternalLinkage);
        unsigned kind = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
        LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                LLVMCreateEnumAttribute(LLVMGetModuleContext(d->module), kind, 0));
        build_long_division(d, function, remainder);
    }
    return LLVMBuildCall2(d->builder, type, function, operands, 2, "");
}

/* Returns the sign as 0 or -1 in every bit. */
static LLVMValueRef sign_of(const struct division *d, LLVMValueRef x)
{
    return LLVMBuildAShr(d->builder, x, number(d, type_element_bits(d->word) - 1), "");
}

/* Returns -x where `sign` is -1. */
static LLVMValueRef with_sign(const struct division *d, LLVMValueRef x, LLVMValueRef sign)
{
    return LLVMBuildSub(d->builder, LLVMBuildXor(d->builder, x, sign, ""), sign, "");
}

static LLVMValueRef divide(const struct division *d, LLVMOpcode op, LLVMValueRef x, LLVMValueRef y)
{
    bool remainder = op == LLVMURem || op == LLVMSRem;
    LLVMValueRef (*divide_bits)(const struct division *, LLVMValueRef, LLVMValueRef, bool) =
        type_element_bits(d->word) == 64 ? divide_long : divide_unsigned;
    if (op == LLVMUDiv || op == LLVMURem)
        return divide_bits(d, x, y, remainder);
    LLVMValueRef left = sign_of(d, x), right = sign_of(d, y);
    LLVMValueRef value = divide_bits(d, with_sign(d, x, left), with_sign(d, y, right), remainder);
    return with_sign(d, value, remainder ? left : LLVMBuildXor(d->builder, left, right, ""));
}

static void expand(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMTypeRef word =
        type_element_bits(type) == 64 ? LLVMInt64TypeInContext(context) : LLVMInt32TypeInContext(context);
    struct division d = {module, builder, type_like(type, word)};
    bool remainder = op == LLVMURem || op == LLVMSRem, is_signed = op == LLVMSDiv || op == LLVMSRem;
    bool sign = is_signed && (type_element_bits(type) > 32 || range_of_integer(LLVMGetOperand(i, 0)).low < 0 ||
                              range_of_integer(LLVMGetOperand(i, 1)).low < 0);
    if (is_signed && !sign)
        op = remainder ? LLVMURem : LLVMUDiv;
    LLVMPositionBuilderBefore(builder, i);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(i));
    LLVMValueRef x = LLVMBuildIntCast2(builder, LLVMGetOperand(i, 0), d.word, sign, "");
    LLVMValueRef y = LLVMBuildIntCast2(builder, LLVMGetOperand(i, 1), d.word, sign, "");
    struct range most = range_of_integer(x);
    struct division_by_constant c = {
        .remainder = remainder, .sign = sign, .most = most.low < 0 ? UINT32_MAX : (uint32_t)most.high};
    LLVMValueRef result = division_by_constant(builder, module, x, y, &c);
    LLVMValueRef value = LLVMBuildIntCast2(builder, result ? result : divide(&d, op, x, y), type, sign, "");
    LLVMReplaceAllUsesWith(i, value);
    LLVMInstructionEraseFromParent(i);
}

bool pass_expand_division(LLVMModuleRef module, const struct lower_options *options)
{
    unsigned least = platform_has(options->platform, FEATURE_INT_DIVIDE) ? 64 : 1; /* smallest width that is expanded */
    bool any_long = false;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_REMOVABLE(i, block)
    {
        LLVMOpcode op = LLVMGetInstructionOpcode(i);
        bool division = op == LLVMUDiv || op == LLVMURem || op == LLVMSDiv || op == LLVMSRem;
        unsigned bits = division ? type_element_bits(LLVMTypeOf(i)) : 0;
        if (!division || bits < least || bits > 64)
            continue;
        any_long = any_long || bits == 64;
        remark_at(i, REMARK_DIVISION, bits, type_lanes(LLVMTypeOf(i)));
        expand(module, builder, i);
    }
    LLVMDisposeBuilder(builder);
    return !any_long || ir_run_llvm_passes(module, "always-inline");
}
