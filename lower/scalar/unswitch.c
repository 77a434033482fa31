/* Loop unswitching: a loop-invariant condition is decided once, in front of a copy of the loop for each outcome. The
 * unroller, which runs next, would otherwise copy the branch into each iteration. LLVM's simple-loop-unswitch makes the
 * copies. It only sees conditions that are computed outside the loop: this file moves them there. LLVM's pass is not
 * run if there is none. */
#include "lower/analysis/loops.h"
#include "lower/passes.h"

enum { MOST_DEPTH = 4 }; /* of conditions that consist of conditions */

static bool is_outside(const struct loops *l, const struct loop *loop, LLVMValueRef value)
{
    return !LLVMIsAInstruction(value) || !loop->members[cfg_number(&l->cfg, LLVMGetInstructionParent(value))];
}

static bool is_movable(LLVMValueRef i)
{
    if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind)
        return false;
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    return LLVMIsACmpInst(i) || op == LLVMAnd || op == LLVMOr || op == LLVMXor || op == LLVMTrunc;
}

/* True if a value is the same in all iterations. */
static bool is_invariant(const struct loops *l, const struct loop *loop, LLVMValueRef value, int depth)
{
    if (is_outside(l, loop, value))
        return true;
    if (depth == MOST_DEPTH || !is_movable(value))
        return false;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(value); k++)
        if (!is_invariant(l, loop, LLVMGetOperand(value, k), depth + 1))
            return false;
    return true;
}

/* Returns the only block outside that leads to the loop; NULL: there are several. */
static LLVMBasicBlockRef block_before(const struct loops *l, const struct loop *loop)
{
    LLVMBasicBlockRef before = NULL;
    for (unsigned k = 0; k < l->cfg.predecessor_count[loop->header]; k++) {
        unsigned from = l->cfg.predecessors[loop->header][k];
        if (loop->members[from])
            continue;
        if (before)
            return NULL;
        before = l->cfg.blocks[from];
    }
    return before;
}

/* Moves a loop-invariant value, after its operands, to the builder's position. */
static void move_out(const struct loops *l, const struct loop *loop, LLVMBuilderRef builder, LLVMValueRef value)
{
    if (is_outside(l, loop, value))
        return;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(value); k++)
        move_out(l, loop, builder, LLVMGetOperand(value, k));
    LLVMInstructionRemoveFromParent(value);
    LLVMInsertIntoBuilder(builder, value);
}

/* Moves the loop-invariant conditions of one loop in front of it. True: there is such a condition. */
static bool move_conditions(const struct loops *l, const struct loop *loop, LLVMBuilderRef builder)
{
    LLVMBasicBlockRef before = block_before(l, loop);
    bool any = false;
    for (unsigned block = 0; before && block < l->cfg.count; block++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(l->cfg.blocks[block]);
        if (!loop->members[block] || l->cfg.successor_count[block] < 2)
            continue;
        LLVMValueRef condition = LLVMGetOperand(last, 0);
        if (LLVMIsConstant(condition) || !is_invariant(l, loop, condition, 0))
            continue;
        LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(before));
        move_out(l, loop, builder, condition);
        any = true;
    }
    return any;
}

static bool move_conditions_of(LLVMValueRef function, LLVMBuilderRef builder)
{
    struct loops loops;
    bool any = false;
    loops_find_members(&loops, function);
    for (size_t n = loops.count; n-- > 0;) /* inner loops first: a condition may leave several */
        any = move_conditions(&loops, &loops.list[n], builder) || any;
    loops_free(&loops);
    return any;
}

bool pass_unswitch(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    bool any = false;
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f))
        any = move_conditions_of(f, builder) || any;
    LLVMDisposeBuilder(builder);
    return !any || ir_run_llvm_passes(module, "function(loop-simplify,lcssa,"
                                              "loop-mssa(simple-loop-unswitch<nontrivial>),simplifycfg)");
}
