/* Turns a select between a result and an older value into a predicated operation that overwrites the older value.
 *
 *     t = x + y;  z = mask ? t : w        z = w;  (mask) z = x + y
 *
 * It is one instruction if z and w share a register, and never more than before. */
#include "lower/ir/ir.h"
#include "lower/ir/operation_info.h"
#include "lower/ir/region.h"
#include "lower/passes.h"
#include "lower/regions/splat_condition.h"

/* True for operations that select_arithmetic() turns into one instruction. */
static bool is_operation(const struct platform *platform, LLVMValueRef i)
{
    unsigned bits = LLVMIsAInstruction(i) ? type_element_bits(LLVMTypeOf(i)) : 0,
             most = platform_has(platform, FEATURE_NATIVE_INT64) ? 64 : 32;
    if (bits > most || bits < 16)
        return false;
    if (LLVMIsABinaryOperator(i)) {
        LLVMOpcode op = LLVMGetInstructionOpcode(i);
        if (bits == 64 && op == LLVMMul) /* several instructions */
            return false;
        return op != LLVMUDiv && op != LLVMSDiv && op != LLVMURem && op != LLVMSRem && op != LLVMFDiv;
    }
    return LLVMIsACallInst(i) && ir_is_alu_call(i) && ir_takes_predicate(i);
}

/* True if operand `k` of a select is computed for it, in its block, and is not a constant in other lanes. */
static bool is_computed(const struct platform *platform, LLVMValueRef choice, unsigned k)
{
    LLVMValueRef result = LLVMGetOperand(choice, k);
    return is_operation(platform, result) && LLVMGetInstructionParent(result) == LLVMGetInstructionParent(choice) &&
           ir_has_one_use(result) && !LLVMIsConstant(LLVMGetOperand(choice, 3 - k));
}

static void write_under_mask(LLVMModuleRef module, LLVMBuilderRef builder, const struct platform *platform,
                             LLVMValueRef choice)
{
    LLVMTypeRef type = LLVMTypeOf(choice);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || type_is_mask(type))
        return;
    LLVMValueRef mask = LLVMGetOperand(choice, 0);
    unsigned lanes = type_lanes(type);
    if (type_lanes(LLVMTypeOf(mask)) != lanes || LLVMIsConstant(mask))
        return;
    bool first = is_computed(platform, choice, 1);
    if (!first && !(LLVMIsACmpInst(mask) && is_computed(platform, choice, 2)))
        return;
    LLVMValueRef result = LLVMGetOperand(choice, first ? 1 : 2), old = LLVMGetOperand(choice, first ? 2 : 1);
    struct region whole = {0, lanes, 0, (int)type_element_bytes(type)};
    LLVMPositionBuilderBefore(builder, choice);
    if (!first) /* lanes that a mask lacks cost nothing in predicates */
        mask = LLVMBuildNot(builder, mask, "");
    LLVMReplaceAllUsesWith(choice, region_build_write(builder, module, old, result, &whole, NULL, mask));
    LLVMInstructionEraseFromParent(choice);
}

/* Returns the mask of a number that is `*step` where the mask is set and 0 elsewhere, or (*inverse) the other way
 * round; NULL: `value` is not such a number, or has other uses. */
static LLVMValueRef mask_of_step(LLVMValueRef value, LLVMValueRef *step, bool *inverse)
{
    *inverse = false;
    if (!LLVMIsAInstruction(value) || !ir_has_one_use(value))
        return NULL;
    LLVMValueRef mask = LLVMGetOperand(value, 0);
    LLVMTypeRef type = LLVMTypeOf(value);
    bool zero = LLVMIsAZExtInst(value) != NULL, wide = zero || LLVMIsASExtInst(value);
    if (wide && type_is_mask(LLVMTypeOf(mask))) {
        LLVMValueRef ones = LLVMConstAllOnes(type);
        *step = zero ? LLVMConstNeg(ones) : ones;
        return mask;
    }
    if (!LLVMIsASelectInst(value) || LLVMTypeOf(mask) == LLVMInt1TypeInContext(LLVMGetTypeContext(type)))
        return NULL;
    *inverse = LLVMIsACmpInst(mask) && LLVMIsConstant(LLVMGetOperand(value, 1)) && LLVMIsNull(LLVMGetOperand(value, 1));
    LLVMValueRef other = LLVMGetOperand(value, *inverse ? 1 : 2);
    *step = LLVMGetOperand(value, *inverse ? 2 : 1);
    return LLVMIsConstant(other) && LLVMIsNull(other) ? mask : NULL;
}

/* Recognizes w + (mask ? n : 0), which LLVM makes of mask ? w + n : w. */
static void step_under_mask(LLVMModuleRef module, LLVMBuilderRef builder, const struct platform *platform,
                            LLVMValueRef sum)
{
    LLVMTypeRef type = LLVMTypeOf(sum);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || type_is_mask(type) || !LLVMIsABinaryOperator(sum) ||
        !is_operation(platform, sum))
        return;
    LLVMOpcode op = LLVMGetInstructionOpcode(sum);
    if (op != LLVMAdd && op != LLVMSub && op != LLVMOr && op != LLVMXor)
        return;
    for (unsigned k = op == LLVMSub ? 1 : 0; k < 2; k++) {
        bool inverse;
        LLVMValueRef step, mask = mask_of_step(LLVMGetOperand(sum, k), &step, &inverse),
                           old = LLVMGetOperand(sum, 1 - k);
        if (!mask || LLVMIsConstant(mask) || LLVMIsConstant(old))
            continue;
        struct region whole = {0, type_lanes(type), 0, (int)type_element_bytes(type)};
        LLVMPositionBuilderBefore(builder, sum);
        LLVMValueRef result = LLVMBuildBinOp(builder, op, old, step, "");
        if (inverse)
            mask = LLVMBuildNot(builder, mask, "");
        LLVMReplaceAllUsesWith(sum, region_build_write(builder, module, old, result, &whole, NULL, mask));
        LLVMInstructionEraseFromParent(sum);
        return;
    }
}

