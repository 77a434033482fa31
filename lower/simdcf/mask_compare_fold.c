/* Folds an AND of a mask and a compare into one compare: selects a failing operand in the other lanes.
 *
 *     c = x < y;  m = live & c        t = live ? x : y;  m = t < y
 *
 * A select and a compare take one flag register. Two masks would be two flag registers, one of which must be moved,
 * because an instruction reads only one. The other lanes get a value for which the compare fails. */
#include <math.h>
#include "lower/analysis/goto_loops.h"
#include "lower/analysis/range.h"
#include "lower/ir/forget_debug.h"
#include "lower/ir/ir.h"
#include "lower/passes.h"

/* At most two selects: the cost of the move and the AND of masks. */
enum { MOST_SELECTIONS = 2 };

/* Returns a number for which `number <predicate> y` never holds; NULL: not known. */
static LLVMValueRef failing_integer(LLVMIntPredicate predicate, LLVMValueRef y)
{
    LLVMTypeRef type = LLVMTypeOf(y);
    struct range range = range_of_integer(y);
    int64_t most = ((int64_t)1 << (type_element_bits(type) - 1)) - 1, least = -most - 1;
    bool below = range.low > least, above = range.high < most;
    switch (predicate) {
    case LLVMIntSGT:
    case LLVMIntSLT:
    case LLVMIntUGT:
    case LLVMIntULT:
    case LLVMIntNE: return y;
    case LLVMIntSLE: return above ? constant_number(type, most) : NULL;
    case LLVMIntSGE: return below ? constant_number(type, least) : NULL;
    case LLVMIntULE: return above && range.low >= 0 ? constant_number(type, -1) : NULL;
    case LLVMIntUGE: return range.low > 0 ? constant_number(type, 0) : NULL;
    case LLVMIntEQ:
        return above ? constant_number(type, range.high + 1) : below ? constant_number(type, range.low - 1) : NULL;
    default: return NULL;
    }
}

static LLVMIntPredicate swapped(LLVMIntPredicate p)
{
    switch (p) {
    case LLVMIntSGT: return LLVMIntSLT;
    case LLVMIntSLT: return LLVMIntSGT;
    case LLVMIntSGE: return LLVMIntSLE;
    case LLVMIntSLE: return LLVMIntSGE;
    case LLVMIntUGT: return LLVMIntULT;
    case LLVMIntULT: return LLVMIntUGT;
    case LLVMIntUGE: return LLVMIntULE;
    case LLVMIntULE: return LLVMIntUGE;
    default: return p;
    }
}

static LLVMIntPredicate inverted(LLVMIntPredicate p)
{
    switch (p) {
    case LLVMIntEQ: return LLVMIntNE;
    case LLVMIntNE: return LLVMIntEQ;
    case LLVMIntSGT: return LLVMIntSLE;
    case LLVMIntSLT: return LLVMIntSGE;
    case LLVMIntSGE: return LLVMIntSLT;
    case LLVMIntSLE: return LLVMIntSGT;
    case LLVMIntUGT: return LLVMIntULE;
    case LLVMIntULT: return LLVMIntUGE;
    case LLVMIntUGE: return LLVMIntULT;
    default: return LLVMIntUGT;
    }
}

static bool is_finite_constant(LLVMValueRef y)
{
    for (unsigned k = 0; k < type_lanes(LLVMTypeOf(y)); k++) {
        LLVMBool loses;
        LLVMValueRef lane = LLVMIsConstant(y) ? LLVMGetAggregateElement(y, k) : NULL;
        if (!lane || !LLVMIsAConstantFP(lane) || !isfinite(LLVMConstRealGetDouble(lane, &loses)))
            return false;
    }
    return true;
}

/* The same for floats: a number fails "less than" itself, and NaN fails all predicates but "not equal" and the
 * unordered ones; for those infinity may do. */
static LLVMValueRef failing_float(LLVMRealPredicate predicate, LLVMValueRef y)
{
    LLVMTypeRef type = LLVMTypeOf(y);
    double fails;
    switch (predicate) {
    case LLVMRealOGT:
    case LLVMRealOLT: return y;
    case LLVMRealOGE:
    case LLVMRealOLE:
    case LLVMRealOEQ: fails = NAN; break;
    case LLVMRealULE:
    case LLVMRealULT: fails = is_finite_constant(y) ? INFINITY : 0; break;
    case LLVMRealUGE:
    case LLVMRealUGT: fails = is_finite_constant(y) ? -INFINITY : 0; break;
    default: return NULL;
    }
    return fails == 0 ? NULL : constant_splat(type, LLVMConstReal(LLVMGetElementType(type), fails));
}

static bool is_extended(LLVMValueRef value)
{
    return LLVMIsAZExtInst(value) || LLVMIsASExtInst(value);
}

/* True if the compare has only the use `use`, and a select of its lanes is as cheap as an AND of two masks. */
static bool is_guardable(LLVMValueRef compare, LLVMValueRef use)
{
    if (!LLVMIsACmpInst(compare) || LLVMGetNextUse(LLVMGetFirstUse(compare)) ||
        LLVMGetInstructionParent(compare) != LLVMGetInstructionParent(use))
        return false;
    LLVMValueRef x = LLVMGetOperand(compare, 0), y = LLVMGetOperand(compare, 1);
    LLVMTypeRef type = LLVMTypeOf(x);
    unsigned bits = type_element_bits(type);
    return (bits == 16 || bits == 32) && ir_instructions_for(type_lanes(type) * bits / 8) <= MOST_SELECTIONS &&
           !LLVMIsConstant(x) && !is_extended(x) && !is_extended(y); /* a compare reads an extended value in its narrow
                                                                      * type */
}

