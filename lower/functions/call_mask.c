/* Passes the execution mask to functions that are called inside SIMD control flow. It is their last parameter, <W x
 * i16> of 0 and 1. simdcf.c fills it in at such calls and starts the function's body with these lanes; other callers
 * pass all lanes. */
#include "lower/functions/call_mask.h"

#include <stdio.h>
#include <stdlib.h>
#include <llvm-c/DebugInfo.h>
#include "lower/functions/functions.h"

unsigned call_mask_lanes(LLVMValueRef function)
{
    char text[16];
    bool has = function && ir_string_attribute(function, LLVMAttributeFunctionIndex, "cm-mask", text, sizeof text);
    return has ? (unsigned)strtoul(text, NULL, 10) : 0;
}

bool call_mask_request(LLVMValueRef call, unsigned lanes, bool *changed)
{
    LLVMValueRef function = function_called(call);
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

static LLVMValueRef all_lanes(LLVMBuilderRef builder, LLVMModuleRef module, LLVMTypeRef type, const void *context)
{
    (void)builder, (void)module, (void)context;
    return constant_number(type, 1);
}

void call_mask_add_parameters(LLVMModuleRef module)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    LLVMValueRef *masked = NULL; /* collected first, because the module also has the functions that replace them */
    size_t count = 0, capacity = 0;
    FOR_EACH_FUNCTION(f, module)
    if (call_mask_lanes(f))
        ARRAY_PUSH(masked, count, capacity, f);
    for (size_t i = 0; i < count; i++)
        functions_add_parameter(module, builder, masked[i], mask_type(masked[i]), all_lanes, NULL);
    free(masked);
    LLVMDisposeBuilder(builder);
}

LLVMValueRef call_mask_parameter(LLVMValueRef function)
{
    return call_mask_lanes(function) ? LLVMGetLastParam(function) : NULL;
}
