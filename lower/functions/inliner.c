/* Inlines functions from the innermost outwards and simplifies each once, before it is copied: its temporaries are
 * values and its constant conditions are folded by then. The headers' operators, several calls deep, are a few
 * instructions when they reach the kernel, however often it uses them. */
#include <stdlib.h>
#include "lower/functions/functions.h"
#include "lower/functions/inline_body.h"
#include "lower/functions/inliner.h"
#include "lower/ir/effects.h"
#include "lower/memory/mem2reg.h"
#include "lower/memory/sroa.h"
#include "lower/passes.h"
#include "lower/scalar/cse.h"

struct calls {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    struct pointer_map bodies; /* from functions to bodies that are ready to be copied, NULL while in progress */
    unsigned noinline_kind, optnone_kind;
    bool simplified, divergent, traced, left;
};

static bool has_attribute(LLVMValueRef function, unsigned kind)
{
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind) != NULL;
}

/* False if inlining all calls costs less than simplifying first: called once, or short. */
static bool is_worth_sharing(LLVMValueRef function)
{
    enum { FEW = 32 };
    unsigned count = 0;
    if (ir_has_one_use(function))
        return false;
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    if (++count > FEW)
        return true;
    return false;
}

static void simplify(struct calls *c, LLVMValueRef function)
{
    if (!c->simplified || has_attribute(function, c->optnone_kind) || function_is_lowered(function))
        return; /* later passes simplify functions that stay */
    sroa_function(c->module, c->builder, function);
    mem2reg_function(function);
    if (!c->divergent && is_worth_sharing(function))
        scalar_share_equal_values(function, OF_PARAMETERS);
    else
        ir_remove_unused(function);
}

/* Returns the body of the called function; NULL: the call stays. */
static const struct body *body_of_call(struct calls *c, LLVMValueRef call)
{
    LLVMValueRef callee = function_called(call);
    size_t body = 0;
    if (has_attribute(callee, c->noinline_kind))
        return NULL;
    if (body_can_be_copied(callee))
        pointer_map_get(&c->bodies, callee, &body);
    c->left |= !body;
    return (const struct body *)body;
}

/* Inlines into `function`, after inlining into its callees. */
static void inline_into(struct calls *c, LLVMValueRef function)
{
    LLVMValueRef *calls = NULL;
    size_t count = 0, capacity = 0;
    pointer_map_set(&c->bodies, function, (size_t)NULL);
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    if (function_called(i))
        ARRAY_PUSH(calls, count, capacity, i);
    for (size_t n = 0; n < count; n++) {
        if (!pointer_map_get(&c->bodies, function_called(calls[n]), &(size_t){0}))
            inline_into(c, function_called(calls[n]));
        const struct body *body = body_of_call(c, calls[n]);
        if (body)
            body_inline(body, c->builder, calls[n]);
    }
    free(calls);
    simplify(c, function);
    struct body *body = ir_calloc(1, sizeof *body);
    body_describe(body, function, c->traced);
    pointer_map_set(&c->bodies, function, (size_t)body);
}

/* True if other functions call it, or its address is taken. */
static bool is_called(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user) || LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) != function)
            return true;
    }
    return false;
}

/* Deletes functions without callers, and then those that only they called. */
static void delete_unused(LLVMModuleRef module)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (LLVMValueRef next, f = LLVMGetFirstFunction(module); f; f = next) {
            next = LLVMGetNextFunction(f);
            if (LLVMIsDeclaration(f) || LLVMGetLinkage(f) != LLVMInternalLinkage || is_called(f))
                continue;
            LLVMDeleteFunction(f);
            changed = true;
        }
    }
    ir_forget_functions();
}

bool inline_module_calls(LLVMModuleRef module, bool simplified, bool divergent, bool traced)
{
    struct calls c = {.module = module,
                      .simplified = simplified,
                      .divergent = divergent,
                      .traced = traced,
                      .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module)),
                      .noinline_kind = LLVMGetEnumAttributeKindForName("noinline", 8),
                      .optnone_kind = LLVMGetEnumAttributeKindForName("optnone", 7)};
    delete_unused(module);
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f) && !pointer_map_get(&c.bodies, f, &(size_t){0}))
        inline_into(&c, f);
    for (size_t n = 0; n < c.bodies.capacity; n++)
        if (c.bodies.slots[n].key) {
            body_free((struct body *)c.bodies.slots[n].value);
            free((struct body *)c.bodies.slots[n].value);
        }
    pointer_map_free(&c.bodies);
    LLVMDisposeBuilder(c.builder);
    delete_unused(module);
    return !c.left;
}
