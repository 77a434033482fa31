/* Refuses what the middle end does not take, by name: functions without a body, instructions, types, and calls of
 * llvm.genx intrinsics that are not as Intel defines them. */
#include "lower/input/input.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/input/input_values.h"
#include "lower/ir/function_info.h"
#include "lower/ir/region.h"

bool input_error(const struct input *in, LLVMValueRef at, const char *format, ...)
{
    char message[400];
    va_list list;
    va_start(list, format);
    vsnprintf(message, sizeof message, format, list);
    va_end(list);
    bool located = at && LLVMIsAInstruction(at) && LLVMInstructionGetDebugLoc(at);
    return located ? lower_error(at, "%s", message) : lower_error(NULL, "%s: %s", in->path, message);
}

/* --- types ---------------------------------------------------------------------------------------------------------
 */

static bool is_scalar(LLVMTypeRef type)
{
    enum { MOST_BITS = 64 };
    switch (LLVMGetTypeKind(type)) {
    case LLVMHalfTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind: return true;
    case LLVMIntegerTypeKind: return LLVMGetIntTypeWidth(type) <= MOST_BITS;
    default: return false;
    }
}

static bool is_known_type(LLVMTypeRef type);

static bool are_known_members(LLVMTypeRef type)
{
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
        if (!is_known_type(LLVMStructGetTypeAtIndex(type, i)))
            return false;
    return true;
}

static bool is_known_type(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMVoidTypeKind:
    case LLVMLabelTypeKind:
    case LLVMMetadataTypeKind:
    case LLVMPointerTypeKind: return true;
    case LLVMVectorTypeKind: return is_scalar(LLVMGetElementType(type));
    case LLVMArrayTypeKind: return is_known_type(LLVMGetElementType(type));
    case LLVMStructTypeKind: return !LLVMIsOpaqueStruct(type) && are_known_members(type);
    default: return is_scalar(type);
    }
}

static bool check_type(const struct input *in, LLVMValueRef at, LLVMTypeRef type)
{
    if (is_known_type(type))
        return true;
    char *text = LLVMPrintTypeToString(type);
    input_error(in, at, "values of type '%.100s' are not for Intel GPUs", text);
    LLVMDisposeMessage(text);
    return false;
}

/* --- instructions --------------------------------------------------------------------------------------------------
 */

/* Opcodes that the front end's modules have, and those that passes make. */
static bool is_known_opcode(LLVMOpcode opcode)
{
    switch (opcode) {
    case LLVMIndirectBr:
    case LLVMInvoke:
    case LLVMResume:
    case LLVMLandingPad:
    case LLVMCleanupRet:
    case LLVMCatchRet:
    case LLVMCatchPad:
    case LLVMCleanupPad:
    case LLVMCatchSwitch:
    case LLVMCallBr:
    case LLVMVAArg:
    case LLVMFence:
    case LLVMAtomicCmpXchg:
    case LLVMAtomicRMW: return false;
    default: return true;
    }
}

/* The operands that must lie inside a vector, and what a region must divide. */
static const char *wrong_region(LLVMValueRef call)
{
    struct region region;
    int64_t width = 0;
    int first, end;
    bool writes = region_is_write(call);
    LLVMTypeRef part = LLVMTypeOf(writes ? LLVMGetOperand(call, 1) : call);
    LLVMTypeRef whole = LLVMTypeOf(LLVMGetOperand(call, 0));
    unsigned lanes = type_lanes(part), bytes = type_element_bytes(whole);
    if (type_element(part) != type_element(whole))
        return "the elements of its vectors differ";
    if (!constant_int(LLVMGetOperand(call, writes ? 3 : 2), &width) || width < 1 || lanes % (uint64_t)width != 0)
        return "its width does not divide its lanes";
    if (type_is_mask(whole) || !region_of_call(call, &region))
        return NULL;
    region_extent(&region, lanes, bytes, &first, &end);
    return first < 0 || end > (int)(type_lanes(whole) * bytes) ? "its region lies outside the vector" : NULL;
}

static const char *wrong_call(LLVMValueRef call)
{
    LLVMValueRef function = LLVMGetCalledValue(call);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (input_wants_constant(function, i) && !LLVMIsAConstantInt(LLVMGetOperand(call, i)))
            return "an operand that must be a constant is none";
    if (region_is_read(call) || region_is_write(call))
        return wrong_region(call);
    return input_wrong_value(call, genx_name(genx_call_id(call)));
}

