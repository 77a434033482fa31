/* Deletes all kernels but one: see lower.h. */
#include <string.h>
#include "lower/ir/ir.h"
#include "lower/lower.h"

static bool is_other_kernel(LLVMValueRef function, const char *name)
{
    return function_is_kernel(function) && strcmp(LLVMGetValueName2(function, &(size_t){0}), name) != 0;
}

static bool only_kernel(LLVMModuleRef module, const char *name)
{
    LLVMValueRef wanted = LLVMGetNamedFunction(module, name);
    if (!wanted || !function_is_kernel(wanted))
        return lower_error(NULL, "no kernel '%s'", name);
    for (LLVMValueRef next, f = LLVMGetFirstFunction(module); f; f = next) {
        next = LLVMGetNextFunction(f);
        if (!is_other_kernel(f, name))
            continue;
        if (LLVMGetFirstUse(f))
            LLVMReplaceAllUsesWith(f, LLVMGetPoison(LLVMTypeOf(f)));
        LLVMDeleteFunction(f);
    }
    return ir_run_llvm_passes(module, "globaldce"); /* deletes functions that only those called */
}

bool lower_only_kernel(LLVMModuleRef module, const char *name)
{
    struct ir_context *before = ir_context_enter(NULL);
    bool ok = only_kernel(module, name);
    ir_context_leave(before);
    return ok;
}
