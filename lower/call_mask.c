/* The call mask: a function that is called inside SIMD control flow gets the lanes that are on, as <W x i16> of 0 and
 * 1, as its last parameter. simdcf.c fills it in at such calls and starts the function's body with these lanes; other
 * callers pass all of them. */
#include "lower/call_mask.h"

#include <stdio.h>
#include <stdlib.h>
#include <llvm-c/DebugInfo.h>
#include "lower/functions.h"

unsigned call_mask_lanes(LLVMValueRef function)
{
    char text[16];
    bool has = function && string_attribute(function, LLVMAttributeFunctionIndex, "cm-mask", text, sizeof text);
    return has ? (unsigned)strtoul(text, NULL, 10) : 0;
}

bool call_mask_ask(LLVMValueRef call, unsigned lanes, bool *changed)
{
    LLVMValueRef function = called_function(call);
    unsigned before = call_mask_lanes(function);
    char text[16];
    if (lanes == before)
        return true;
    if (before)
        return lower_error(
            call,
            "a function that is called inside SIMD control flow over %u lanes and over %u lanes: it must be "
            "inlined (no noinline)",
            before, lanes);
    int length = snprintf(text, sizeof text, "%u", lanes);
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMAddAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                            LLVMCreateStringAttribute(context, "cm-mask", 7, text, (unsigned)length));
    *changed = true;
    return true;
}

static LLVMTypeRef mask_type(LLVMValueRef function)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    return LLVMVectorType(LLVMInt16TypeInContext(context), call_mask_lanes(function));
}

/* The arguments of `call` and all lanes, for `function`. */
static void widen_call(LLVMBuilderRef builder, LLVMValueRef call, LLVMValueRef function)
{
    unsigned count = LLVMGetNumArgOperands(call);
    LLVMValueRef *arguments = checked_calloc(count + 1, sizeof *arguments);
    for (unsigned k = 0; k < count; k++)
        arguments[k] = LLVMGetOperand(call, k);
    LLVMTypeRef lanes = mask_type(function);
    arguments[count] = constant_splat(lanes, LLVMConstInt(LLVMGetElementType(lanes), 1, false));
    LLVMPositionBuilderBefore(builder, call);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef wide = LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, count + 1, "");
    LLVMReplaceAllUsesWith(call, wide);
    LLVMInstructionEraseFromParent(call);
    free(arguments);
}

static void add_parameter(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef old)
{
    unsigned count = LLVMCountParams(old);
    LLVMTypeRef type = LLVMGlobalGetValueType(old), *types = checked_calloc(count + 1, sizeof *types);
    LLVMGetParamTypes(type, types);
    types[count] = mask_type(old);
    LLVMValueRef function =
        move_function(module, old, LLVMFunctionType(LLVMGetReturnType(type), types, count + 1, false));
    free(types);
    for (unsigned k = 0; k < count; k++)
        LLVMReplaceAllUsesWith(LLVMGetParam(old, k), LLVMGetParam(function, k));
    for (LLVMUseRef use; (use = LLVMGetFirstUse(old));)
        widen_call(builder, LLVMGetUser(use), function);
    replace_function(old, function);
}

void call_mask_add_parameters(LLVMModuleRef module)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    LLVMValueRef *masked = NULL; /* listed first: the functions that take their places stand in the module too */
    size_t count = 0, capacity = 0;
    FOR_EACH_FUNCTION(f, module)
    if (call_mask_lanes(f))
        ARRAY_PUSH(masked, count, capacity, f);
    for (size_t i = 0; i < count; i++)
        add_parameter(module, builder, masked[i]);
    free(masked);
    LLVMDisposeBuilder(builder);
}

LLVMValueRef call_mask_parameter(LLVMValueRef function)
{
    return call_mask_lanes(function) ? LLVMGetLastParam(function) : NULL;
}
