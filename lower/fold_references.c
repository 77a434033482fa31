/* References to one address and constant lane offsets: equal values to one, operations on constants to constants. What
 * that leaves to LLVM's instcombine, which takes several times as long as all the rest, is asked first. */
#include "lower/ir.h"
#include "lower/passes.h"

static bool is_widening(LLVMValueRef value)
{
    return LLVMIsAZExtInst(value) || LLVMIsASExtInst(value) || LLVMIsAFPExtInst(value);
}

/* An operation whose result, or an operand, has fewer bits than it works on. */
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

/* The smaller or larger one of two numbers. */
static bool chooses_extreme(LLVMValueRef i)
{
    LLVMValueRef compare = LLVMIsASelectInst(i) ? LLVMIsAICmpInst(LLVMGetOperand(i, 0)) : NULL;
    for (unsigned k = 0; compare && k < 2; k++)
        if (LLVMGetOperand(compare, k) == LLVMGetOperand(i, 1) || LLVMGetOperand(compare, k) == LLVMGetOperand(i, 2))
            return !LLVMIsConstant(LLVMGetOperand(compare, k));
    return false;
}

/* A reference that may be one of several is a choice of addresses, which becomes one of offsets. */
static bool chooses_address(LLVMValueRef i)
{
    return (LLVMIsAPHINode(i) || LLVMIsASelectInst(i)) && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind;
}

bool wants_instcombine(LLVMModuleRef module)
{
    if (asks_lanes(module))
        return true;
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_INSTRUCTION(i, block)
    if (may_be_narrower(i) || chooses_extreme(i) || chooses_address(i))
        return true;
    return false;
}

bool pass_fold_references(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f))
        share_equal_values(f, NO_READS);
    if (!run_llvm_passes(module, "function(simplifycfg)"))
        return false;
    if (wants_instcombine(module))
        return run_llvm_passes(module, "function(instcombine<no-verify-fixpoint>,simplifycfg)");
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f))
        share_equal_values(f, OF_VARIABLES);
    return true;
}