/* Compares live & x with y; NULL: not possible. */
static LLVMValueRef guard_integers(LLVMBuilderRef builder, LLVMValueRef live, LLVMIntPredicate predicate,
                                   LLVMValueRef x, LLVMValueRef y)
{
    LLVMValueRef left = failing_integer(predicate, y), right = left ? NULL : failing_integer(swapped(predicate), x);
    if (!left && !right)
        return NULL;
    x = left ? LLVMBuildSelect(builder, live, x, left, "") : x;
    y = left ? y : LLVMBuildSelect(builder, live, y, right, "");
    return LLVMBuildICmp(builder, predicate, x, y, "");
}

static LLVMValueRef guard_floats(LLVMBuilderRef builder, LLVMValueRef live, LLVMValueRef compare)
{
    LLVMRealPredicate predicate = LLVMGetFCmpPredicate(compare);
    LLVMValueRef x = LLVMGetOperand(compare, 0), y = LLVMGetOperand(compare, 1), other = failing_float(predicate, y);
    return other ? LLVMBuildFCmp(builder, predicate, LLVMBuildSelect(builder, live, x, other, ""), y, "") : NULL;
}

/* Replaces the rest of the mask, live ^ (live & x < y), by the opposite compare, unless that needs two flags where one
 * select suffices. */
static void guard_rests(LLVMBuilderRef builder, LLVMValueRef i, LLVMValueRef live, LLVMValueRef compare)
{
    LLVMValueRef x = LLVMGetOperand(compare, 0), y = LLVMGetOperand(compare, 1), result;
    LLVMTypeRef type = LLVMTypeOf(x);
    if (!LLVMIsAICmpInst(compare) || ir_instructions_for(type_lanes(type) * type_element_bytes(type)) > 1)
        return;
    for (LLVMUseRef use = LLVMGetFirstUse(i), next; use; use = next) {
        LLVMValueRef rest = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (!LLVMIsAInstruction(rest) || LLVMGetInstructionOpcode(rest) != LLVMXor || LLVMGetOperand(rest, 0) != live ||
            LLVMGetOperand(rest, 1) != i || LLVMGetInstructionParent(rest) != LLVMGetInstructionParent(i))
            continue;
        LLVMPositionBuilderBefore(builder, rest);
        result = guard_integers(builder, live, inverted(LLVMGetICmpPredicate(compare)), x, y);
        if (result) /* who is visited next may be `rest`: it goes with the dead values */
            LLVMReplaceAllUsesWith(rest, result);
    }
}

/* True for an AND of two compares of one instruction each, which have no other use: the finalizer makes the second one
 * under the predicate of the first one. */
static bool is_pair_of_compares(LLVMValueRef i)
{
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef compare = LLVMGetOperand(i, k);
        if (!LLVMIsACmpInst(compare) || !ir_has_one_use(compare) ||
            LLVMGetInstructionParent(compare) != LLVMGetInstructionParent(i))
            return false;
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(compare, 0));
        if (ir_instructions_for(type_lanes(type) * type_element_bytes(type)) > 1)
            return false;
    }
    return true;
}

/* Returns `i`, an AND of a mask and a compare, as one compare; NULL: not possible. */
static LLVMValueRef guarded(LLVMBuilderRef builder, LLVMValueRef i, bool logic_is_slow)
{
    LLVMValueRef result = NULL;
    if (!logic_is_slow && is_pair_of_compares(i))
        return NULL;
    for (unsigned k = 0; k < 2 && !result; k++) {
        LLVMValueRef compare = LLVMGetOperand(i, k), live = LLVMGetOperand(i, 1 - k);
        if (LLVMIsConstant(live) || !is_guardable(compare, i))
            continue;
        LLVMPositionBuilderBefore(builder, i);
        result = LLVMIsAFCmpInst(compare) ? guard_floats(builder, live, compare)
                                          : guard_integers(builder, live, LLVMGetICmpPredicate(compare),
                                                           LLVMGetOperand(compare, 0), LLVMGetOperand(compare, 1));
        if (result)
            guard_rests(builder, i, live, compare);
    }
    return result;
}

/* logic_is_slow: on predicates; see select_mask.c. */
static void guard_block(LLVMBuilderRef builder, LLVMBasicBlockRef block, bool logic_is_slow)
{
    FOR_EACH_REMOVABLE(i, block)
    {
        LLVMTypeRef type = LLVMTypeOf(i);
        if (LLVMGetInstructionOpcode(i) != LLVMAnd || LLVMGetTypeKind(type) != LLVMVectorTypeKind ||
            !type_is_mask(type))
            continue;
        LLVMValueRef compare = guarded(builder, i, logic_is_slow);
        if (!compare)
            continue;
        ir_forget_debug_of_users(i);
        LLVMReplaceAllUsesWith(i, compare);
        LLVMInstructionEraseFromParent(i);
    }
}

bool pass_mask_compare_fold(LLVMModuleRef module, const struct lower_options *options)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(f, module)
    {
        if (LLVMIsDeclaration(f))
            continue;
        struct cfg cfg;
        struct goto_loops channels;
        cfg_build(&cfg, f);
        goto_loops_plan(&channels, &cfg, options);
        bool is_fused = platform_has(options->platform, FEATURE_FUSED_EU_NOMASK), is_kernel = function_is_kernel(f);
        if (is_fused)
            cfg_find_post_dominators(&cfg);
        for (unsigned b = 0; b < cfg.count; b++)
            if (!channels.live[b]) /* in goto loops the execution mask does it */
                guard_block(builder, cfg.blocks[b], is_fused && !(is_kernel && cfg_runs_once(&cfg, b)));
        goto_loops_free(&channels);
        cfg_free(&cfg);
    }
    LLVMDisposeBuilder(builder);
    return true;
}
