/* Expands llvm.fshl and llvm.fshr, which LLVM's passes make of two shifts and an or: to rotates if the platform has
 * them, else back to shifts. */
#include <llvm-c/DebugInfo.h>
#include "lower/ir/ir.h"
#include "lower/passes.h"

/* Builds the upper lanes of `high:low << count` (left) or the lower ones of `high:low >> count`. A count that is not
 * constant may be 0, so the other word is shifted in two steps. */
static void expand(LLVMBuilderRef b, LLVMValueRef call, bool left)
{
    LLVMValueRef high = LLVMGetOperand(call, 0), low = LLVMGetOperand(call, 1), count = LLVMGetOperand(call, 2);
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMValueRef one = constant_number(type, 1);
    LLVMValueRef last = constant_number(type, type_element_bits(type) - 1);
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    count = LLVMBuildAnd(b, count, last, "");
    LLVMValueRef rest = LLVMBuildSub(b, last, count, "");
    if (LLVMIsConstant(count)) /* never 0: LLVM has made the values of that themselves */
        rest = LLVMBuildAdd(b, rest, one, "");
    else if (left)
        low = LLVMBuildLShr(b, low, one, "");
    else
        high = LLVMBuildShl(b, high, one, "");
    LLVMValueRef upper = LLVMBuildShl(b, high, left ? count : rest, "");
    LLVMValueRef lower = LLVMBuildLShr(b, low, left ? rest : count, "");
    LLVMReplaceAllUsesWith(call, LLVMBuildOr(b, upper, lower, ""));
    LLVMInstructionEraseFromParent(call);
}

/* True if both halves are the same value, of a width that platforms rotate. */
static bool rotates(LLVMValueRef call)
{
    unsigned bits = type_element_bits(LLVMTypeOf(call));
    return LLVMGetOperand(call, 0) == LLVMGetOperand(call, 1) && (bits == 16 || bits == 32);
}

static void rotate(LLVMModuleRef module, LLVMBuilderRef b, LLVMValueRef call, bool left)
{
    LLVMValueRef operands[] = {LLVMGetOperand(call, 0), LLVMGetOperand(call, 2)};
    LLVMPositionBuilderBefore(b, call);
    LLVMSetCurrentDebugLocation2(b, LLVMInstructionGetDebugLoc(call));
    LLVMReplaceAllUsesWith(call, genx_build(b, module, left ? GENX_ROL : GENX_ROR, LLVMTypeOf(call), operands, 2));
    LLVMInstructionEraseFromParent(call);
}

bool pass_funnel_shifts(LLVMModuleRef module, const struct lower_options *options)
{
    if (!ir_module_calls(module, "llvm.fsh"))
        return true;
    bool has_rotation = platform_has(options->platform, FEATURE_BIT_ROTATE);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_REMOVABLE(i, block)
    {
        bool left = ir_calls_named(i, "llvm.fshl.");
        if (left || ir_calls_named(i, "llvm.fshr."))
            rotates(i) && has_rotation ? rotate(module, builder, i, left) : expand(builder, i, left);
    }
    LLVMDisposeBuilder(builder);
    return true;
}
