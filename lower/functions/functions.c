/* Changes the calling convention of functions that are not inlined: from Clang's, which passes objects in memory, to
 * values.
 *
 *   define void @f(ptr sret(A) %result, ptr byref(B) %b, i32 %n)      as Clang has it
 *   define { A', B' } @f(B' %b, i32 %n)                               here: A', B' are vectors that hold A, B
 *
 * The body finds the values in variables of its own, which block "enter" fills and block "leave" reads; it returns by a
 * call of `cm.return` with the results, so that LLVM builds no structs. Callers extract results right after the call.
 * Globals are private to a thread; they are passed and returned too. */
#include "lower/functions/functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/analysis/global_uses.h"
#include "lower/cm/shared_memory.h"
#include "lower/functions/parameters.h"

struct rewriting {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    const struct signatures *signatures;
};

static void set_number_attribute(LLVMValueRef function, unsigned parameter, const char *name, size_t number)
{
    char text[24];
    int length = snprintf(text, sizeof text, "%zu", number);
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    LLVMAddAttributeAtIndex(function, parameter + 1,
                            LLVMCreateStringAttribute(context, name, (unsigned)strlen(name), text, (unsigned)length));
}

/* ---- which functions are changed ---- */

/* Returns a use of the function other than a call, or a call that passes the address of a variable; NULL: there is
 * none. */
static LLVMValueRef unsuitable_use(const struct signature *signature)
{
    for (LLVMUseRef use = LLVMGetFirstUse(signature->function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef call = LLVMGetUser(use);
        if (function_called(call) != signature->function)
            return call; /* its address is taken */
        for (unsigned i = 0; i < signature->count; i++)
            if (signature->parameters[i].passing == PASS_VALUE &&
                LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) == LLVMPointerTypeKind &&
                function_may_be_private(LLVMGetOperand(call, i), 4))
                return call;
    }
    return NULL;
}

/* Shared memory is laid out per kernel. */
static bool lays_out_memory(LLVMValueRef function)
{
    for (LLVMValueRef g = LLVMGetFirstGlobal(LLVMGetGlobalParent(function)); g; g = LLVMGetNextGlobal(g))
        if (ir_is_shared_variable(g) && global_used_in(function, g))
            return true;
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    if (builtin_call_id(i) == BUILTIN_slm_init || builtin_call_id(i) == BUILTIN_slm_alloc)
        return true;
    return false;
}

bool functions_drop_unsuitable(LLVMModuleRef module)
{
    bool dropped = false;
    FOR_EACH_FUNCTION(f, module)
    {
        struct signature signature;
        if (function_call_kind(f) != CALL_SUBROUTINE)
            continue;
        if (!signature_describe(module, f, &signature) || unsuitable_use(&signature) || lays_out_memory(f)) {
            LLVMRemoveStringAttributeAtIndex(f, LLVMAttributeFunctionIndex, "cm-call", 7);
            dropped = true;
        }
        signature_free(&signature);
    }
    return dropped;
}

/* Stack functions cannot be inlined instead. */
static bool check_on_stack(const struct signatures *signatures)
{
    for (size_t i = 0; i < signatures->count; i++) {
        const struct signature *s = &signatures->all[i];
        bool on_stack = function_call_kind(s->function) == CALL_STACK;
        LLVMValueRef use = on_stack ? unsuitable_use(s) : NULL;
        if (use)
            return lower_error(use, "the address of a variable goes to a function that is called on the stack "
                                    "(_GENX_STACKCALL_): it takes references");
        if (on_stack && lays_out_memory(s->function))
            return lower_error(function_start(s->function),
                               "a function that is called on the stack (_GENX_STACKCALL_) allocates shared memory: its "
                               "kernels do that");
    }
    return true;
}

/* ---- the function ---- */

static LLVMTypeRef function_type(const struct rewriting *r, const struct signature *s)
{
    LLVMContextRef context = LLVMGetModuleContext(r->module);
    size_t most = s->count + s->global_count + 1, in = 0, out = 0;
    LLVMTypeRef *types = ir_calloc(2 * most, sizeof *types), *results = types + most;
    LLVMTypeRef returned = LLVMGetReturnType(LLVMGlobalGetValueType(s->function));
    if (LLVMGetTypeKind(returned) != LLVMVoidTypeKind)
        results[out++] = type_is_mask(returned) ? LLVMInt8TypeInContext(context) : returned;
    for (unsigned i = 0; i < s->count; i++) {
        if (s->parameters[i].in)
            types[in++] = s->parameters[i].type;
        if (s->parameters[i].out)
            results[out++] = s->parameters[i].type;
    }
    for (size_t i = 0; i < s->global_count; i++) {
        types[in++] = s->globals[i].type;
        if (s->globals[i].out)
            results[out++] = s->globals[i].type;
    }
    LLVMTypeRef result =
        out ? LLVMStructTypeInContext(context, results, (unsigned)out, false) : LLVMVoidTypeInContext(context);
    LLVMTypeRef type = LLVMFunctionType(result, types, (unsigned)in, false);
    free(types);
    return type;
}

