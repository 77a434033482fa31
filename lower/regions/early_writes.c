/* Moves region writes of what messages deliver back behind these messages. LLVM's instcombine sinks an instruction
 * with one user to the user's block. Of a matrix that is loaded before a loop and used behind it, it leaves the replies
 * before the loop: they stay in registers, and are copied to the matrix behind the loop. Beside the messages, the
 * writes cost nothing (bale/bale.c, bale_is_in_place_reply()). */
#include "lower/analysis/loops.h"
#include "lower/ir/operation_info.h"
#include "lower/ir/region.h"
#include "lower/passes.h"

struct early {
    LLVMBuilderRef builder;
    struct loops loops;
};

static bool is_nothing(LLVMValueRef value)
{
    return LLVMIsUndef(value) || LLVMIsPoison(value);
}

static unsigned bytes_of(LLVMValueRef value)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    return type_lanes(type) * type_element_bytes(type);
}

static unsigned block_of(const struct early *e, LLVMValueRef i)
{
    return cfg_number(&e->loops.cfg, LLVMGetInstructionParent(i));
}

/* Returns the reply that `write` puts into known lanes of a vector in a later block, no more often than the message is
 * sent; NULL: it does something else. */
static LLVMValueRef late_reply(const struct early *e, LLVMValueRef write)
{
    struct region r;
    if (!region_is_write(write) || !region_writes_all_lanes(write) || !region_of_call(write, &r))
        return NULL;
    LLVMValueRef reply = LLVMGetOperand(write, 1);
    if (genx_call_id(reply) == GENX_NONE || genx_effect(genx_call_id(reply)) != 'R' || !ir_has_one_use(reply))
        return NULL;
    unsigned from = block_of(e, reply), to = block_of(e, write);
    for (size_t i = 0; i < e->loops.count; i++)
        if (e->loops.list[i].members[from] && !e->loops.list[i].members[to])
            return NULL;
    return from != to && cfg_dominates(&e->loops.cfg, from, to) ? reply : NULL;
}

/* True if `write` begins a vector that fills with such replies: they take as many registers as the vector. */
static bool begins_full_vector(const struct early *e, LLVMValueRef write)
{
    unsigned bytes = 0, whole = bytes_of(write);
    for (LLVMValueRef reply; (reply = late_reply(e, write)); write = LLVMGetUser(LLVMGetFirstUse(write))) {
        bytes += bytes_of(reply);
        if (bytes >= whole || !ir_has_one_use(write))
            break;
    }
    return bytes >= whole;
}

/* Returns the instruction behind which the write may be: the later one of the reply and the old vector, both in blocks
 * that dominate it; NULL: the old vector has other users, or comes too late. */
static LLVMValueRef place_behind(const struct early *e, LLVMValueRef write, LLVMValueRef reply)
{
    LLVMValueRef old = LLVMGetOperand(write, 0);
    if (is_nothing(old))
        return begins_full_vector(e, write) ? reply : NULL;
    if (!LLVMIsAInstruction(old) || LLVMIsAPHINode(old) || !ir_has_one_use(old))
        return NULL;
    unsigned from = block_of(e, reply), at = block_of(e, old);
    if (at != from)
        return cfg_dominates(&e->loops.cfg, at, from) ? reply : NULL;
    for (LLVMValueRef i = LLVMGetNextInstruction(reply); i; i = LLVMGetNextInstruction(i))
        if (i == old)
            return old;
    return reply;
}

static void move_writes(const struct early *e, LLVMBasicBlockRef block)
{
    FOR_EACH_REMOVABLE(i, block)
    {
        LLVMValueRef reply = late_reply(e, i), behind = reply ? place_behind(e, i, reply) : NULL;
        if (!behind)
            continue;
        LLVMInstructionRemoveFromParent(i);
        LLVMPositionBuilderBefore(e->builder, LLVMGetNextInstruction(behind));
        LLVMInsertIntoBuilder(e->builder, i);
    }
}

static bool writes_from_elsewhere(LLVMValueRef i)
{
    LLVMValueRef value = region_is_write(i) ? LLVMGetOperand(i, 1) : NULL;
    return value && genx_call_id(value) != GENX_NONE && LLVMGetInstructionParent(value) != LLVMGetInstructionParent(i);
}

static bool has_late_writes(LLVMValueRef function)
{
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    if (writes_from_elsewhere(i))
        return true;
    return false;
}

bool pass_early_writes(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    struct early e = {.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
    FOR_EACH_FUNCTION(f, module)
    {
        if (!has_late_writes(f))
            continue;
        loops_find_members(&e.loops, f);
        for (unsigned b = 0; b < e.loops.cfg.count; b++)
            if (e.loops.cfg.dominator[b] != CFG_NONE)
                move_writes(&e, e.loops.cfg.blocks[b]);
        loops_free(&e.loops);
    }
    LLVMDisposeBuilder(e.builder);
    return true;
}
