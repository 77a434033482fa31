/* Decides which instructions have side effects and deletes unused ones that have none: see effects.h. */
#include "lower/ir/effects.h"

static LLVMAttributeRef attribute(LLVMValueRef function, unsigned kind)
{
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
}

static bool function_has_no_effect(LLVMValueRef function, bool may_read)
{
    enum { READ_ANYTHING = 0x15 }; /* two bits for each kind of memory: reads */
    const struct ir_context *c = ir_context;
    LLVMAttributeRef memory = attribute(function, c->memory_kind);
    if (!memory || (LLVMGetEnumAttributeValue(memory) & ~(uint64_t)(may_read ? READ_ANYTHING : 0)))
        return false;
    return attribute(function, c->nounwind_kind) && attribute(function, c->willreturn_kind) &&
           !attribute(function, c->convergent_kind);
}

bool ir_call_has_no_effect(LLVMValueRef call, bool may_read)
{
    enum genx_id id = genx_call_id(call);
    if (id != GENX_NONE) /* the declaration's attributes say the same */
        return genx_effect(id) == 'N' || (may_read && genx_effect(id) == 'R');
    LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));
    return function && function_has_no_effect(function, may_read);
}

bool ir_is_without_effect(LLVMValueRef i)
{
    if (LLVMIsATerminatorInst(i))
        return false;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMStore:
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return false;
    case LLVMLoad: return !LLVMGetVolatile(i);
    case LLVMCall: return ir_call_has_no_effect(i, true);
    default: return true;
    }
}

void ir_remove_unused(LLVMValueRef function)
{
    for (LLVMBasicBlockRef block = LLVMGetLastBasicBlock(function); block; block = LLVMGetPreviousBasicBlock(block))
        for (LLVMValueRef before, i = LLVMGetLastInstruction(block); i; i = before) {
            before = LLVMGetPreviousInstruction(i);
            if (!LLVMGetFirstUse(i) && ir_is_without_effect(i))
                LLVMInstructionEraseFromParent(i);
        }
}
