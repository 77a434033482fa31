/* Deletes loops that compute nothing that is used (loop deletion). C++ lets a compiler assume that such a loop ends. */
#include "lower/scalar/idle_loops.h"

#include "lower/analysis/loops.h"
#include "lower/ir/effects.h"

/* True if the source language promises that loops without effect end. */
static bool ends(LLVMValueRef function)
{
    static const char name[] = "mustprogress";
    unsigned kind = LLVMGetEnumAttributeKindForName(name, sizeof name - 1);
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind) != NULL;
}

static bool is_inside(const struct loops *l, const struct loop *loop, LLVMBasicBlockRef block)
{
    return loop->members[cfg_number(&l->cfg, block)];
}

/* True if only the loop's own instructions use the value. */
static bool stays_inside(const struct loops *l, const struct loop *loop, LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        if (!is_inside(l, loop, LLVMGetInstructionParent(LLVMGetUser(use))))
            return false;
    return true;
}

/* True if the block does not use memory, and leaves the loop, if at all, to *exit, which the first such block sets. A
 * loop that reads memory may wait for another thread. */
static bool is_idle_block(const struct loops *l, const struct loop *loop, unsigned block, unsigned *exit)
{
    FOR_EACH_INSTRUCTION(i, l->cfg.blocks[block])
    if (!LLVMIsATerminatorInst(i) &&
        (ir_effect_of(i, LLVMGetInstructionOpcode(i)) != EFFECT_NONE || !stays_inside(l, loop, i)))
        return false;
    if (!LLVMIsABranchInst(LLVMGetBasicBlockTerminator(l->cfg.blocks[block])))
        return false;
    for (unsigned k = 0; k < l->cfg.successor_count[block]; k++) {
        unsigned to = l->cfg.successors[block][k];
        if (loop->members[to])
            continue;
        if (*exit != CFG_NONE && *exit != to)
            return false;
        *exit = to;
    }
    return true;
}

/* Returns the value that the phi has behind the loop, wherever control leaves it; NULL: there are several, or the block
 * before the loop has one of its own. */
static LLVMValueRef value_behind(const struct loops *l, const struct loop *loop, LLVMValueRef phi)
{
    LLVMValueRef behind = NULL;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
        LLVMValueRef last = LLVMGetBasicBlockTerminator(from), value = LLVMGetIncomingValue(phi, k);
        for (unsigned n = 0; !is_inside(l, loop, from) && n < LLVMGetNumSuccessors(last); n++)
            if (LLVMGetSuccessor(last, n) == l->cfg.blocks[loop->header])
                return NULL;
        if (is_inside(l, loop, from) && behind && behind != value)
            return NULL;
        behind = is_inside(l, loop, from) ? value : behind;
    }
    return behind;
}

/* Returns the block behind an idle loop; CFG_NONE: it is not idle. */
static unsigned exit_of(const struct loops *l, const struct loop *loop)
{
    unsigned exit = CFG_NONE;
    for (unsigned b = 0; b < l->cfg.count; b++)
        if (loop->members[b] && !is_idle_block(l, loop, b, &exit))
            return CFG_NONE;
    for (LLVMValueRef i = exit == CFG_NONE ? NULL : LLVMGetFirstInstruction(l->cfg.blocks[exit]);
         i && LLVMIsAPHINode(i); i = LLVMGetNextInstruction(i))
        if (!value_behind(l, loop, i))
            return CFG_NONE;
    return exit;
}

static LLVMValueRef value_from_inside(const struct loops *l, const struct loop *loop, LLVMValueRef phi)
{
    unsigned k = 0;
    while (!is_inside(l, loop, LLVMGetIncomingBlock(phi, k)))
        k++;
    return LLVMGetIncomingValue(phi, k);
}

/* Lets `from` branch to `exit` instead of the loop. */
static void leave_out(const struct loops *l, const struct loop *loop, unsigned from, unsigned exit)
{
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(l->cfg.blocks[from]);
    for (unsigned n = 0; n < LLVMGetNumSuccessors(branch); n++) {
        if (LLVMGetSuccessor(branch, n) != l->cfg.blocks[loop->header])
            continue;
        LLVMSetSuccessor(branch, n, l->cfg.blocks[exit]);
        for (LLVMValueRef i = LLVMGetFirstInstruction(l->cfg.blocks[exit]); LLVMIsAPHINode(i);
             i = LLVMGetNextInstruction(i)) {
            LLVMValueRef value = value_from_inside(l, loop, i);
            LLVMAddIncoming(i, &value, &l->cfg.blocks[from], 1);
        }
    }
}

static void branch_around(const struct loops *l, const struct loop *loop, unsigned exit)
{
    for (unsigned k = 0; k < l->cfg.predecessor_count[loop->header]; k++)
        if (!loop->members[l->cfg.predecessors[loop->header][k]])
            leave_out(l, loop, l->cfg.predecessors[loop->header][k], exit);
}

bool scalar_bypass_idle_loops(LLVMValueRef function)
{
    struct loops l = {0};
    bool any = false;
    if (!ends(function))
        return false;
    loops_find_members(&l, function);
    for (size_t i = 0; l.reducible && i < l.count && !any; i++) {
        unsigned exit = exit_of(&l, &l.list[i]);
        if (exit != CFG_NONE) {
            branch_around(&l, &l.list[i], exit);
            any = true;
        }
    }
    loops_free(&l);
    return any;
}
