/* Lowers inline assembly, whose constraints are those of Intel's vector back end: operands of predicates become masks,
 * and an output that is modified in place also becomes an input. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <llvm-c/DebugInfo.h>
#include "lower/ir/assembly_info.h"
#include "lower/passes.h"
#include "tables/assembly.h"

static LLVMTypeRef mask_like(LLVMTypeRef type)
{
    return type_like(type, LLVMInt1TypeInContext(LLVMGetTypeContext(type)));
}

/* Returns the type of operand k: masks for predicates. NULL after an error. */
static LLVMTypeRef operand_type(LLVMValueRef call, const struct assembly *a, unsigned k, LLVMTypeRef type)
{
    enum { MOST_LANES = 32 };
    if (a->operands[k].kind != ASSEMBLY_PREDICATE)
        return type;
    if (!type_is_float(type) && LLVMGetTypeKind(type) != LLVMPointerTypeKind && type_lanes(type) <= MOST_LANES)
        return mask_like(type);
    lower_error(call, "an operand of asm in a predicate (cr) must be an integer or at most %d of them", MOST_LANES);
    return NULL;
}

static LLVMTypeRef output_type(LLVMValueRef call, const struct assembly *a, unsigned k)
{
    LLVMTypeRef type = LLVMTypeOf(call);
    return operand_type(call, a, k, a->outputs > 1 ? LLVMStructGetTypeAtIndex(type, k) : type);
}

/* Replaces uses of the old call's output k by the new call's; masks are converted to zeros and ones. */
static void take_output(LLVMBuilderRef builder, LLVMValueRef user, LLVMValueRef output)
{
    LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(user));
    if (LLVMTypeOf(output) != LLVMTypeOf(user))
        output = LLVMBuildZExt(builder, output, LLVMTypeOf(user), "");
    LLVMReplaceAllUsesWith(user, output);
}

static void replace_call(LLVMBuilderRef builder, LLVMValueRef old, LLVMValueRef call, unsigned outputs)
{
    if (outputs == 1)
        take_output(builder, old, call);
    for (LLVMUseRef use = LLVMGetFirstUse(old); outputs > 1 && use; use = LLVMGetFirstUse(old)) {
        LLVMValueRef user = LLVMGetUser(use); /* an extractvalue */
        LLVMPositionBuilderBefore(builder, user);
        take_output(builder, user, LLVMBuildExtractValue(builder, call, LLVMGetIndices(user)[0], ""));
        LLVMInstructionEraseFromParent(user);
    }
    LLVMInstructionEraseFromParent(old);
}

/* Returns the store of output k after the call; NULL: there is none. */
static LLVMValueRef store_of(LLVMValueRef call, const struct assembly *a, unsigned k)
{
    LLVMValueRef output = a->outputs == 1 ? call : NULL;
    for (LLVMUseRef use = LLVMGetFirstUse(call); !output && use; use = LLVMGetNextUse(use))
        if (LLVMGetIndices(LLVMGetUser(use))[0] == k)
            output = LLVMGetUser(use);
    for (LLVMUseRef use = output ? LLVMGetFirstUse(output) : NULL; use; use = LLVMGetNextUse(use))
        if (LLVMIsAStoreInst(LLVMGetUser(use)))
            return LLVMGetUser(use);
    return NULL;
}

/* The operands of the new call, with room for old values of outputs. */
struct call_parts {
    LLVMTypeRef results[ASSEMBLY_MOST], types[2 * ASSEMBLY_MOST];
    LLVMValueRef inputs[2 * ASSEMBLY_MOST];
    unsigned count; /* of inputs */
    char *text, *constraints;
};

/* Adds an input after the others: the old value of output k, read where the text finds it. */
static void add_old_value(LLVMBuilderRef builder, LLVMValueRef store, const struct assembly *a, unsigned k,
                          struct call_parts *parts)
{
    LLVMTypeRef type = parts->results[k];
    LLVMValueRef old = LLVMBuildLoad2(builder, type, LLVMGetOperand(store, 1), "");
    LLVMSetAlignment(old, LLVMGetAlignment(store));
    parts->types[parts->count] = type;
    parts->inputs[parts->count++] = old;
    strcat(parts->text, a->operands[k].is_unsigned ? "U" : "S");
    char tied[8], *clobbers = strstr(parts->constraints, ",~{");
    int length = snprintf(tied, sizeof tied, ",%u", k);
    if (!clobbers)
        clobbers = parts->constraints + strlen(parts->constraints);
    memmove(clobbers + length, clobbers, strlen(clobbers) + 1);
    memcpy(clobbers, tied, (size_t)length);
}

