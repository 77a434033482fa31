/* llvm.fshl and llvm.fshr, which LLVM's passes make of two shifts and their union: back to those. */
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/ir.h"
#include "lower/passes.h"

static bool has_prefix(const char *text, const char *prefix) { return !strncmp(text, prefix, strlen(prefix)); }

/* Upper lanes of `high:low << count` (left) or lower ones of `high:low >> count`. A count that is not known
 * may be 0, so the other part is shifted in two steps. */
static void expand(LLVMBuilderRef b, LLVMValueRef call, bool left)
{
    LLVMValueRef high = LLVMGetOperand(call, 0), low = LLVMGetOperand(call, 1), count = LLVMGetOperand(call, 2);
    LLVMTypeRef type = LLVMTypeOf(call), element = type_element(type);
    LLVMValueRef one = constant_splat(type, LLVMConstInt(element, 1, false));
    LLVMValueRef last = constant_splat(type, LLVMConstInt(element, type_element_bits(type) - 1, false));
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

bool pass_funnel_shifts(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_REMOVABLE(i, block) {
        size_t length;
        LLVMValueRef called = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
        const char *name = called ? LLVMGetValueName2(called, &length) : "";
        if (has_prefix(name, "llvm.fshl.") || has_prefix(name, "llvm.fshr."))
            expand(builder, i, name[8] == 'l');
    }
    LLVMDisposeBuilder(builder);
    return true;
}
