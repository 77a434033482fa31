/* Decides whether LLVM's instcombine has anything to fold. It takes longer than most passes here, because it visits
 * every region read and write, about which it knows nothing. */
#include "lower/scalar/run_instcombine.h"
#include "lower/analysis/mask_analysis.h"
#include "lower/ir/forget_debug.h"
#include "lower/ir/ir.h"
#include "lower/passes.h"

/* True if two operations with constants may merge into one, beyond what inst_simplify.c does. */
static bool may_be_one(LLVMValueRef outer, LLVMValueRef inner)
{
    if (!LLVMIsABinaryOperator(inner) || !LLVMIsConstant(LLVMGetOperand(inner, 1)))
        return false;
    LLVMOpcode first = LLVMGetInstructionOpcode(inner);
    switch (LLVMGetInstructionOpcode(outer)) {
    case LLVMAdd:
    case LLVMSub: return first == LLVMAdd || first == LLVMSub || first == LLVMXor;
    case LLVMShl:
    case LLVMLShr: return first != LLVMShl && first != LLVMAdd;
    default: return true;
    }
}

static bool is_shift(LLVMValueRef value)
{
    LLVMOpcode op = LLVMIsABinaryOperator(value) ? LLVMGetInstructionOpcode(value) : LLVMRet;
    return op == LLVMShl || op == LLVMLShr;
}

/* True for a test of one bit, which is best left as it is. */
static bool tests_bit(LLVMValueRef compare)
{
    LLVMValueRef bits = LLVMGetOperand(compare, 0), zero = LLVMGetOperand(compare, 1);
    if (LLVMGetInstructionOpcode(bits) != LLVMAnd || !LLVMIsConstant(zero) || !LLVMIsNull(zero))
        return false;
    LLVMValueRef mask = LLVMIsAConstantInt(LLVMGetOperand(bits, 1));
    uint64_t number = mask && type_element_bits(LLVMTypeOf(mask)) <= 64 ? LLVMConstIntGetZExtValue(mask) : 0;
    return number && !(number & (number - 1));
}

/* True for 64-bit sums: they are several instructions on most platforms, and their constants add up. */
static bool may_be_fewer_steps(LLVMValueRef i)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMValueRef left = LLVMGetOperand(i, 0), right = LLVMGetOperand(i, 1);
    if (op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem || op == LLVMSRem || left == right)
        return true;
    if (type_is_mask(LLVMTypeOf(i)) ||
        (type_element_bits(LLVMTypeOf(i)) > 32 && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind))
        return true;
    return (LLVMIsConstant(right) && may_be_one(i, left)) || (is_shift(left) && is_shift(right)); /* a rotation */
}

static bool may_be_fewer(LLVMValueRef i)
{
    LLVMValueRef left = LLVMGetNumOperands(i) ? LLVMGetOperand(i, 0) : NULL;
    if (LLVMIsACastInst(i))
        return type_is_mask(LLVMTypeOf(left)) || LLVMIsACastInst(left);
    if (LLVMIsAICmpInst(i))
        return LLVMIsConstant(LLVMGetOperand(i, 1)) && LLVMIsABinaryOperator(left) && !tests_bit(i);
    return LLVMIsABinaryOperator(i) && !type_is_float(LLVMTypeOf(i)) && may_be_fewer_steps(i);
}

static bool has_any_fewer(LLVMModuleRef module)
{
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_INSTRUCTION(i, block)
    if (may_be_fewer(i))
        return true;
    return false;
}

static bool is_widening(LLVMValueRef value)
{
    return LLVMIsAZExtInst(value) || LLVMIsASExtInst(value) || LLVMIsAFPExtInst(value);
}

/* True if the result or an operand has fewer bits than the operation. */
static bool may_be_narrower(LLVMValueRef i)
{
    LLVMValueRef operand = LLVMGetNumOperands(i) ? LLVMGetOperand(i, 0) : NULL;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMTrunc:
    case LLVMFPTrunc: return LLVMIsAInstruction(operand) && !LLVMIsALoadInst(operand) && !LLVMIsACallInst(operand);
    case LLVMAnd:
        return is_widening(operand) ||
               (LLVMIsABinaryOperator(operand) && LLVMGetInstructionOpcode(operand) == LLVMAdd &&
                LLVMIsConstant(LLVMGetOperand(i, 1)));
    case LLVMOr:
    case LLVMXor:
    case LLVMAShr:
    case LLVMLShr:
    case LLVMICmp:
    case LLVMFCmp: return is_widening(operand);
    default: return false;
    }
}

/* True for a select that is a minimum or maximum. */
static bool chooses_extreme(LLVMValueRef i)
{
    LLVMValueRef compare = LLVMIsASelectInst(i) ? LLVMIsAICmpInst(LLVMGetOperand(i, 0)) : NULL;
    for (unsigned k = 0; compare && k < 2; k++)
        if (LLVMGetOperand(compare, k) == LLVMGetOperand(i, 1) || LLVMGetOperand(compare, k) == LLVMGetOperand(i, 2))
            return !LLVMIsConstant(LLVMGetOperand(compare, k));
    return false;
}

/* True for a select or phi of addresses (a reference that may be one of several), which becomes one of offsets. */
static bool chooses_address(LLVMValueRef i)
{
    return (LLVMIsAPHINode(i) || LLVMIsASelectInst(i)) && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind;
}

bool scalar_wants_instcombine(LLVMModuleRef module)
{
    if (mask_is_asked(module))
        return true;
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_INSTRUCTION(i, block)
    if (may_be_narrower(i) || chooses_extreme(i) || chooses_address(i))
        return true;
    return false;
}

bool pass_run_instcombine(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    bool combine = scalar_wants_instcombine(module) || has_any_fewer(module);
    ir_forget_debug_of_parts(module);
    return ir_run_llvm_passes(module, combine ? "function(instcombine<no-verify-fixpoint>,simplifycfg)"
                                              : "function(simplifycfg)");
}