static LLVMTypeRef reference_type(const struct rewriting *r)
{
    return LLVMPointerTypeInContext(LLVMGetModuleContext(r->module), 0);
}

/* Returns the offsets 0, size, 2 * size ... of contiguous lanes. */
static LLVMValueRef side_by_side(const struct rewriting *r, LLVMTypeRef lanes)
{
    LLVMTypeRef i16 = LLVMInt16TypeInContext(LLVMGetModuleContext(r->module));
    unsigned count = type_lanes(lanes);
    LLVMValueRef *offsets = ir_calloc(count, sizeof *offsets);
    for (unsigned k = 0; k < count; k++)
        offsets[k] = LLVMConstInt(i16, k * type_element_bytes(lanes), false);
    LLVMValueRef vector = LLVMConstVector(offsets, count);
    free(offsets);
    return vector;
}

/* Creates a variable that replaces the parameter in the body; *storage: the variable that keeps its value. */
static LLVMValueRef parameter_variable(const struct rewriting *r, const struct signature_parameter *p,
                                       LLVMValueRef *storage)
{
    if (p->passing == PASS_COPY)
        return *storage = LLVMBuildAlloca(r->builder, p->memory, "");
    LLVMTypeRef lanes = LLVMArrayType2(LLVMGetElementType(p->type), type_lanes(p->type));
    *storage = LLVMBuildAlloca(r->builder, lanes, "");
    LLVMValueRef reference = LLVMBuildAlloca(r->builder, p->memory, "");
    LLVMBuildStore(r->builder, *storage, LLVMBuildStructGEP2(r->builder, p->memory, reference, 0, ""));
    LLVMBuildStore(r->builder, side_by_side(r, p->type), LLVMBuildStructGEP2(r->builder, p->memory, reference, 1, ""));
    return reference;
}

static void move_allocas(LLVMBasicBlockRef from, LLVMBuilderRef builder)
{
    FOR_EACH_REMOVABLE(i, from)
    {
        if (!LLVMIsAAllocaInst(i))
            continue;
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(builder, i);
    }
}

/* Fills `enter`: creates variables for the parameters and replaces the old parameters by them. */
static void build_enter(const struct rewriting *r, const struct signature *s, LLVMValueRef function,
                        LLVMValueRef *storage)
{
    unsigned next = 0;
    for (unsigned i = 0; i < s->count; i++) {
        const struct signature_parameter *p = &s->parameters[i];
        LLVMValueRef old = LLVMGetParam(s->function, i), value = p->in ? LLVMGetParam(function, next++) : NULL;
        size_t length;
        const char *name = LLVMGetValueName2(old, &length);
        if (value)
            LLVMSetValueName2(value, name, length);
        if (p->passing != PASS_VALUE) {
            LLVMValueRef variable = parameter_variable(r, p, &storage[i]);
            if (value)
                LLVMBuildStore(r->builder, value, storage[i]);
            value = variable;
        } else if (LLVMGetTypeKind(LLVMTypeOf(old)) == LLVMPointerTypeKind) {
            value = LLVMBuildIntToPtr(r->builder, value, LLVMTypeOf(old), "");
        } else if (LLVMTypeOf(old) != LLVMTypeOf(value)) {
            value = LLVMBuildTrunc(r->builder, value, LLVMTypeOf(old), "");
        }
        LLVMReplaceAllUsesWith(old, value);
    }
    for (size_t i = 0; i < s->global_count; i++)
        LLVMBuildStore(r->builder, LLVMGetParam(function, next++), s->globals[i].variable);
}

/* Records which of the function's last parameters and results are global variables. */
static void mark_globals(const struct signature *s, LLVMValueRef function)
{
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    unsigned parameter = LLVMCountParams(function);
    unsigned result = LLVMGetTypeKind(type) == LLVMStructTypeKind ? LLVMCountStructElementTypes(type) : 0;
    for (size_t i = s->global_count; i-- > 0;) {
        size_t number = 0;
        for (LLVMValueRef g = LLVMGetPreviousGlobal(s->globals[i].variable); g; g = LLVMGetPreviousGlobal(g))
            number++;
        set_number_attribute(function, --parameter, "cm-global", number);
        if (s->globals[i].out)
            set_number_attribute(function, parameter, "cm-global-result", --result);
    }
}

