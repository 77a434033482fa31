#include "lower/analysis/mask_analysis.h"
#include "lower/ir/region.h"

enum { MOST_TERMS = 6 };

static bool implies(LLVMValueRef mask, LLVMValueRef other, unsigned depth)
{
    if (mask == other)
        return true;
    if (depth > MOST_TERMS || !LLVMIsAInstruction(mask))
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(mask);
    if (op != LLVMAnd && op != LLVMOr && op != LLVMXor)
        return false;
    bool a = implies(LLVMGetOperand(mask, 0), other, depth + 1);
    if (op == LLVMAnd ? a : !a)
        return a;
    return implies(LLVMGetOperand(mask, 1), other, depth + 1);
}

bool mask_implies(LLVMValueRef mask, LLVMValueRef other)
{
    return implies(mask, other, 0);
}

LLVMValueRef mask_of_write(LLVMValueRef write)
{
    LLVMValueRef mask = LLVMGetOperand(write, 7);
    return LLVMGetTypeKind(LLVMTypeOf(mask)) == LLVMVectorTypeKind && !LLVMIsConstant(mask) ? mask : NULL;
}

LLVMValueRef mask_negated(LLVMValueRef mask)
{
    if (!LLVMIsAInstruction(mask) || LLVMGetInstructionOpcode(mask) != LLVMXor)
        return NULL;
    LLVMValueRef ones = LLVMGetOperand(mask, 1);
    return constant_mask_is_full(ones) && !LLVMIsUndef(ones) && !LLVMIsPoison(ones) ? LLVMGetOperand(mask, 0) : NULL;
}

bool mask_is_without(LLVMValueRef value, LLVMValueRef mask, LLVMValueRef otherwise)
{
    enum { MOST_WRITES = 8 };
    if (value != otherwise && LLVMTypeOf(value) == LLVMTypeOf(mask) && mask_implies(value, mask)) /* no lanes either */
        return mask_implies(otherwise, mask) || (LLVMIsConstant(otherwise) && LLVMIsNull(otherwise));
    for (unsigned n = 0; n < MOST_WRITES && value != otherwise; n++) {
        if (!region_is_write(value) || !mask_of_write(value) || !mask_implies(mask_of_write(value), mask))
            return false;
        value = LLVMGetOperand(value, 0);
    }
    return value == otherwise;
}

bool mask_is_asked(LLVMModuleRef module)
{
    return ir_module_calls(module, "llvm.genx.any") || ir_module_calls(module, "llvm.genx.all");
}
