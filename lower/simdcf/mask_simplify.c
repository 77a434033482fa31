/* Simplifies lane masks, with facts that LLVM does not have. SIMD control flow preserves inactive lanes at every write;
 * this pass removes merges whose inactive lanes are never read, because the result is used under the same mask. It also
 * knows that `any` of an empty mask is false, and flips lanes of selects instead of their conditions. */
#include "lower/analysis/mask_analysis.h"
#include "lower/analysis/range.h"
#include "lower/ir/forget_debug.h"
#include "lower/ir/ir.h"
#include "lower/ir/region.h"
#include "lower/passes.h"
#include "lower/simdcf/flipped_selects.h"

enum { MOST_DEPTH = 6, MOST_KEEPERS = 32 };

static bool only_under(LLVMValueRef value, LLVMValueRef mask, unsigned depth);

/* True if `user` reads only lanes of `value` that are in `mask`. */
static bool looks_under(LLVMValueRef user, LLVMValueRef value, LLVMValueRef mask, unsigned depth)
{
    if (region_is_write(user))
        return LLVMGetOperand(user, 1) == value && LLVMGetOperand(user, 0) != value &&
               LLVMGetOperand(user, 7) != value && mask_of_write(user) && mask_implies(mask_of_write(user), mask);
    if (LLVMIsAInstruction(user) && LLVMGetInstructionOpcode(user) == LLVMAnd &&
        (mask_implies(LLVMGetOperand(user, 0), mask) || mask_implies(LLVMGetOperand(user, 1), mask)))
        return true;
    return ir_is_lane_wise(user) && only_under(user, mask, depth + 1);
}

static bool only_under(LLVMValueRef value, LLVMValueRef mask, unsigned depth)
{
    if (depth > MOST_DEPTH)
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        if (!looks_under(LLVMGetUser(use), value, mask, depth))
            return false;
    return true;
}

/* Phis and masked writes that carry the old lanes of a variable around although nothing reads them. */
struct keepers {
    LLVMValueRef write; /* that one's own readers are looked at apart */
    LLVMValueRef seen[MOST_KEEPERS];
    unsigned count;
};

static bool only_kept(struct keepers *k, LLVMValueRef value);

static bool keeps(struct keepers *k, LLVMValueRef user, LLVMValueRef value)
{
    if (user == k->write)
        return LLVMGetOperand(user, 0) == value && LLVMGetOperand(user, 1) != value;
    bool old = region_is_write(user) && LLVMGetOperand(user, 0) == value && LLVMGetOperand(user, 1) != value;
    return (LLVMIsAPHINode(user) || old) && only_kept(k, user);
}

static bool only_kept(struct keepers *k, LLVMValueRef value)
{
    for (unsigned i = 0; i < k->count; i++)
        if (k->seen[i] == value)
            return true;
    if (k->count == MOST_KEEPERS)
        return false;
    k->seen[k->count++] = value;
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        if (!keeps(k, LLVMGetUser(use), value))
            return false;
    return true;
}

static bool writes_whole_vector(LLVMValueRef write)
{
    LLVMTypeRef type = LLVMTypeOf(write);
    struct region r;
    return type == LLVMTypeOf(LLVMGetOperand(write, 1)) && LLVMIsAConstantInt(LLVMGetOperand(write, 5)) &&
           region_of_call(write, &r) && r.offset == 0 && r.width == type_lanes(type) &&
           r.hstride == (int)type_element_bytes(type);
}

/* Forwards the new value of a masked write of a whole vector to users that read it under the same mask only. */
static bool forward_write(LLVMValueRef write)
{
    LLVMValueRef mask = mask_of_write(write), user;
    struct keepers k = {.write = write};
    bool any = false;
    if (!mask || !writes_whole_vector(write) || !LLVMIsAInstruction(LLVMGetOperand(write, 1)))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(write); use; use = LLVMGetNextUse(use)) {
        user = LLVMGetUser(use);
        bool under = looks_under(user, write, mask, 0);
        if (!under && !keeps(&k, user, write))
            return false;
        any = any || under;
    }
    for (LLVMUseRef use = LLVMGetFirstUse(write); any && use;) {
        user = LLVMGetUser(use);
        bool under = looks_under(user, write, mask, 0);
        if (under)
            ir_forget_debug_of_users(user); /* inactive lanes change */
        for (int n = 0; under && n < LLVMGetNumOperands(user); n++)
            if (LLVMGetOperand(user, (unsigned)n) == write)
                LLVMSetOperand(user, (unsigned)n, LLVMGetOperand(write, 1));
        use = under ? LLVMGetFirstUse(write) : LLVMGetNextUse(use); /* the list has changed */
    }
    return any;
}

