/* A choice between a result and an older value: the operation under a predicate, over the older value.
 *
 *     t = x + y;  z = mask ? t : w        z = w;  (mask) z = x + y
 *
 * One instruction where z can live where w did, and never more than before. */
#include "lower/ir.h"
#include "lower/passes.h"
#include "lower/region.h"
#include "lower/select.h"

/* What select_arithmetic() makes one instruction of, of a size that every part has. */
static bool is_operation(LLVMValueRef i)
{
    if (!LLVMIsAInstruction(i) || type_element_bits(LLVMTypeOf(i)) > 32 || type_element_bits(LLVMTypeOf(i)) < 16)
        return false;
    if (LLVMIsABinaryOperator(i)) {
        LLVMOpcode op = LLVMGetInstructionOpcode(i);
        return op != LLVMUDiv && op != LLVMSDiv && op != LLVMURem && op != LLVMSRem && op != LLVMFDiv;
    }
    return LLVMIsACallInst(i) && is_alu_call(i) && takes_predicate(i);
}

static void write_under_mask(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef choice)
{
    LLVMTypeRef type = LLVMTypeOf(choice);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || type_is_mask(type))
        return;
    LLVMValueRef mask = LLVMGetOperand(choice, 0), result = LLVMGetOperand(choice, 1), old = LLVMGetOperand(choice, 2);
    unsigned lanes = type_lanes(type);
    bool same_block =
        LLVMIsAInstruction(result) && LLVMGetInstructionParent(result) == LLVMGetInstructionParent(choice);
    if (type_lanes(LLVMTypeOf(mask)) != lanes || LLVMIsConstant(mask) || LLVMIsConstant(old) || !is_operation(result) ||
        !same_block || !has_one_use(result))
        return;
    struct region whole = {0, lanes, 0, (int)type_element_bytes(type)};
    LLVMPositionBuilderBefore(builder, choice);
    LLVMReplaceAllUsesWith(choice, build_wrregion(builder, module, old, result, &whole, NULL, mask));
    LLVMInstructionEraseFromParent(choice);
}

/* The mask of a number that is `*step` where the mask is set and 0 elsewhere; NULL: `value` is no such, or not only
 * here. */
static LLVMValueRef mask_of_step(LLVMValueRef value, LLVMValueRef *step)
{
    if (!LLVMIsAInstruction(value) || !has_one_use(value))
        return NULL;
    LLVMValueRef mask = LLVMGetOperand(value, 0);
    LLVMTypeRef type = LLVMTypeOf(value);
    bool zero = LLVMIsAZExtInst(value) != NULL, wide = zero || LLVMIsASExtInst(value);
    if (wide && type_is_mask(LLVMTypeOf(mask))) {
        LLVMValueRef ones = LLVMConstAllOnes(type);
        *step = zero ? LLVMConstNeg(ones) : ones;
        return mask;
    }
    if (!LLVMIsASelectInst(value) || LLVMTypeOf(mask) == LLVMInt1TypeInContext(LLVMGetTypeContext(type)) ||
        !LLVMIsConstant(LLVMGetOperand(value, 2)) || !LLVMIsNull(LLVMGetOperand(value, 2)))
        return NULL;
    *step = LLVMGetOperand(value, 1);
    return mask;
}

/* w + (mask ? n : 0), which LLVM makes of mask ? w + n : w. */
static void step_under_mask(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef sum)
{
    LLVMTypeRef type = LLVMTypeOf(sum);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || type_is_mask(type) || !LLVMIsABinaryOperator(sum) ||
        !is_operation(sum))
        return;
    LLVMOpcode op = LLVMGetInstructionOpcode(sum);
    if (op != LLVMAdd && op != LLVMSub && op != LLVMOr && op != LLVMXor)
        return;
    for (unsigned k = op == LLVMSub ? 1 : 0; k < 2; k++) {
        LLVMValueRef step, mask = mask_of_step(LLVMGetOperand(sum, k), &step), old = LLVMGetOperand(sum, 1 - k);
        if (!mask || LLVMIsConstant(mask) || LLVMIsConstant(old))
            continue;
        struct region whole = {0, type_lanes(type), 0, (int)type_element_bytes(type)};
        LLVMPositionBuilderBefore(builder, sum);
        LLVMValueRef result = LLVMBuildBinOp(builder, op, old, step, "");
        LLVMReplaceAllUsesWith(sum, build_wrregion(builder, module, old, result, &whole, NULL, mask));
        LLVMInstructionEraseFromParent(sum);
        return;
    }
}

/* The last condition that was asked in all lanes, and where. */
struct asked { LLVMValueRef condition, mask; LLVMBasicBlockRef block; };

/* A choice of vectors by one comparison: the comparison in all lanes is one instruction, bringing its result there two. */
static void compare_in_all_lanes(LLVMBuilderRef builder, LLVMValueRef choice, struct asked *asked)
{
    enum { MOST = 16 };
    LLVMValueRef condition = LLVMGetOperand(choice, 0);
    unsigned lanes = type_lanes(LLVMTypeOf(choice));
    if (lanes < 2 || lanes > MOST || (lanes & (lanes - 1)) != 0 || type_is_mask(LLVMTypeOf(choice)) ||
        type_lanes(LLVMTypeOf(condition)) != 1 || !LLVMIsAICmpInst(condition))
        return;
    unsigned bits = type_element_bits(LLVMTypeOf(LLVMGetOperand(condition, 0)));
    if (bits != 16 && bits != 32)
        return;
    bool known = asked->condition == condition && asked->block == LLVMGetInstructionParent(choice) &&
                 type_lanes(LLVMTypeOf(asked->mask)) == lanes;
    if (!known) {
        LLVMPositionBuilderBefore(builder, choice);
        LLVMValueRef a = build_splat(builder, LLVMGetOperand(condition, 0), lanes);
        LLVMValueRef b = build_splat(builder, LLVMGetOperand(condition, 1), lanes);
        *asked = (struct asked){condition, LLVMBuildICmp(builder, LLVMGetICmpPredicate(condition), a, b, ""),
                                LLVMGetInstructionParent(choice)};
    }
    LLVMSetOperand(choice, 0, asked->mask);
    if (!LLVMGetFirstUse(condition))
        LLVMInstructionEraseFromParent(condition);
}

bool pass_predicate(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    struct asked asked = {0};
    FOR_EACH_FUNCTION(kernel, module)
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_REMOVABLE(i, block) {
        if (LLVMIsASelectInst(i)) {
            compare_in_all_lanes(builder, i, &asked);
            write_under_mask(module, builder, i);
        } else if (LLVMGetFirstUse(i))
            step_under_mask(module, builder, i);
    }
    LLVMDisposeBuilder(builder);
    return true;
}