static void build_return_marker(const struct rewriting *r, const struct signature *s, LLVMValueRef function,
                                LLVMValueRef returned, LLVMValueRef *storage)
{
    LLVMContextRef context = LLVMGetModuleContext(r->module);
    LLVMTypeRef result = LLVMGetReturnType(LLVMGlobalGetValueType(function));
    LLVMTypeRef *types = ir_calloc(s->count + s->global_count + 1, sizeof *types);
    LLVMValueRef *values = ir_calloc(s->count + s->global_count + 1, sizeof *values);
    unsigned count = 0;
    if (returned)
        values[count++] = LLVMBuildLoad2(r->builder, LLVMGetAllocatedType(returned), returned, "");
    for (unsigned i = 0; i < s->count; i++)
        if (s->parameters[i].out)
            values[count++] = LLVMBuildLoad2(r->builder, s->parameters[i].type, storage[i], "");
    for (size_t i = 0; i < s->global_count; i++)
        if (s->globals[i].out)
            values[count++] = LLVMBuildLoad2(r->builder, s->globals[i].type, s->globals[i].variable, "");
    if (LLVMGetTypeKind(result) == LLVMVoidTypeKind) {
        LLVMBuildRetVoid(r->builder);
    } else {
        LLVMGetStructElementTypes(result, types);
        LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), types, count, false);
        LLVMBuildCall2(r->builder, type, LLVMAddFunction(r->module, FUNCTION_RETURN_MARKER, type), values, count, "");
        LLVMBuildRet(r->builder, LLVMGetUndef(result));
    }
    free(types);
    free(values);
}

static void return_to_marker(const struct rewriting *r, LLVMValueRef function, LLVMBasicBlockRef leave,
                             LLVMValueRef returned)
{
    FOR_EACH_BLOCK(block, function)
    {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
        if (block == leave || !last || !LLVMIsAReturnInst(last))
            continue;
        LLVMPositionBuilderBefore(r->builder, last);
        LLVMSetCurrentDebugLocation2(r->builder, LLVMInstructionGetDebugLoc(last));
        if (returned) {
            LLVMValueRef value = LLVMGetOperand(last, 0);
            if (LLVMTypeOf(value) != LLVMGetAllocatedType(returned))
                value = LLVMBuildZExt(r->builder, value, LLVMGetAllocatedType(returned), "");
            LLVMBuildStore(r->builder, value, returned);
        }
        LLVMBuildBr(r->builder, leave);
        LLVMInstructionEraseFromParent(last);
    }
}

static void copy_attributes(LLVMValueRef from, LLVMValueRef to, LLVMAttributeIndex index)
{
    LLVMAttributeRef attributes[64];
    unsigned count = LLVMGetAttributeCountAtIndex(from, index);
    if (count > sizeof attributes / sizeof *attributes)
        return;
    LLVMGetAttributesAtIndex(from, index, attributes);
    for (unsigned i = 0; i < count; i++)
        LLVMAddAttributeAtIndex(to, index, attributes[i]);
}

LLVMValueRef functions_move(LLVMModuleRef module, LLVMValueRef old, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMAddFunction(module, "", type);
    LLVMBasicBlockRef block;
    LLVMSetLinkage(function, LLVMInternalLinkage);
    copy_attributes(old, function, LLVMAttributeFunctionIndex);
    function_copy_definition(old, function);
    while ((block = LLVMGetFirstBasicBlock(old))) {
        LLVMRemoveBasicBlockFromParent(block);
        LLVMAppendExistingBasicBlock(function, block);
    }
    return function;
}

void functions_replace(LLVMValueRef old, LLVMValueRef function)
{
    size_t length;
    const char *text = LLVMGetValueName2(old, &length);
    char *name = ir_calloc(length + 1, 1);
    memcpy(name, text, length);
    LLVMDeleteFunction(old);
    ir_forget_functions();
    LLVMSetValueName2(function, name, length);
    free(name);
}

/* Builds `call` as a call of `function` with one argument more. */
static void widen_call(LLVMBuilderRef builder, LLVMValueRef call, LLVMValueRef function, LLVMValueRef argument)
{
    unsigned count = LLVMGetNumArgOperands(call);
    LLVMValueRef *arguments = ir_calloc(count + 1, sizeof *arguments);
    for (unsigned k = 0; k < count; k++)
        arguments[k] = LLVMGetOperand(call, k);
    arguments[count] = argument;
    LLVMValueRef wide = LLVMBuildCall2(builder, LLVMGlobalGetValueType(function), function, arguments, count + 1, "");
    LLVMReplaceAllUsesWith(call, wide);
    LLVMInstructionEraseFromParent(call);
    free(arguments);
}