/* Returns any or all of a constant: 1, 0, or -1 if the mask is not constant. */
static int known_reduction(LLVMValueRef call)
{
    enum genx_id id = genx_call_id(call);
    if (id != GENX_ANY && id != GENX_ALL)
        return -1;
    LLVMValueRef mask = LLVMGetOperand(call, 0);
    unsigned set = 0, lanes = type_lanes(LLVMTypeOf(mask));
    for (unsigned i = 0; i < lanes; i++) {
        uint64_t bits;
        bool undefined;
        if (!constant_lane(mask, i, &bits, &undefined))
            return -1;
        set += bits & 1;
    }
    return id == GENX_ANY ? set != 0 : set == lanes;
}

static bool comes_before(LLVMValueRef first, LLVMValueRef second)
{
    for (LLVMValueRef i = LLVMGetNextInstruction(first); i; i = LLVMGetNextInstruction(i))
        if (i == second)
            return true;
    return false;
}

/* Replaces a & ~b, if a & b exists, by a ^ (a & b): predicates have no negated operands. */
static LLVMValueRef without_not(LLVMBuilderRef builder, LLVMValueRef i)
{
    if (!type_is_mask(LLVMTypeOf(i)))
        return NULL;
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef a = LLVMGetOperand(i, 1 - k), b = mask_negated(LLVMGetOperand(i, k)), both = NULL;
        for (LLVMUseRef use = b ? LLVMGetFirstUse(b) : NULL; use && !both; use = LLVMGetNextUse(use)) {
            LLVMValueRef user = LLVMGetUser(use);
            bool here =
                user != i && LLVMIsAInstruction(user) && LLVMGetInstructionParent(user) == LLVMGetInstructionParent(i);
            if (here && LLVMGetInstructionOpcode(user) == LLVMAnd &&
                (LLVMGetOperand(user, 0) == a || LLVMGetOperand(user, 1) == a))
                both = user;
        }
        if (!both || a == b)
            continue;
        LLVMPositionBuilderBefore(builder, i);
        if (!comes_before(both, i)) { /* both operands are there: it may come earlier */
            LLVMInstructionRemoveFromParent(both);
            LLVMInsertIntoBuilder(builder, both);
        }
        return LLVMBuildXor(builder, a, both, "");
    }
    return NULL;
}

/* Replaces (b ^ c) | (a ^ b), where c is a subset of b and b of a, by a ^ c. */
static LLVMValueRef both_rests(LLVMBuilderRef builder, LLVMValueRef i)
{
    if (!type_is_mask(LLVMTypeOf(i)))
        return NULL;
    for (unsigned k = 0; k < 2; k++) {
        LLVMValueRef inner = LLVMGetOperand(i, k), outer = LLVMGetOperand(i, 1 - k);
        if (!LLVMIsAInstruction(inner) || !LLVMIsAInstruction(outer) || LLVMGetInstructionOpcode(inner) != LLVMXor ||
            LLVMGetInstructionOpcode(outer) != LLVMXor)
            continue;
        LLVMValueRef b = LLVMGetOperand(inner, 0), c = LLVMGetOperand(inner, 1), a = LLVMGetOperand(outer, 0);
        if (LLVMGetOperand(outer, 1) != b || LLVMIsConstant(c) || !mask_implies(c, b) || !mask_implies(b, a))
            continue;
        LLVMPositionBuilderBefore(builder, i);
        return LLVMBuildXor(builder, a, c, "");
    }
    return NULL;
}