static bool check_call(const struct input *in, LLVMValueRef call)
{
    LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));
    if (!function || genx_call_id(call) == GENX_NONE)
        return true;
    const char *wrong = LLVMGetCalledFunctionType(call) == LLVMGlobalGetValueType(function)
                            ? wrong_call(call)
                            : "the call has other types than the declaration";
    return !wrong || input_error(in, call, "call of %s: %s", LLVMGetValueName(function), wrong);
}

static bool shared_differs(LLVMTypeRef from, LLVMTypeRef to)
{
    return LLVMGetTypeKind(from) == LLVMPointerTypeKind && LLVMGetTypeKind(to) == LLVMPointerTypeKind &&
           (LLVMGetPointerAddressSpace(from) == SHARED_ADDRESS_SPACE) !=
               (LLVMGetPointerAddressSpace(to) == SHARED_ADDRESS_SPACE);
}

static bool check_instruction(const struct input *in, LLVMValueRef i)
{
    if (!is_known_opcode(LLVMGetInstructionOpcode(i))) {
        char *text = LLVMPrintValueToString(i);
        input_error(in, i, "an instruction that is not for Intel GPUs: %.200s", text + strspn(text, " "));
        LLVMDisposeMessage(text);
        return false;
    }
    for (int k = 0; k < LLVMGetNumOperands(i); k++)
        if (!check_type(in, i, LLVMTypeOf(LLVMGetOperand(i, (unsigned)k))))
            return false;
    if (LLVMIsAAddrSpaceCastInst(i) && shared_differs(LLVMTypeOf(LLVMGetOperand(i, 0)), LLVMTypeOf(i)))
        return input_error(in, i,
                           "a cast between addresses of shared local memory and of other memory: give accesses "
                           "to shared local memory pointers of address space 3");
    if (LLVMIsAAllocaInst(i) && !check_type(in, i, LLVMGetAllocatedType(i)))
        return false;
    return check_type(in, i, LLVMTypeOf(i)) && (!LLVMIsACallInst(i) || check_call(in, i));
}

/* --- functions -----------------------------------------------------------------------------------------------------
 */

/* LLVM's own intrinsics are for code generation to take or to refuse; builtins of CM are the front end's. */
static bool check_declaration(const struct input *in, LLVMValueRef function)
{
    struct input_message message;
    size_t length;
    const char *name = LLVMGetValueName2(function, &length);
    if (!LLVMGetFirstUse(function) || builtin_of_function(function) != BUILTIN_NONE ||
        strncmp(name, FUNCTION_RETURN_MARKER, sizeof FUNCTION_RETURN_MARKER - 1) == 0)
        return true;
    if (strncmp(name, "llvm.", 5) != 0)
        return input_error(in, NULL, "function '%s' is called and has no body", name);
    if (strncmp(name, "llvm.vc.", 8) == 0)
        return input_error(
            in, NULL, "intrinsic %s is internal to IGC's vector back end: cmc takes modules as front ends make them",
            name);
    if (strncmp(name, "llvm.genx.", 10) != 0)
        return true;
    const char *wrong = input_wrong_types(function, &message);
    return !wrong || input_error(in, NULL, "intrinsic %s: %s", name, wrong);
}

static bool check_body(const struct input *in, LLVMValueRef function)
{
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    if (!check_instruction(in, i))
        return false;
    return true;
}

static bool check_function(const struct input *in, LLVMValueRef function)
{
    if (LLVMIsDeclaration(function))
        return check_declaration(in, function);
    for (LLVMValueRef p = LLVMGetFirstParam(function); p; p = LLVMGetNextParam(p))
        if (!check_type(in, NULL, LLVMTypeOf(p)))
            return false;
    if (function_is_kernel(function) &&
        LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(function))) != LLVMVoidTypeKind)
        return input_error(in, NULL, "kernel '%s' returns a value", LLVMGetValueName(function));
    return true;
}

bool input_check(const struct input *in)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(in->module); g; g = LLVMGetNextGlobal(g))
        if (!check_type(in, NULL, LLVMGlobalGetValueType(g)))
            return false;
    FOR_EACH_FUNCTION(f, in->module)
    if (!check_function(in, f))
        return false;
    FOR_EACH_FUNCTION(f, in->module)
    if (!check_body(in, f))
        return false;
    return true;
}
