/* If-conversion: short masked blocks, which are jumped over if no lane is active, execute unconditionally under their
 * masks.
 *
 * A jump that is not taken costs as much as an operation, and so does each value that the jump must set. Only blocks
 * without effects on memory qualify whose values are not used where the mask is empty. */
#include "lower/analysis/mask_analysis.h"
#include "lower/ir/ir.h"
#include "lower/ir/region.h"
#include "lower/passes.h"
#include "lower/ir/remarks.h"

enum { MOST_INSTRUCTIONS = 8 };

/* Estimates the instructions that `i` becomes; operands of others take none. -1: it must not move. */
static int cost(LLVMValueRef i)
{
    LLVMTypeRef type = LLVMTypeOf(i);
    if (LLVMIsABranchInst(i) || region_is_read(i) || LLVMIsABitCastInst(i))
        return 0;
    if (LLVMIsACallInst(i) && (genx_call_id(i) == GENX_NONE || genx_effect(genx_call_id(i)) != 'N'))
        return -1;
    if (LLVMIsAPHINode(i) || LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMGetTypeKind(type) == LLVMVoidTypeKind)
        return -1;
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (op == LLVMUDiv || op == LLVMSDiv || op == LLVMURem || op == LLVMSRem || op == LLVMFDiv)
        return -1;
    bool written = false;
    LLVMUseRef use = LLVMGetFirstUse(i);
    if (use && !LLVMGetNextUse(use))
        written = region_is_write(LLVMGetUser(use)) && LLVMGetOperand(LLVMGetUser(use), 1) == i;
    unsigned bytes = type_is_mask(type) ? 1 : type_lanes(type) * type_element_bytes(type);
    return written ? 0 : (int)ir_instructions_for(bytes);
}

static LLVMValueRef incoming_from(LLVMValueRef phi, LLVMBasicBlockRef block)
{
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++)
        if (LLVMGetIncomingBlock(phi, k) == block)
            return LLVMGetIncomingValue(phi, k);
    return NULL;
}

/* True if `join` gets the same values from `body`, without a lane of `mask`, as from `from`; *zeros: masks that the
 * jump sets to zero. */
static bool joins_the_same(LLVMBasicBlockRef join, LLVMBasicBlockRef from, LLVMBasicBlockRef body, LLVMValueRef mask,
                           int *zeros)
{
    *zeros = 0;
    FOR_EACH_INSTRUCTION(phi, join)
    {
        if (!LLVMIsAPHINode(phi))
            break;
        LLVMValueRef done = incoming_from(phi, body), skipped = incoming_from(phi, from);
        if (!done || !skipped || !mask_is_without(done, mask, skipped))
            return false;
        *zeros += type_is_mask(LLVMTypeOf(phi));
    }
    return true;
}

static bool is_short(LLVMBasicBlockRef body, int most)
{
    int total = 0;
    FOR_EACH_INSTRUCTION(i, body)
    {
        int c = cost(i);
        total += c;
        if (c < 0 || total > most)
            return false;
    }
    return true;
}

static bool has_one_predecessor(LLVMBasicBlockRef block)
{
    unsigned count = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use; use = LLVMGetNextUse(use))
        count += LLVMIsATerminatorInst(LLVMGetUser(use)) != NULL;
    return count == 1;
}

/* Makes the jump of `from` over a short block never taken: LLVM then merges the blocks. */
static bool flatten(LLVMBasicBlockRef from)
{
    LLVMValueRef branch = LLVMGetBasicBlockTerminator(from);
    if (!LLVMIsABranchInst(branch) || !LLVMIsConditional(branch) || genx_call_id(LLVMGetCondition(branch)) != GENX_ANY)
        return false;
    LLVMBasicBlockRef body = LLVMGetSuccessor(branch, 0), join = LLVMGetSuccessor(branch, 1);
    LLVMValueRef end = LLVMGetBasicBlockTerminator(body), mask = LLVMGetOperand(LLVMGetCondition(branch), 0);
    int zeros;
    if (body == join || body == from || !has_one_predecessor(body) || !LLVMIsABranchInst(end) ||
        LLVMIsConditional(end) || LLVMGetSuccessor(end, 0) != join || !joins_the_same(join, from, body, mask, &zeros) ||
        !is_short(body, MOST_INSTRUCTIONS + zeros))
        return false;
    remark_at(branch, REMARK_IF_CONVERTED);
    LLVMSetCondition(branch, LLVMConstInt(LLVMTypeOf(LLVMGetCondition(branch)), 1, false));
    return true;
}

bool pass_if_convert(LLVMModuleRef module, const struct lower_options *options)
{
    enum { MOST_NESTED = 8 };
    bool changed = true, any = false;
    for (unsigned round = 0; changed && round < MOST_NESTED; round++) {
        changed = false;
        FOR_EACH_FUNCTION(kernel, module)
        FOR_EACH_BLOCK(block, kernel)
        changed = flatten(block) || changed;
        any = any || changed;
        if (changed && !ir_run_llvm_passes(module, "function(simplifycfg)"))
            return false;
    }
    return !any || pass_mask_simplify(module, options); /* simplifies what the jumps hid */
}