LLVMValueRef functions_add_parameter(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef old, LLVMTypeRef type,
                                     LLVMValueRef (*argument)(LLVMBuilderRef, LLVMModuleRef, LLVMTypeRef, const void *),
                                     const void *context)
{
    unsigned count = LLVMCountParams(old);
    LLVMTypeRef old_type = LLVMGlobalGetValueType(old), *types = ir_calloc(count + 1, sizeof *types);
    LLVMGetParamTypes(old_type, types);
    types[count] = type;
    LLVMValueRef function =
        functions_move(module, old, LLVMFunctionType(LLVMGetReturnType(old_type), types, count + 1, false));
    free(types);
    for (unsigned k = 0; k < count; k++) {
        size_t length;
        const char *name = LLVMGetValueName2(LLVMGetParam(old, k), &length);
        LLVMSetValueName2(LLVMGetParam(function, k), name, length);
        copy_attributes(old, function, k + 1);
        LLVMReplaceAllUsesWith(LLVMGetParam(old, k), LLVMGetParam(function, k));
    }
    for (LLVMUseRef use; (use = LLVMGetFirstUse(old));) {
        LLVMValueRef call = LLVMGetUser(use);
        LLVMPositionBuilderBefore(builder, call);
        LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
        widen_call(builder, call, function, argument(builder, module, type, context));
    }
    functions_replace(old, function);
    return function;
}

/* Moves the body of the old function into a new one, between "enter" and "leave". */
static LLVMValueRef rewrite_function(const struct rewriting *r, const struct signature *s)
{
    LLVMContextRef context = LLVMGetModuleContext(r->module);
    LLVMValueRef function = functions_move(r->module, s->function, function_type(r, s)), returned = NULL;
    LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(function);
    LLVMBasicBlockRef enter = LLVMInsertBasicBlockInContext(context, first, "enter");
    LLVMBasicBlockRef leave = LLVMAppendBasicBlockInContext(context, function, "leave");
    LLVMValueRef *storage = ir_calloc(s->count + 1, sizeof *storage);
    LLVMSetCurrentDebugLocation2(r->builder, NULL);
    LLVMPositionBuilderAtEnd(r->builder, enter);
    LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(s->function));
    if (LLVMGetTypeKind(type) != LLVMVoidTypeKind)
        returned = LLVMBuildAlloca(r->builder, type_is_mask(type) ? LLVMInt8TypeInContext(context) : type, "");
    move_allocas(first, r->builder);
    build_enter(r, s, function, storage);
    LLVMBuildBr(r->builder, first);
    return_to_marker(r, function, leave, returned);
    LLVMSetCurrentDebugLocation2(r->builder, NULL);
    LLVMPositionBuilderAtEnd(r->builder, leave);
    build_return_marker(r, s, function, returned, storage);
    free(storage);
    mark_globals(s, function);
    return function;
}

/* ---- its calls ---- */

/* Loads address and lane offsets of a reference that is in memory. */
static void load_reference(const struct rewriting *r, const struct signature_parameter *p, LLVMValueRef reference,
                           LLVMValueRef *operands)
{
    LLVMTypeRef offsets = LLVMStructGetTypeAtIndex(p->memory, 1);
    operands[0] =
        LLVMBuildLoad2(r->builder, reference_type(r), LLVMBuildStructGEP2(r->builder, p->memory, reference, 0, ""), "");
    operands[1] = LLVMBuildLoad2(r->builder, offsets, LLVMBuildStructGEP2(r->builder, p->memory, reference, 1, ""), "");
}

static LLVMValueRef call_builtin(const struct rewriting *r, const char *name, LLVMTypeRef lanes, LLVMTypeRef result,
                                 LLVMValueRef *operands, unsigned count)
{
    char text[96];
    LLVMTypeRef types[4];
    for (unsigned k = 0; k < count; k++)
        types[k] = LLVMTypeOf(operands[k]);
    LLVMTypeRef type = LLVMFunctionType(result, types, count, false);
    snprintf(text, sizeof text, "%s.copied.%u.%c%u", name, type_lanes(lanes), type_is_float(lanes) ? 'f' : 'i',
             type_element_bits(lanes));
    LLVMValueRef function = LLVMGetNamedFunction(r->module, text);
    if (!function)
        function = LLVMAddFunction(r->module, text, type);
    return LLVMBuildCall2(r->builder, type, function, operands, count, "");
}