/* Converts results and inputs of the new call: masks for predicates. */
static bool convert_operands(LLVMBuilderRef builder, LLVMValueRef call, const struct assembly *a,
                             struct call_parts *parts)
{
    for (unsigned k = 0; k < a->outputs; k++)
        if (!(parts->results[k] = output_type(call, a, k)))
            return false;
    parts->count = LLVMGetNumArgOperands(call);
    for (unsigned k = 0; k < parts->count; k++) {
        LLVMValueRef input = LLVMGetOperand(call, k);
        if (!(parts->types[k] = operand_type(call, a, a->outputs + k, LLVMTypeOf(input))))
            return false;
        parts->inputs[k] =
            parts->types[k] == LLVMTypeOf(input) ? input : LLVMBuildTrunc(builder, input, parts->types[k], "");
    }
    for (unsigned k = 0; k < a->outputs; k++) {
        LLVMValueRef store = a->operands[k].in_place ? store_of(call, a, k) : NULL;
        if (store)
            add_old_value(builder, store, a, k, parts);
    }
    return true;
}

/* Rebuilds the call with masks for predicates, and with the old values of outputs that are modified in place. */
static bool rebuild_call(LLVMBuilderRef builder, LLVMValueRef call, const struct assembly *a)
{
    LLVMValueRef old = LLVMGetCalledValue(call);
    size_t length, size;
    const char *text = LLVMGetInlineAsmAsmString(old, &length), *list = LLVMGetInlineAsmConstraintString(old, &size);
    enum { MORE = 4 }; /* characters for each output */
    struct call_parts parts = {.text = ir_calloc(length + MORE * a->outputs + 1, 1),
                               .constraints = ir_calloc(size + MORE * a->outputs + 1, 1)};
    memcpy(parts.text, text, length);
    memcpy(parts.constraints, list, size);
    LLVMPositionBuilderBefore(builder, call);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(call));
    bool ok = convert_operands(builder, call, a, &parts);
    if (ok) {
        LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(call));
        LLVMTypeRef result = a->outputs > 1    ? LLVMStructTypeInContext(context, parts.results, a->outputs, false)
                             : a->outputs == 1 ? parts.results[0]
                                               : LLVMVoidTypeInContext(context);
        LLVMTypeRef type = LLVMFunctionType(result, parts.types, parts.count, false);
        LLVMValueRef assembly =
            LLVMGetInlineAsm(type, parts.text, strlen(parts.text), parts.constraints, strlen(parts.constraints),
                             LLVMGetInlineAsmHasSideEffects(old), false, LLVMInlineAsmDialectATT, false);
        replace_call(builder, call, LLVMBuildCall2(builder, type, assembly, parts.inputs, parts.count, ""), a->outputs);
    }
    free(parts.text);
    free(parts.constraints);
    return ok;
}

static bool needs_rebuilding(const struct assembly *a)
{
    bool needs = false;
    for (unsigned k = 0; k < a->count; k++)
        needs = needs || a->operands[k].kind == ASSEMBLY_PREDICATE || a->operands[k].in_place;
    return needs;
}

bool pass_assembly(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    LLVMValueRef *calls = NULL;
    size_t count = 0, capacity = 0;
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_INSTRUCTION(i, block)
    if (assembly_is(i))
        ARRAY_PUSH(calls, count, capacity, i);
    bool ok = true;
    for (size_t n = 0; ok && n < count; n++) {
        struct assembly a;
        ok = assembly_of(calls[n], &a) && (!needs_rebuilding(&a) || rebuild_call(builder, calls[n], &a));
    }
    free(calls);
    LLVMDisposeBuilder(builder);
    return ok;
}
