/* Takes the bits of a mask from its predicate where they are added up lane by lane.
 *
 *     v = select <16 x i1> m, <1, 2, 4 ... 32768>, 0            b = bitcast <16 x i1> m to i16
 *     w = or (lanes 0..7 of v), (lanes 8..15 of v)              x = zext b
 *     ... down to one lane, x
 *
 * So cm_pack_mask does it, which knows no predicates. */
#include "lower/ir/ir.h"
#include "lower/passes.h"

static bool adds_up(LLVMValueRef value)
{
    LLVMOpcode op = LLVMIsABinaryOperator(value) ? LLVMGetInstructionOpcode(value) : LLVMRet;
    return op == LLVMAdd || op == LLVMOr;
}

/* The vector whose two halves `sum` adds up; NULL: it is no such sum. */
static LLVMValueRef added_halves(LLVMValueRef sum)
{
    LLVMValueRef halves[2] = {LLVMGetOperand(sum, 0), LLVMGetOperand(sum, 1)};
    unsigned lanes = type_lanes(LLVMTypeOf(sum)), first[2];
    for (unsigned k = 0; k < 2; k++)
        if (!LLVMIsAShuffleVectorInst(halves[k]) || !ir_is_run(halves[k], &first[k]))
            return NULL;
    LLVMValueRef whole = LLVMGetOperand(halves[0], 0);
    bool both = LLVMGetOperand(halves[1], 0) == whole && type_lanes(LLVMTypeOf(whole)) == 2 * lanes;
    return both && first[0] + first[1] == lanes && first[0] != first[1] ? whole : NULL;
}

/* Lane k is bit k. */
static bool are_bits_of_lanes(LLVMValueRef constant)
{
    uint64_t bits;
    bool undefined;
    for (unsigned k = 0; k < type_lanes(LLVMTypeOf(constant)); k++)
        if (!constant_lane(constant, k, &bits, &undefined) || undefined || bits != (uint64_t)1 << k)
            return false;
    return true;
}

/* The mask whose bits the lane `sum` is; NULL: there is none. */
static LLVMValueRef packed_mask(LLVMValueRef sum)
{
    LLVMTypeRef type = LLVMTypeOf(sum);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || type_lanes(type) != 1 || type_element_bits(type) != 32)
        return NULL;
    LLVMValueRef v = sum;
    while (v && adds_up(v))
        v = added_halves(v);
    if (!v || !LLVMIsASelectInst(v) || type_lanes(LLVMTypeOf(v)) < 8 || type_lanes(LLVMTypeOf(v)) > 32)
        return NULL;
    LLVMValueRef mask = LLVMGetOperand(v, 0), zero = LLVMGetOperand(v, 2);
    bool each = type_lanes(LLVMTypeOf(mask)) == type_lanes(LLVMTypeOf(v)) && LLVMIsConstant(zero) && LLVMIsNull(zero);
    return each && are_bits_of_lanes(LLVMGetOperand(v, 1)) ? mask : NULL;
}

static void take_bits(LLVMBuilderRef builder, LLVMValueRef sum)
{
    LLVMValueRef mask = adds_up(sum) ? packed_mask(sum) : NULL;
    if (!mask)
        return;
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(sum));
    LLVMTypeRef dword = LLVMInt32TypeInContext(context);
    LLVMPositionBuilderBefore(builder, sum);
    LLVMValueRef bits =
        LLVMBuildBitCast(builder, mask, LLVMIntTypeInContext(context, type_lanes(LLVMTypeOf(mask))), "");
    bits = LLVMBuildZExt(builder, bits, dword, "");
    LLVMReplaceAllUsesWith(
        sum, LLVMBuildInsertElement(builder, LLVMGetPoison(LLVMTypeOf(sum)), bits, LLVMConstNull(dword), ""));
    LLVMInstructionEraseFromParent(sum);
}

bool pass_pack_mask(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(function, module)
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_REMOVABLE(i, block)
    take_bits(builder, i);
    LLVMDisposeBuilder(builder);
    return true;
}
