#include "lower/scalar/equal.h"

bool scalar_is_commutative(LLVMValueRef i, LLVMOpcode op)
{
    switch (op) {
    case LLVMAdd:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMFAdd:
    case LLVMFMul: return true;
    case LLVMICmp: return LLVMGetICmpPredicate(i) == LLVMIntEQ || LLVMGetICmpPredicate(i) == LLVMIntNE;
    default: return false;
    }
}

uint64_t scalar_other_facts(LLVMValueRef i, LLVMOpcode op)
{
    switch (op) {
    case LLVMICmp: return LLVMGetICmpPredicate(i);
    case LLVMFCmp: return LLVMGetFCmpPredicate(i);
    case LLVMGetElementPtr: return (uintptr_t)LLVMGetGEPSourceElementType(i);
    case LLVMExtractValue: return LLVMGetIndices(i)[0];
    default: return 0;
    }
}

static bool same_mask(LLVMValueRef a, LLVMValueRef b)
{
    for (unsigned k = 0; k < LLVMGetNumMaskElements(a); k++)
        if (LLVMGetMaskValue(a, k) != LLVMGetMaskValue(b, k))
            return false;
    return true;
}

bool scalar_is_equal(LLVMValueRef a, LLVMValueRef b, LLVMOpcode op, LLVMValueRef *operands, unsigned count)
{
    if (LLVMGetInstructionOpcode(a) != op || LLVMTypeOf(a) != LLVMTypeOf(b) ||
        (unsigned)LLVMGetNumOperands(a) != count || scalar_other_facts(a, op) != scalar_other_facts(b, op))
        return false;
    if (scalar_is_commutative(a, op) && LLVMGetOperand(a, 0) == operands[1] && LLVMGetOperand(a, 1) == operands[0])
        return true;
    for (unsigned k = 0; k < count; k++)
        if (LLVMGetOperand(a, k) != operands[k])
            return false;
    return op != LLVMShuffleVector || (LLVMGetNumMaskElements(a) == LLVMGetNumMaskElements(b) && same_mask(a, b));
}

void scalar_keep_common_promises(LLVMValueRef kept, LLVMValueRef other)
{
    switch (LLVMGetInstructionOpcode(kept)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMTrunc:
        LLVMSetNUW(kept, LLVMGetNUW(kept) && LLVMGetNUW(other));
        LLVMSetNSW(kept, LLVMGetNSW(kept) && LLVMGetNSW(other));
        break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMLShr:
    case LLVMAShr: LLVMSetExact(kept, LLVMGetExact(kept) && LLVMGetExact(other)); break;
    case LLVMOr: LLVMSetIsDisjoint(kept, LLVMGetIsDisjoint(kept) && LLVMGetIsDisjoint(other)); break;
    case LLVMZExt:
    case LLVMUIToFP: LLVMSetNNeg(kept, LLVMGetNNeg(kept) && LLVMGetNNeg(other)); break;
    case LLVMGetElementPtr: LLVMSetIsInBounds(kept, LLVMIsInBounds(kept) && LLVMIsInBounds(other)); break;
    default:
        if (LLVMCanValueUseFastMathFlags(kept))
            LLVMSetFastMathFlags(kept, LLVMGetFastMathFlags(kept) & LLVMGetFastMathFlags(other));
    }
}
