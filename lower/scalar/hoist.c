/* Code hoisting: moves a message that both successors of a branch send in front of the branch, with what is computed
 * for it. The code has one message instead of two; as many are sent. The order of messages that read or write stays. A
 * switch that was lowered to comparisons has many such pairs, and a message may pass several of its branches. */
#include <stdlib.h>
#include "lower/ir/cfg.h"
#include "lower/ir/effects.h"
#include "lower/passes.h"
#include "lower/scalar/equal.h"

enum { MOST_WINDOW = 64 }; /* instructions of a block, among which an equal one is searched */

/* The effects of instructions of a block that stay in it, up to where the walk is. */
struct kept {
    bool reads, writes;
};

static void keep(struct kept *kept, LLVMValueRef i)
{
    enum ir_effect effect = ir_effect_of(i, LLVMGetInstructionOpcode(i));
    kept->reads = kept->reads || effect != EFFECT_NONE;
    kept->writes = kept->writes || effect == EFFECT_WRITES;
}

static bool passes(const struct kept *kept, LLVMValueRef i)
{
    enum ir_effect effect = ir_effect_of(i, LLVMGetInstructionOpcode(i));
    return effect == EFFECT_NONE || (effect == EFFECT_READS ? !kept->writes : !kept->reads);
}

/* True if the instruction may stand in the predecessor: it uses no value of its own block. */
static bool is_movable(LLVMValueRef i)
{
    if (LLVMIsAPHINode(i) || LLVMIsATerminatorInst(i) || LLVMIsAAllocaInst(i) || LLVMIsALoadInst(i) ||
        LLVMIsAStoreInst(i) || LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMTokenTypeKind ||
        LLVMGetNumOperands(i) > SCALAR_MOST_OPERANDS || (LLVMIsACallInst(i) && LLVMGetNumOperandBundles(i)))
        return false;
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
        LLVMValueRef operand = LLVMGetOperand(i, k);
        if (LLVMIsAInstruction(operand) && LLVMGetInstructionParent(operand) == LLVMGetInstructionParent(i))
            return false;
    }
    return true;
}

/* True for a message, for a scalar, and for a vector that only messages read. Not for an operand of a phi: each
 * successor computes it in the phi's register, and copies would be needed once it is computed before. */
static bool is_worth_moving(LLVMValueRef i)
{
    if (ir_effect_of(i, LLVMGetInstructionOpcode(i)) != EFFECT_NONE)
        return true;
    bool is_scalar = type_lanes(LLVMTypeOf(i)) == 1;
    for (LLVMUseRef use = LLVMGetFirstUse(i); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAPHINode(user) || (!is_scalar && ir_effect_of(user, LLVMGetInstructionOpcode(user)) == EFFECT_NONE))
            return false;
    }
    return true;
}

/* Returns an instruction of the other block that equals `i` and that may be moved too; NULL: there is none. */
static LLVMValueRef find_twin(LLVMBasicBlockRef other, LLVMValueRef i)
{
    LLVMValueRef operands[SCALAR_MOST_OPERANDS];
    unsigned count = (unsigned)LLVMGetNumOperands(i), searched = 0;
    for (unsigned k = 0; k < count; k++)
        operands[k] = LLVMGetOperand(i, k);
    struct kept kept = {0};
    for (LLVMValueRef twin = LLVMGetFirstInstruction(other); twin && searched < MOST_WINDOW;
         twin = LLVMGetNextInstruction(twin), searched++) {
        if (scalar_is_equal(twin, i, LLVMGetInstructionOpcode(i), operands, count) && is_movable(twin) &&
            is_worth_moving(twin) && passes(&kept, twin))
            return twin;
        keep(&kept, twin);
    }
    return NULL;
}

static void hoist_from(LLVMBuilderRef builder, LLVMValueRef branch)
{
    LLVMBasicBlockRef one = LLVMGetSuccessor(branch, 0), other = LLVMGetSuccessor(branch, 1);
    struct kept kept = {0};
    unsigned seen = 0;
    for (LLVMValueRef i = LLVMGetFirstInstruction(one), next; i && seen < MOST_WINDOW; i = next, seen++) {
        next = LLVMGetNextInstruction(i);
        LLVMValueRef twin = is_movable(i) && is_worth_moving(i) && passes(&kept, i) ? find_twin(other, i) : NULL;
        if (!twin) {
            keep(&kept, i);
            continue;
        }
        scalar_keep_common_promises(i, twin);
        LLVMPositionBuilderBefore(builder, branch);
        LLVMInstructionRemoveFromParent(i);
        LLVMInsertIntoBuilder(builder, i);
        if (LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind)
            LLVMReplaceAllUsesWith(twin, i);
        LLVMInstructionEraseFromParent(twin);
    }
}

/* The last branches first: what they end with may be hoisted again. */
static void hoist_in(LLVMValueRef function, LLVMBuilderRef builder)
{
    struct cfg cfg;
    cfg_build(&cfg, function);
    unsigned *order = ir_calloc(cfg.count, sizeof *order);
    unsigned reached = cfg_order(&cfg, order);
    for (unsigned n = reached; n-- > 0;) {
        unsigned block = order[n];
        if (cfg.successor_count[block] != 2 || !LLVMIsABranchInst(LLVMGetBasicBlockTerminator(cfg.blocks[block])))
            continue;
        unsigned one = cfg.successors[block][0], other = cfg.successors[block][1];
        if (one != other && cfg.predecessor_count[one] == 1 && cfg.predecessor_count[other] == 1)
            hoist_from(builder, LLVMGetBasicBlockTerminator(cfg.blocks[block]));
    }
    free(order);
    cfg_free(&cfg);
}

bool pass_hoist(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f))
        hoist_in(f, builder);
    LLVMDisposeBuilder(builder);
    return true;
}