/* Replaces compares of a mask's bits with none or all, which LLVM makes of reductions, by any or all. */
static LLVMValueRef compared_bits(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef i)
{
    LLVMValueRef bits = LLVMGetOperand(i, 0), number = LLVMGetOperand(i, 1);
    if (!LLVMIsABitCastInst(bits) || !type_is_mask(LLVMTypeOf(LLVMGetOperand(bits, 0))) || !LLVMIsAConstantInt(number))
        return NULL;
    bool none = LLVMIsNull(number), equal = LLVMGetICmpPredicate(i) == LLVMIntEQ;
    if ((!none && number != LLVMConstAllOnes(LLVMTypeOf(bits))) || (!equal && LLVMGetICmpPredicate(i) != LLVMIntNE))
        return NULL;
    LLVMPositionBuilderBefore(builder, i);
    LLVMValueRef mask = LLVMGetOperand(bits, 0);
    LLVMValueRef reduced = genx_build(builder, module, none ? GENX_ANY : GENX_ALL, LLVMTypeOf(i), &mask, 1);
    return none == equal ? LLVMBuildNot(builder, reduced, "") : reduced;
}

/* Returns the mask's complement if it exists. */
static LLVMValueRef complement(LLVMValueRef mask)
{
    for (LLVMUseRef use = LLVMGetFirstUse(mask); use; use = LLVMGetNextUse(use))
        if (mask_negated(LLVMGetUser(use)) == mask)
            return LLVMGetUser(use);
    return NULL;
}

/* Removes the address select of reads (__cm_distance). SIMD control flow reads the first element in inactive lanes,
 * whose addresses may be anything. If they are inside the vector and the values are not used, that is not needed. */
static void read_anywhere(LLVMValueRef read)
{
    enum { OFFSET = 4 };
    LLVMValueRef choice = LLVMGetOperand(read, OFFSET);
    if (!LLVMIsASelectInst(choice) || !type_is_mask(LLVMTypeOf(LLVMGetOperand(choice, 0))))
        return;
    LLVMValueRef mask = LLVMGetOperand(choice, 0), offsets = LLVMGetOperand(choice, 1),
                 source = LLVMGetOperand(read, 0);
    if (LLVMIsConstant(offsets)) {
        mask = complement(mask);
        offsets = LLVMGetOperand(choice, 2);
    }
    int64_t last = (int64_t)(type_lanes(LLVMTypeOf(source)) - 1) * type_element_bytes(LLVMTypeOf(source));
    if (mask && range_within(range_of_integer(offsets), 0, last) && only_under(read, mask, 0)) {
        ir_forget_debug_of_users(read);
        LLVMSetOperand(read, OFFSET, offsets);
    }
}

/* Simplifies a select on `any` of a mask if the result is the other operand anyway when no lane is set. */
static LLVMValueRef chosen_anyway(LLVMValueRef select)
{
    if (genx_call_id(LLVMGetOperand(select, 0)) != GENX_ANY)
        return NULL;
    LLVMValueRef yes = LLVMGetOperand(select, 1);
    return mask_is_without(yes, LLVMGetOperand(LLVMGetOperand(select, 0), 0), LLVMGetOperand(select, 2)) ? yes : NULL;
}

static LLVMValueRef simpler_call(LLVMValueRef call)
{
    if (region_is_write(call))
        forward_write(call);
    else if (region_is_read(call))
        read_anywhere(call);
    int known = known_reduction(call);
    return known >= 0 ? LLVMConstInt(LLVMTypeOf(call), (unsigned)known, false) : NULL;
}

/* Returns a replacement of `i`; NULL: nothing better. */
static LLVMValueRef simpler(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMCall: return simpler_call(i);
    case LLVMAnd: return without_not(builder, i);
    case LLVMOr: return both_rests(builder, i);
    case LLVMICmp: return compared_bits(module, builder, i);
    case LLVMSelect: {
        LLVMValueRef chosen = chosen_anyway(i);
        return chosen ? chosen : simdcf_flipped_select(module, builder, i);
    }
    default: return NULL;
    }
}

bool pass_mask_simplify(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(kernel, module)
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_REMOVABLE(i, block)
    {
        LLVMValueRef other = simpler(module, builder, i);
        if (other) {
            LLVMReplaceAllUsesWith(i, other);
            LLVMInstructionEraseFromParent(i);
        }
    }
    LLVMDisposeBuilder(builder);
    return true;
}
