/* Folds comparisons of surface and sampler handles. Those of different parameters have different numbers
 * (docs/compiler/abi.md), which LLVM cannot know. */
#include <string.h>
#include "lower/ir/ir.h"
#include "lower/passes.h"

static bool is_handle(LLVMValueRef value, char *kind, size_t size)
{
    if (!LLVMIsAArgument(value))
        return false;
    LLVMValueRef function = LLVMGetParamParent(value);
    for (unsigned k = 0; k < LLVMCountParams(function); k++)
        if (LLVMGetParam(function, k) == value)
            return function_is_kernel(function) && ir_string_attribute(function, k + 1, "cm-kind", kind, size) &&
                   (strcmp(kind, "surface") == 0 || strcmp(kind, "sampler") == 0);
    return false;
}

/* True if `i` compares two different handle parameters for equality. */
static bool compares_handles(LLVMValueRef i)
{
    char a[16], b[16];
    if (!LLVMIsAICmpInst(i) || LLVMGetOperand(i, 0) == LLVMGetOperand(i, 1))
        return false;
    LLVMIntPredicate relation = LLVMGetICmpPredicate(i);
    return (relation == LLVMIntEQ || relation == LLVMIntNE) && is_handle(LLVMGetOperand(i, 0), a, sizeof a) &&
           is_handle(LLVMGetOperand(i, 1), b, sizeof b) && strcmp(a, b) == 0;
}

bool pass_distinct_surfaces(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_REMOVABLE(i, block)
    if (compares_handles(i)) {
        LLVMReplaceAllUsesWith(i, LLVMConstInt(LLVMTypeOf(i), LLVMGetICmpPredicate(i) == LLVMIntNE, false));
        LLVMInstructionEraseFromParent(i);
    }
    return true;
}
