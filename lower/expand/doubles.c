/* Computes in float what C++'s rules for constants compute in double, as in `x = 0.5 * h` with a half or float result.
 * The bits are the same, and every platform has floats.
 *
 * One operation (+ - * /) on numbers of p bits, rounded to at least 2p + 2 bits first and then to p, gives the same as
 * rounding once. Floats (24 bits) suffice for halves (11), doubles (53) for floats, so a half can be computed through
 * float as well. Source: Figueroa, "When is double rounding innocuous?", 1995. */
#include "lower/ir/ir.h"
#include "lower/passes.h"

/* True if each lane of a constant of doubles is a number that `fits`. */
static bool every_lane(LLVMValueRef value, bool (*fits)(double))
{
    for (unsigned k = 0; k < type_lanes(LLVMTypeOf(value)); k++) {
        union {
            uint64_t bits;
            double number;
        } lane;
        bool undefined = false;
        if (!constant_lane(value, k, &lane.bits, &undefined) || !fits(lane.number))
            return false;
    }
    return true;
}

static bool is_half(double number)
{
    return (double)(_Float16)number == number;
}
static bool is_float(double number)
{
    return (double)(float)number == number;
}
static bool is_zero(double number)
{
    return number == 0;
}

static bool is_constant_zero(LLVMValueRef value)
{
    return LLVMIsAConstant(value) && every_lane(value, is_zero);
}

/* Returns doubles that are extended halves or floats, or such constants, perhaps negated, as floats. NULL: not known.
 * `shape`: the result's type. */
static LLVMValueRef as_floats(LLVMBuilderRef builder, LLVMValueRef value, bool halves, LLVMTypeRef shape)
{
    LLVMTypeRef floats = type_like(shape, LLVMFloatTypeInContext(LLVMGetTypeContext(shape)));
    if (LLVMIsAConstant(value))
        return every_lane(value, halves ? is_half : is_float) ? LLVMBuildFPTrunc(builder, value, floats, "") : NULL;
    if (LLVMIsAFPExtInst(value)) {
        LLVMValueRef inner = LLVMGetOperand(value, 0);
        if (type_element_bits(LLVMTypeOf(inner)) == 32)
            return halves ? NULL : inner;
        return LLVMBuildFPExt(builder, inner, floats, "");
    }
    LLVMOpcode op = LLVMIsAInstruction(value) ? LLVMGetInstructionOpcode(value) : 0;
    if (op == LLVMFNeg) {
        LLVMValueRef inner = as_floats(builder, LLVMGetOperand(value, 0), halves, shape);
        return inner ? LLVMBuildFNeg(builder, inner, "") : NULL;
    }
    if ((op != LLVMFSub && op != LLVMFAdd) ||
        !(is_constant_zero(LLVMGetOperand(value, 0)) || is_constant_zero(LLVMGetOperand(value, 1))))
        return NULL;
    LLVMValueRef left = as_floats(builder, LLVMGetOperand(value, 0), halves, shape);
    LLVMValueRef right = as_floats(builder, LLVMGetOperand(value, 1), halves, shape);
    return left && right ? LLVMBuildBinOp(builder, op, left, right, "") : NULL; /* 0.0 - x */
}

/* Computes the double operation that `rounding` truncates in float; NULL: the bits might differ. */
static LLVMValueRef in_floats(LLVMBuilderRef builder, LLVMValueRef rounding)
{
    LLVMValueRef operation = LLVMGetOperand(rounding, 0);
    LLVMTypeRef type = LLVMTypeOf(rounding);
    bool halves = type_element_bits(type) == 16;
    LLVMOpcode op = LLVMIsAInstruction(operation) ? LLVMGetInstructionOpcode(operation) : 0;
    if (type_element_bits(LLVMTypeOf(operation)) != 64 ||
        (op != LLVMFAdd && op != LLVMFSub && op != LLVMFMul && op != LLVMFDiv))
        return NULL;
    LLVMValueRef left = as_floats(builder, LLVMGetOperand(operation, 0), halves, type);
    LLVMValueRef right = left ? as_floats(builder, LLVMGetOperand(operation, 1), halves, type) : NULL;
    LLVMValueRef result = right ? LLVMBuildBinOp(builder, op, left, right, "") : NULL;
    return result && halves ? LLVMBuildFPTrunc(builder, result, type, "") : result;
}

bool pass_doubles(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_REMOVABLE(i, block)
    {
        if (!LLVMIsAFPTruncInst(i))
            continue;
        LLVMPositionBuilderBefore(builder, i);
        LLVMValueRef floats = in_floats(builder, i);
        if (!floats)
            continue;
        LLVMReplaceAllUsesWith(i, floats);
        LLVMInstructionEraseFromParent(i);
    }
    LLVMDisposeBuilder(builder);
    return true;
}
