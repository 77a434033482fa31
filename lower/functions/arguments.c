/* Tells functions what all their calls pass, and calls what the functions do not read: a parameter for which all calls
 * pass one constant becomes this constant; for one that is not read, calls pass nothing. */
#include "lower/ir/function_info.h"
#include "lower/passes.h"

/* True for a function all of whose uses are calls. */
static bool is_only_called(LLVMValueRef function)
{
    if (LLVMIsDeclaration(function) || function_call_kind(function) == CALL_INLINED)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use))
        if (function_called(LLVMGetUser(use)) != function)
            return false;
    return true;
}

/* Returns the constant that all calls pass; NULL: there is none. */
static LLVMValueRef common_constant(LLVMValueRef function, unsigned parameter)
{
    LLVMValueRef constant = NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef passed = LLVMGetOperand(LLVMGetUser(use), parameter);
        if (!LLVMIsConstant(passed) || (constant && passed != constant))
            return NULL;
        constant = passed;
    }
    return constant;
}

bool pass_constant_arguments(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    FOR_EACH_FUNCTION(f, module)
    for (unsigned k = 0; is_only_called(f) && k < LLVMCountParams(f); k++) {
        LLVMValueRef constant = function_global_of_parameter(f, k) < 0 ? common_constant(f, k) : NULL;
        if (constant)
            LLVMReplaceAllUsesWith(LLVMGetParam(f, k), constant);
    }
    return true;
}

bool pass_unread_arguments(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    FOR_EACH_FUNCTION(f, module)
    for (unsigned k = 0; is_only_called(f) && k < LLVMCountParams(f); k++) {
        LLVMValueRef parameter = LLVMGetParam(f, k);
        if (LLVMGetFirstUse(parameter) || function_global_of_parameter(f, k) >= 0)
            continue;
        for (LLVMUseRef use = LLVMGetFirstUse(f); use; use = LLVMGetNextUse(use))
            LLVMSetOperand(LLVMGetUser(use), k, LLVMGetUndef(LLVMTypeOf(parameter)));
    }
    return true;
}
