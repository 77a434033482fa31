/* Functions of the headers that are one block, most of the thousands that a kernel calls, into their callers, from the
 * innermost outwards, each simplified once: its temporaries are values by the time that it is copied. LLVM's inliner
 * and simplifier see what is left, an order of magnitude less. */
#include <stdlib.h>
#include <llvm-c/DebugInfo.h>
#include "lower/copy.h"
#include "lower/functions.h"
#include "lower/passes.h"

struct straight {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    struct pointer_map seen;
    unsigned noinline_kind, optnone_kind, byval_kind;
};

static bool has_attribute(LLVMValueRef function, unsigned index, unsigned kind)
{
    return LLVMGetEnumAttributeAtIndex(function, index, kind) != NULL;
}

/* Whether a call of `function` can be replaced by its instructions: copies take the call's place in the source, so it
 * has none of its own. */
static bool is_straight(const struct straight *s, LLVMValueRef function)
{
    LLVMBasicBlockRef block = LLVMGetEntryBasicBlock(function);
    if (LLVMGetNextBasicBlock(block) || !LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(block)) ||
        LLVMGetSubprogram(function) || has_attribute(function, LLVMAttributeFunctionIndex, s->noinline_kind) ||
        LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)))
        return false;
    for (unsigned k = 0; k < LLVMCountParams(function); k++)
        if (has_attribute(function, k + 1, s->byval_kind))
            return false;
    return true;
}

/* Variables stand in the caller's first block, before everything else. */
static void copy_variable(struct straight *s, struct pointer_map *values, LLVMValueRef variable, LLVMValueRef caller)
{
    LLVMValueRef copy = LLVMInstructionClone(variable);
    LLVMPositionBuilderBefore(s->builder, LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(caller)));
    LLVMSetCurrentDebugLocation2(s->builder, NULL);
    LLVMInsertIntoBuilder(s->builder, copy);
    pointer_map_set(values, variable, (size_t)copy);
}

static void inline_call(struct straight *s, LLVMValueRef call, LLVMValueRef function)
{
    struct pointer_map values = {0};
    LLVMBasicBlockRef body = LLVMGetEntryBasicBlock(function);
    for (unsigned k = 0; k < LLVMCountParams(function); k++)
        pointer_map_set(&values, LLVMGetParam(function, k), (size_t)LLVMGetOperand(call, k));
    FOR_EACH_INSTRUCTION(i, body)
    if (LLVMIsAAllocaInst(i))
        copy_variable(s, &values, i, LLVMGetBasicBlockParent(LLVMGetInstructionParent(call)));
    LLVMPositionBuilderBefore(s->builder, call); /* and at its line */
    FOR_EACH_INSTRUCTION(i, body)
    if (!LLVMIsAAllocaInst(i) && !LLVMIsATerminatorInst(i))
        copy_instruction(s->builder, &values, i);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(body);
    if (LLVMGetNumOperands(end) && LLVMGetFirstUse(call))
        LLVMReplaceAllUsesWith(call, copy_of(&values, LLVMGetOperand(end, 0)));
    LLVMInstructionEraseFromParent(call);
    pointer_map_free(&values);
}

static bool is_removable(LLVMValueRef i)
{
    return !LLVMGetFirstUse(i) && !LLVMIsATerminatorInst(i) && !LLVMIsACallInst(i) && !LLVMIsAStoreInst(i) &&
           !LLVMIsAFenceInst(i) && !LLVMIsAAtomicRMWInst(i) && !LLVMIsAAtomicCmpXchgInst(i) &&
           !(LLVMIsALoadInst(i) && LLVMGetVolatile(i));
}

/* What nobody uses goes, from the end, so that what only it needed goes too. */
static void remove_unused(LLVMBasicBlockRef block)
{
    for (LLVMValueRef before, i = LLVMGetLastInstruction(block); i; i = before) {
        before = LLVMGetPreviousInstruction(i);
        if (is_removable(i))
            LLVMInstructionEraseFromParent(i);
    }
}

/* `function` and before it all that it calls. */
static void inline_straight(struct straight *s, LLVMValueRef function)
{
    LLVMValueRef *calls = NULL;
    size_t count = 0, capacity = 0;
    pointer_map_set(&s->seen, function, true);
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    if (called_function(i))
        ARRAY_PUSH(calls, count, capacity, i);
    for (size_t n = 0; n < count; n++) {
        LLVMValueRef callee = called_function(calls[n]);
        if (!pointer_map_get(&s->seen, callee, &(size_t){0}))
            inline_straight(s, callee);
        if (callee != function && is_straight(s, callee))
            inline_call(s, calls[n], callee);
    }
    free(calls);
    if (has_attribute(function, LLVMAttributeFunctionIndex, s->optnone_kind))
        return;
    split_function(s->module, s->builder, function);
    forward_function(function);
    FOR_EACH_BLOCK(block, function)
    remove_unused(block);
}

void straight_functions_inline(LLVMModuleRef module)
{
    struct straight s = {.module = module,
                         .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module)),
                         .noinline_kind = LLVMGetEnumAttributeKindForName("noinline", 8),
                         .optnone_kind = LLVMGetEnumAttributeKindForName("optnone", 7),
                         .byval_kind = LLVMGetEnumAttributeKindForName("byval", 5)};
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f) && !pointer_map_get(&s.seen, f, &(size_t){0}))
        inline_straight(&s, f);
    pointer_map_free(&s.seen);
    LLVMDisposeBuilder(s.builder);
}
