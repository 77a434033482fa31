/* Decides which instructions have side effects and deletes unused ones that have none: see effects.h. */
#include "lower/ir/effects.h"

static LLVMAttributeRef attribute(LLVMValueRef function, unsigned kind)
{
    return LLVMGetEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex, kind);
}

static enum ir_effect effect_of_function(LLVMValueRef function)
{
    enum { READ_ANYTHING = 0x15 }; /* two bits for each kind of memory: reads */
    const struct ir_context *c = ir_context;
    LLVMAttributeRef memory = attribute(function, c->memory_kind);
    if (!memory || LLVMGetEnumAttributeValue(memory) & ~(uint64_t)READ_ANYTHING)
        return EFFECT_WRITES;
    if (!attribute(function, c->nounwind_kind) || !attribute(function, c->willreturn_kind) ||
        attribute(function, c->convergent_kind))
        return EFFECT_WRITES;
    return LLVMGetEnumAttributeValue(memory) ? EFFECT_READS : EFFECT_NONE;
}

static enum ir_effect effect_of_call(LLVMValueRef call)
{
    enum genx_id id = genx_call_id(call);
    if (id != GENX_NONE) { /* the declaration's attributes say the same */
        char effect = genx_effect(id);
        return effect == 'N' ? EFFECT_NONE : effect == 'R' ? EFFECT_READS : EFFECT_WRITES;
    }
    LLVMValueRef function = LLVMIsAFunction(LLVMGetCalledValue(call));
    return function ? effect_of_function(function) : EFFECT_WRITES;
}

enum ir_effect ir_effect_of(LLVMValueRef i, LLVMOpcode op)
{
    switch (op) {
    case LLVMStore:
    case LLVMFence:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg: return EFFECT_WRITES;
    case LLVMLoad: return LLVMGetVolatile(i) ? EFFECT_WRITES : EFFECT_READS;
    case LLVMCall: return effect_of_call(i);
    default: return EFFECT_NONE;
    }
}

bool ir_is_without_effect(LLVMValueRef i)
{
    return !LLVMIsATerminatorInst(i) && ir_effect_of(i, LLVMGetInstructionOpcode(i)) != EFFECT_WRITES;
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
