/* Makes calls of the vector back end's dialect those of the middle end: vectors of one lane, which SPIR-V lacks and
 * declarations mark, and the functions of OpenCL that readers of SPIR-V make of its instructions. */
#include "lower/input/input.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/ir/ir.h"

#define ONE_LANE "VCSingleElementVector"

/* --- vectors of one lane -------------------------------------------------------------------------------------------
 */

static bool is_marked(LLVMValueRef function, unsigned index)
{
    return LLVMGetStringAttributeAtIndex(function, index, ONE_LANE, sizeof ONE_LANE - 1) != NULL;
}

/* The type that the mark restores. */
static LLVMTypeRef restored(LLVMValueRef function, unsigned index, LLVMTypeRef type)
{
    bool scalar = LLVMGetTypeKind(type) == LLVMIntegerTypeKind || type_is_float(type);
    return scalar && is_marked(function, index) ? LLVMVectorType(type, 1) : type;
}

static bool has_marks(LLVMValueRef function)
{
    bool found = is_marked(function, LLVMAttributeReturnIndex);
    for (unsigned k = 0; k < LLVMCountParams(function); k++)
        found = found || is_marked(function, k + 1);
    return found;
}

static LLVMTypeRef restored_type(LLVMValueRef function)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(function), result = LLVMGetReturnType(type);
    unsigned count = LLVMCountParamTypes(type);
    LLVMTypeRef *types = ir_calloc(count + 1, sizeof *types);
    LLVMGetParamTypes(type, types);
    for (unsigned k = 0; k < count; k++)
        types[k] = restored(function, k + 1, types[k]);
    if (LLVMGetTypeKind(result) != LLVMVoidTypeKind)
        result = restored(function, LLVMAttributeReturnIndex, result);
    type = LLVMFunctionType(result, types, count, false);
    free(types);
    return type;
}

/* Builds the call with vectors of one lane, and takes the scalar out of its result. */
static void restore_call(const struct input *in, LLVMValueRef call, LLVMValueRef function, LLVMTypeRef type)
{
    unsigned count = LLVMGetNumArgOperands(call);
    LLVMTypeRef *types = ir_calloc(count + 1, sizeof *types);
    LLVMValueRef *operands = ir_calloc(count + 1, sizeof *operands);
    LLVMGetParamTypes(type, types);
    LLVMPositionBuilderBefore(in->builder, call);
    LLVMSetCurrentDebugLocation2(in->builder, LLVMInstructionGetDebugLoc(call));
    for (unsigned k = 0; k < count; k++) {
        operands[k] = LLVMGetOperand(call, k);
        if (LLVMTypeOf(operands[k]) != types[k])
            operands[k] = LLVMBuildBitCast(in->builder, operands[k], types[k], "");
    }
    LLVMValueRef made = LLVMBuildCall2(in->builder, type, function, operands, count, "");
    if (LLVMTypeOf(made) != LLVMTypeOf(call))
        made = LLVMBuildBitCast(in->builder, made, LLVMTypeOf(call), "");
    LLVMReplaceAllUsesWith(call, made);
    LLVMInstructionEraseFromParent(call);
    free(types);
    free(operands);
}

static bool restore_function(const struct input *in, LLVMValueRef old)
{
    size_t length;
    const char *text = LLVMGetValueName2(old, &length);
    char *name = ir_calloc(length + 1, 1);
    memcpy(name, text, length);
    LLVMSetValueName2(old, "", 0);
    LLVMTypeRef type = restored_type(old);
    LLVMValueRef function = LLVMAddFunction(in->module, name, type);
    free(name);
    for (LLVMUseRef use; (use = LLVMGetFirstUse(old));) {
        LLVMValueRef call = LLVMGetUser(use);
        if (!LLVMIsACallInst(call) || LLVMGetCalledValue(call) != old ||
            LLVMGetCalledFunctionType(call) != LLVMGlobalGetValueType(old))
            return input_error(in, call, "%s is used as something else than a function", LLVMGetValueName(function));
        restore_call(in, call, function, type);
    }
    LLVMDeleteFunction(old);
    return true;
}

/* --- functions of OpenCL -------------------------------------------------------------------------------------------
 */

/* The first operand's letter in an Itanium-mangled name: "Dv16_t" and "t" are 't'; "Dh" is 'h' of halves, here 'H'. */
static char operand_letter(const char *mangled)
{
    if (strncmp(mangled, "Dv", 2) == 0) {
        mangled += 2 + strspn(mangled + 2, "0123456789");
        mangled += *mangled == '_';
    }
    return strncmp(mangled, "Dh", 2) == 0 ? 'H' : *mangled;
}

/* convert_TYPE: numbers without sign are marked by the name, and by the operand's letter. NULL: not such a call. */
static LLVMValueRef build_conversion(const struct input *in, LLVMValueRef call, const char *name, char letter)
{
    LLVMValueRef from = LLVMGetOperand(call, 0);
    LLVMTypeRef to = LLVMTypeOf(call), type = LLVMTypeOf(from);
    bool has_sign = !strchr("htjm", letter), to_sign = name[8] != 'u';
    if (type_lanes(to) != type_lanes(type) || type_is_mask(to) || type_is_mask(type))
        return NULL;
    if (type_is_float(type) && type_is_float(to))
        return LLVMBuildFPCast(in->builder, from, to, "");
    if (type_is_float(type))
        return to_sign ? LLVMBuildFPToSI(in->builder, from, to, "") : LLVMBuildFPToUI(in->builder, from, to, "");
    if (type_is_float(to))
        return has_sign ? LLVMBuildSIToFP(in->builder, from, to, "") : LLVMBuildUIToFP(in->builder, from, to, "");
    return LLVMBuildIntCast2(in->builder, from, to, has_sign, "");
}