static LLVMValueRef read_argument(const struct rewriting *r, const struct signature_parameter *p, LLVMValueRef argument)
{
    LLVMTypeRef type = LLVMTypeOf(argument);
    LLVMValueRef operands[2];
    switch (p->passing) {
    case PASS_COPY: return LLVMBuildLoad2(r->builder, p->type, argument, "");
    case PASS_LANES:
        load_reference(r, p, argument, operands);
        return call_builtin(r, "_Z10__cm_rdref", p->type, p->type, operands, 2);
    case PASS_VALUE: break;
    }
    if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
        return LLVMBuildPtrToInt(r->builder, argument, p->type, "");
    return type == p->type ? argument : LLVMBuildZExt(r->builder, argument, p->type, "");
}

/* Writes all lanes, active or not: the function has preserved inactive lanes itself. */
static void write_argument(const struct rewriting *r, const struct signature_parameter *p, LLVMValueRef argument,
                           LLVMValueRef value)
{
    if (p->passing == PASS_COPY) {
        LLVMBuildStore(r->builder, value, argument);
        return;
    }
    LLVMContextRef context = LLVMGetModuleContext(r->module);
    LLVMValueRef operands[4];
    load_reference(r, p, argument, operands);
    operands[2] = value;
    operands[3] = LLVMConstAllOnes(LLVMVectorType(LLVMInt1TypeInContext(context), type_lanes(p->type)));
    call_builtin(r, "_Z10__cm_wrref", p->type, LLVMVoidTypeInContext(context), operands, 4);
}

static void take_results(const struct rewriting *r, const struct signature *s, LLVMValueRef old, LLVMValueRef call)
{
    unsigned next = 0, count = 0;
    LLVMTypeRef type = LLVMTypeOf(call);
    if (LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        return;
    count = LLVMCountStructElementTypes(type);
    LLVMValueRef *results = ir_calloc(count, sizeof *results);
    for (unsigned k = 0; k < count; k++)
        results[k] = LLVMBuildExtractValue(r->builder, call, k, "");
    if (LLVMGetTypeKind(LLVMTypeOf(old)) != LLVMVoidTypeKind) {
        LLVMValueRef value = results[next++];
        if (LLVMTypeOf(value) != LLVMTypeOf(old))
            value = LLVMBuildTrunc(r->builder, value, LLVMTypeOf(old), "");
        LLVMReplaceAllUsesWith(old, value);
    }
    for (unsigned i = 0; i < s->count; i++)
        if (s->parameters[i].out)
            write_argument(r, &s->parameters[i], LLVMGetOperand(old, i), results[next++]);
    for (size_t i = 0; i < s->global_count; i++)
        if (s->globals[i].out)
            LLVMBuildStore(r->builder, results[next++], s->globals[i].variable);
    free(results);
}

static void rewrite_call(const struct rewriting *r, const struct signature *s, LLVMValueRef function, LLVMValueRef old)
{
    LLVMValueRef *arguments = ir_calloc(s->count + s->global_count + 1, sizeof *arguments);
    unsigned count = 0;
    LLVMPositionBuilderBefore(r->builder, old);
    LLVMSetCurrentDebugLocation2(r->builder, LLVMInstructionGetDebugLoc(old));
    for (unsigned i = 0; i < s->count; i++)
        if (s->parameters[i].in)
            arguments[count++] = read_argument(r, &s->parameters[i], LLVMGetOperand(old, i));
    for (size_t i = 0; i < s->global_count; i++)
        arguments[count++] = LLVMBuildLoad2(r->builder, s->globals[i].type, s->globals[i].variable, "");
    LLVMValueRef call = LLVMBuildCall2(r->builder, LLVMGlobalGetValueType(function), function, arguments, count, "");
    take_results(r, s, old, call);
    LLVMInstructionEraseFromParent(old);
    free(arguments);
}

static void rewrite(const struct rewriting *r, const struct signature *s)
{
    LLVMValueRef function = rewrite_function(r, s);
    for (LLVMUseRef use; (use = LLVMGetFirstUse(s->function));)
        rewrite_call(r, s, function, LLVMGetUser(use));
    functions_replace(s->function, function);
}

bool functions_by_value(LLVMModuleRef module)
{
    struct signatures signatures;
    bool ok = signatures_find(module, &signatures) && check_on_stack(&signatures);
    struct rewriting r = {module, LLVMCreateBuilderInContext(LLVMGetModuleContext(module)), &signatures};
    for (size_t i = 0; ok && i < signatures.count; i++)
        rewrite(&r, &signatures.all[i]);
    LLVMDisposeBuilder(r.builder);
    signatures_free(&signatures);
    return ok;
}