/* A message whose reply has the lanes of a mask from `first` on. */
struct reply {
    LLVMValueRef message;
    unsigned first;
};
enum { MOST_REPLIES = 4 };

/* The last condition that was splatted to all lanes, and its block. */
struct asked {
    LLVMValueRef condition, mask;
    LLVMBasicBlockRef block;
};

/* True for a comparison of numbers that one instruction compares in all lanes, and for `any` and `all` of masks. */
static bool is_condition(LLVMValueRef value)
{
    enum genx_id id = genx_call_id(value);
    if (!LLVMIsAICmpInst(value) && !LLVMIsAFCmpInst(value))
        return id == GENX_ANY || id == GENX_ALL;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(value, 0));
    unsigned bits = type_element_bits(type);
    return LLVMGetTypeKind(type) != LLVMPointerTypeKind && (bits == 8 || bits == 16 || bits == 32);
}

/* A vector select on one condition: a compare in all lanes is one instruction, splatting the result of a scalar one
 * takes two. */
static void compare_in_all_lanes(LLVMBuilderRef builder, LLVMValueRef choice, struct asked *asked)
{
    enum { MOST = 32 };
    LLVMValueRef condition = LLVMGetOperand(choice, 0);
    unsigned lanes = type_lanes(LLVMTypeOf(choice));
    if (lanes < 2 || lanes > MOST || (lanes & (lanes - 1)) != 0 || type_is_mask(LLVMTypeOf(choice)) ||
        type_lanes(LLVMTypeOf(condition)) != 1 || !is_condition(condition))
        return;
    bool known = asked->condition == condition && asked->block == LLVMGetInstructionParent(choice) &&
                 type_lanes(LLVMTypeOf(asked->mask)) == lanes;
    if (!known) {
        LLVMPositionBuilderBefore(builder, choice);
        *asked = (struct asked){condition, regions_condition_in_all_lanes(builder, condition, lanes),
                                LLVMGetInstructionParent(choice)};
    }
    LLVMSetOperand(choice, 0, asked->mask);
    if (!LLVMGetFirstUse(condition))
        LLVMInstructionEraseFromParent(condition);
}

/* Finds the messages whose replies are the lanes of `value` from `first` on, in order and contiguous, each under its
 * lanes of `mask`. False: there are others. */
static bool find_replies(LLVMValueRef value, LLVMValueRef mask, unsigned first, struct reply *replies, unsigned *count)
{
    unsigned at, lanes = type_lanes(LLVMTypeOf(value));
    if (!LLVMIsAInstruction(value) || !ir_has_one_use(value))
        return false;
    if (ir_is_atomic(value)) {
        LLVMValueRef own = LLVMGetOperand(value, 0);
        bool same =
            LLVMIsAShuffleVectorInst(own) && LLVMGetOperand(own, 0) == mask && ir_is_run(own, &at) && at == first;
        if (!same || *count == MOST_REPLIES)
            return false;
        replies[(*count)++] = (struct reply){value, first};
        return true;
    }
    if (!LLVMIsAShuffleVectorInst(value) || lanes != 2 * type_lanes(LLVMTypeOf(LLVMGetOperand(value, 0))))
        return false;
    for (unsigned k = 0; k < lanes; k++)
        if (LLVMGetMaskValue(value, k) != (int)k)
            return false;
    return find_replies(LLVMGetOperand(value, 0), mask, first, replies, count) &&
           find_replies(LLVMGetOperand(value, 1), mask, first + lanes / 2, replies, count);
}

/* Splits the masked write of concatenated replies: each is written right after its message, so that the reply can
 * arrive in place. */
static void write_replies(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef write)
{
    struct reply replies[MOST_REPLIES];
    struct region all;
    unsigned count = 0;
    LLVMValueRef value = LLVMGetOperand(write, 1), mask = LLVMGetOperand(write, 7), old = LLVMGetOperand(write, 0);
    LLVMTypeRef type = LLVMTypeOf(value);
    int bytes = (int)type_element_bytes(type);
    if (LLVMIsConstant(mask) || !region_of_call(write, &all) || all.width != type_lanes(type) || all.hstride != bytes ||
        !find_replies(value, mask, 0, replies, &count) || count < 2)
        return;
    for (LLVMValueRef i = replies[0].message; i != write; i = LLVMGetNextInstruction(i))
        if (!i || i == old) /* another block, or too late */
            return;
    for (unsigned k = 0; k < count; k++) {
        LLVMValueRef message = replies[k].message;
        struct region part = {all.offset + (int)replies[k].first * bytes, type_lanes(LLVMTypeOf(message)), 0, bytes};
        LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(message));
        old = region_build_write(builder, module, old, message, &part, NULL, LLVMGetOperand(message, 0));
    }
    LLVMReplaceAllUsesWith(write, old);
    LLVMInstructionEraseFromParent(write);
}

bool pass_predicate(LLVMModuleRef module, const struct lower_options *options)
{
    const struct platform *platform = options->platform;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    struct asked asked = {0};
    FOR_EACH_FUNCTION(kernel, module)
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_REMOVABLE(i, block)
    {
        if (LLVMIsASelectInst(i)) {
            compare_in_all_lanes(builder, i, &asked);
            write_under_mask(module, builder, platform, i);
        } else if (region_is_write(i))
            write_replies(module, builder, i);
        else if (LLVMGetFirstUse(i))
            step_under_mask(module, builder, platform, i);
    }
    LLVMDisposeBuilder(builder);
    return true;
}
