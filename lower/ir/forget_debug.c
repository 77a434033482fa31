/* Forgets values for debuggers: see forget_debug.h. */
#include "lower/ir/forget_debug.h"

#include <stdlib.h>

/* A use of a value by an instruction. */
struct use {
    LLVMValueRef user;
    unsigned operand;
};

static bool is_tracked(LLVMValueRef value)
{
    return ir_context->options->track_values && LLVMIsAInstruction(value) &&
           LLVMGetTypeKind(LLVMTypeOf(value)) != LLVMVoidTypeKind;
}

/* Replacing all uses also replaces those in records, which LLVM-C cannot reach. The instructions then get the value
 * back, the last use first, so that the order of uses, in which passes visit them, stays. */
void ir_forget_debug(LLVMValueRef value)
{
    struct use *uses = NULL;
    size_t count = 0, capacity = 0;
    if (!is_tracked(value))
        return;
    LLVMValueRef unknown = LLVMGetPoison(LLVMTypeOf(value));
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        unsigned operand = 0; /* the operand that this use is: one with the value that is not listed yet */
        for (size_t k = 0; k < count; k++)
            operand = uses[k].user == user && uses[k].operand >= operand ? uses[k].operand + 1 : operand;
        while (LLVMGetOperand(user, operand) != value)
            operand++;
        ARRAY_PUSH(uses, count, capacity, ((struct use){user, operand}));
    }
    LLVMReplaceAllUsesWith(value, unknown);
    for (size_t k = count; k-- > 0;)
        LLVMSetOperand(uses[k].user, uses[k].operand, value);
    free(uses);
}

static bool always(void *context, LLVMValueRef value)
{
    (void)context;
    (void)value;
    return true;
}

void ir_forget_debug_of_users(LLVMValueRef value)
{
    ir_forget_debug_of_some(value, always, NULL);
}

void ir_forget_debug_of_some(LLVMValueRef value, ir_may_change *may_change, void *context)
{
    struct pointer_map known = {0};
    LLVMValueRef *list = NULL;
    size_t count = 0, capacity = 0, found;
    if (!is_tracked(value))
        return;
    pointer_map_set(&known, value, 1);
    ARRAY_PUSH(list, count, capacity, value);
    for (size_t k = 0; k < count; k++)
        for (LLVMUseRef use = LLVMGetFirstUse(list[k]); use; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            if (!is_tracked(user) || pointer_map_get(&known, user, &found) || !may_change(context, user))
                continue;
            pointer_map_set(&known, user, 1);
            ARRAY_PUSH(list, count, capacity, user);
        }
    for (size_t k = 0; k < count; k++)
        ir_forget_debug(list[k]);
    free(list);
    pointer_map_free(&known);
}

/* True for users that may not need all bits or lanes of an operand. */
static bool may_need_less(LLVMValueRef user)
{
    switch (LLVMGetInstructionOpcode(user)) {
    case LLVMTrunc:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMICmp:
    case LLVMSwitch:
    case LLVMURem:
    case LLVMSRem:
    case LLVMExtractElement:
    case LLVMInsertElement:
    case LLVMShuffleVector:
    case LLVMBitCast: return true;
    case LLVMCall: return genx_call_id(user) == GENX_NONE; /* of LLVM's own functions */
    default: return false;
    }
}

/* LLVM does not know what intrinsics of GenX compute. */
static bool may_be_changed(LLVMValueRef i)
{
    return is_tracked(i) && ir_has_one_use(i) && !LLVMIsALoadInst(i) && genx_call_id(i) == GENX_NONE;
}

/* An operand of a value that is computed in part may be so, too. Blocks are visited from the end, users first; a value
 * that is used in an earlier block goes around a loop through a phi, which needs all of it. */
void ir_forget_debug_of_parts(LLVMModuleRef module)
{
    struct pointer_map parts = {0};
    size_t found;
    if (!ir_context->options->track_values)
        return;
    FOR_EACH_FUNCTION(f, module)
    for (LLVMBasicBlockRef block = LLVMIsDeclaration(f) ? NULL : LLVMGetLastBasicBlock(f); block;
         block = LLVMGetPreviousBasicBlock(block))
        for (LLVMValueRef i = LLVMGetLastInstruction(block); i; i = LLVMGetPreviousInstruction(i)) {
            if (!may_be_changed(i))
                continue;
            LLVMValueRef user = LLVMGetUser(LLVMGetFirstUse(i));
            bool far = LLVMGetInstructionParent(user) != block; /* may be visited later than this one */
            if (!far && !may_need_less(user) && !pointer_map_get(&parts, user, &found))
                continue;
            pointer_map_set(&parts, i, 1);
            ir_forget_debug(i);
        }
    pointer_map_free(&parts);
}
