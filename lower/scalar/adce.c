/* Removes dead values: those without users, and phis around loops that only use each other. Loops without effect are
 * bypassed, and LLVM's simplifycfg deletes their blocks. If a block becomes empty, LLVM's ADCE removes branches that no
 * longer decide anything. */
#include <stdlib.h>
#include "lower/ir/cfg.h"
#include "lower/ir/effects.h"
#include "lower/passes.h"
#include "lower/scalar/adce.h"
#include "lower/scalar/idle_loops.h"

struct needed {
    struct pointer_map seen;
    LLVMValueRef *waiting; /* live values whose operands are live too */
    size_t count, capacity;
};

/* True if values can form a cycle: only around a loop, i.e. if a block has a back edge. */
static bool joins_loops(LLVMValueRef function)
{
    struct pointer_map passed = {0};
    bool found = false;
    size_t there;
    FOR_EACH_BLOCK(block, function)
    {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
        pointer_map_set(&passed, block, true);
        for (unsigned k = 0; k < LLVMGetNumSuccessors(last); k++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(last, k);
            found = found || (LLVMIsAPHINode(LLVMGetFirstInstruction(next)) && pointer_map_get(&passed, next, &there));
        }
    }
    pointer_map_free(&passed);
    return found;
}

static void need(struct needed *n, LLVMValueRef value)
{
    size_t seen;
    if (!LLVMIsAInstruction(value) || pointer_map_get(&n->seen, value, &seen))
        return;
    pointer_map_set(&n->seen, value, true);
    ARRAY_PUSH(n->waiting, n->count, n->capacity, value);
}

static void find_needed(struct needed *n, LLVMValueRef function)
{
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    if (!ir_is_without_effect(i))
        need(n, i);
    while (n->count) {
        LLVMValueRef i = n->waiting[--n->count];
        for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++)
            need(n, LLVMGetOperand(i, k));
    }
}

/* Replaces dead phis by poison. Values that were computed with them then have no users. */
static void remove_joins(LLVMValueRef function)
{
    struct needed n = {0};
    size_t seen;
    find_needed(&n, function);
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_REMOVABLE(i, block)
    {
        if (!LLVMIsAPHINode(i))
            break;
        if (pointer_map_get(&n.seen, i, &seen))
            continue;
        LLVMReplaceAllUsesWith(i, LLVMGetPoison(LLVMTypeOf(i)));
        LLVMInstructionEraseFromParent(i);
    }
    pointer_map_free(&n.seen);
    free(n.waiting);
}

static unsigned empty_blocks(LLVMValueRef function)
{
    unsigned count = 0;
    FOR_EACH_BLOCK(block, function)
    count += LLVMIsATerminatorInst(LLVMGetFirstInstruction(block)) != NULL;
    return count;
}

bool scalar_remove_dead_values(LLVMModuleRef module)
{
    bool emptied = false, bypassed = false;
    FOR_EACH_FUNCTION(f, module)
    {
        if (LLVMIsDeclaration(f))
            continue;
        unsigned before = empty_blocks(f);
        bool loops = joins_loops(f);
        if (loops)
            remove_joins(f);
        ir_remove_unused(f);
        emptied = emptied || empty_blocks(f) > before;
        bypassed = (loops && scalar_bypass_idle_loops(f)) || bypassed;
    }
    if (bypassed)
        return ir_run_llvm_passes(module, "function(simplifycfg)") && scalar_remove_dead_values(module);
    return !emptied || ir_run_llvm_passes(module, "function(adce)");
}

bool pass_adce(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    return scalar_remove_dead_values(module);
}

bool pass_jump_threading(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(block);
        if (LLVMGetNumSuccessors(last) > 1)
            return ir_run_llvm_passes(module, "function(jump-threading)") && scalar_remove_dead_values(module);
    }
    return true;
}