/* A call of one of LLVM's intrinsics, whose types are that of the result. */
static LLVMValueRef build_intrinsic(const struct input *in, LLVMValueRef call, const char *name)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    LLVMValueRef operands[3];
    unsigned count = LLVMGetNumArgOperands(call), id = LLVMLookupIntrinsicID(name, strlen(name));
    for (unsigned k = 0; k < count; k++)
        operands[k] = LLVMGetOperand(call, k);
    LLVMValueRef function = LLVMGetIntrinsicDeclaration(in->module, id, &type, 1);
    return LLVMBuildCall2(in->builder, LLVMGlobalGetValueType(function), function, operands, count, "");
}

/* Functions with a twin among LLVM's intrinsics. */
static const struct {
    const char *name, *twin;
    unsigned operands;
} twins[] = {{"fma", "llvm.fma", 3}, {"popcount", "llvm.ctpop", 1}};

static bool has_one_type(LLVMValueRef call)
{
    for (unsigned k = 0; k < LLVMGetNumArgOperands(call); k++)
        if (LLVMTypeOf(LLVMGetOperand(call, k)) != LLVMTypeOf(call))
            return false;
    return true;
}

/* name[0..length-1]: the name before mangling; `mangled`: its operands. NULL: none of these functions. */
static LLVMValueRef build_twin(const struct input *in, LLVMValueRef call, const char *name, size_t length)
{
    bool converts = length > 8 && strncmp(name, "convert_", 8) == 0;
    if (converts && LLVMGetNumArgOperands(call) == 1 && !memchr(name + 8, '_', length - 8))
        return build_conversion(in, call, name, operand_letter(name + length));
    for (size_t n = 0; n < sizeof twins / sizeof *twins; n++)
        if (strlen(twins[n].name) == length && strncmp(name, twins[n].name, length) == 0 &&
            LLVMGetNumArgOperands(call) == twins[n].operands && has_one_type(call))
            return build_intrinsic(in, call, twins[n].twin);
    return NULL;
}

/* The others are left, and have no body. */
static void replace_opencl(const struct input *in, LLVMValueRef call)
{
    LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));
    const char *name = function && LLVMIsDeclaration(function) ? LLVMGetValueName2(function, &(size_t){0}) : "";
    if (strncmp(name, "_Z", 2) != 0 || !isdigit((unsigned char)name[2]) ||
        LLVMGetCalledFunctionType(call) != LLVMGlobalGetValueType(function))
        return;
    char *plain;
    size_t length = strtoul(name + 2, &plain, 10);
    if (length > strlen(plain))
        return;
    LLVMPositionBuilderBefore(in->builder, call);
    LLVMSetCurrentDebugLocation2(in->builder, LLVMInstructionGetDebugLoc(call));
    LLVMValueRef made = build_twin(in, call, plain, length);
    if (!made)
        return;
    LLVMReplaceAllUsesWith(call, made);
    LLVMInstructionEraseFromParent(call);
}

/* --- functions of LLVM ---------------------------------------------------------------------------------------------
 */

/* Functions that Gen's math instructions approximate, as Intel's front ends mean them. */
static const struct {
    const char *name;
    enum genx_id twin;
} math[] = {{"llvm.cos.", GENX_COS}, {"llvm.sin.", GENX_SIN}, {"llvm.exp2.", GENX_EXP}, {"llvm.log2.", GENX_LOG}};

static void replace_math(const struct input *in, LLVMValueRef call)
{
    LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));
    LLVMTypeRef type = type_element(LLVMTypeOf(call));
    if (!function || !type || LLVMGetTypeKind(type) == LLVMDoubleTypeKind)
        return;
    for (size_t n = 0; n < sizeof math / sizeof *math; n++) {
        if (!ir_is_named(function, math[n].name))
            continue;
        LLVMValueRef operand = LLVMGetOperand(call, 0);
        LLVMPositionBuilderBefore(in->builder, call);
        LLVMSetCurrentDebugLocation2(in->builder, LLVMInstructionGetDebugLoc(call));
        LLVMReplaceAllUsesWith(call, genx_build(in->builder, in->module, math[n].twin, LLVMTypeOf(call), &operand, 1));
        LLVMInstructionEraseFromParent(call);
        return;
    }
}

bool input_calls(const struct input *in)
{
    for (LLVMValueRef next, f = LLVMGetFirstFunction(in->module); f; f = next) {
        next = LLVMGetNextFunction(f);
        if (LLVMIsDeclaration(f) && ir_is_named(f, "llvm.genx.") && has_marks(f) && !restore_function(in, f))
            return false;
    }
    FOR_EACH_FUNCTION(f, in->module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_REMOVABLE(i, block)
    if (LLVMIsACallInst(i))
        replace_opencl(in, i);
    FOR_EACH_FUNCTION(f, in->module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_REMOVABLE(i, block)
    if (LLVMIsACallInst(i))
        replace_math(in, i);
    ir_forget_functions();
    return true;
}
