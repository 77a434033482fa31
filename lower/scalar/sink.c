/* Sinks computations towards their uses to shorten live ranges: updates of loop counters, and wide masks.
 *
 * Loop counters: the next value is computed after the last use of the present one, so that both share one register.
 *
 *     n = i + 1;  if (i < 23) ...  i = n        if (i < 23) ...  i = i + 1
 *
 * Masks of more than 16 lanes: right before their use. Gen9 and Gen11 have two predicates of 32 lanes; if more are live
 * at once, they are moved to general registers and back. */
#include "lower/ir/ir.h"
#include "lower/passes.h"

static bool is_phi_of(LLVMValueRef value, LLVMValueRef next)
{
    if (!LLVMIsAPHINode(value))
        return false;
    for (unsigned k = 0; k < LLVMCountIncoming(value); k++)
        if (LLVMGetIncomingValue(value, k) == next)
            return true;
    return false;
}

static bool uses(LLVMValueRef user, LLVMValueRef value)
{
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(user); k++)
        if (LLVMGetOperand(user, k) == value)
            return true;
    return false;
}

/* Returns the instruction before which `next` can be computed: its first user in the block, or the block's end. NULL:
 * the counter `this` has no use before that. */
static LLVMValueRef counter_place(LLVMValueRef next, LLVMValueRef this)
{
    bool looked = false;
    for (LLVMValueRef i = LLVMGetNextInstruction(next); i; i = LLVMGetNextInstruction(i)) {
        if (LLVMIsATerminatorInst(i) || uses(i, next))
            return looked ? i : NULL;
        looked = looked || uses(i, this);
    }
    return NULL;
}

/* Returns the first user of a wide mask in its block, if only other masks come before it. */
static LLVMValueRef mask_place(LLVMValueRef compare)
{
    bool later = false;
    for (LLVMValueRef i = LLVMGetNextInstruction(compare); i && !LLVMIsATerminatorInst(i);
         i = LLVMGetNextInstruction(i)) {
        if (uses(i, compare))
            return later ? i : NULL;
        later = later || !LLVMIsACmpInst(i);
    }
    return NULL;
}

static LLVMValueRef late_place(LLVMValueRef i)
{
    if ((LLVMIsAICmpInst(i) || LLVMIsAFCmpInst(i)) && type_lanes(LLVMTypeOf(i)) > 16)
        return mask_place(i);
    bool counts =
        LLVMIsABinaryOperator(i) && LLVMIsConstant(LLVMGetOperand(i, 1)) && is_phi_of(LLVMGetOperand(i, 0), i);
    return counts ? counter_place(i, LLVMGetOperand(i, 0)) : NULL;
}

bool pass_sink(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(kernel, module)
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_REMOVABLE(i, block)
    {
        LLVMValueRef place = late_place(i);
        if (!place)
            continue;
        LLVMInstructionRemoveFromParent(i);
        LLVMPositionBuilderBefore(builder, place);
        LLVMInsertIntoBuilder(builder, i);
    }
    LLVMDisposeBuilder(builder);
    return true;
}
