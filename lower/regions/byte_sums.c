/* Orders sums so that no instruction adds two bytes, on platforms where only the first source may be a byte: the
 * finalizer would copy the other one. What else is added comes between.
 *
 *     (zext a + zext b) + 1        (zext a + 1) + zext b */
#include <llvm-c/DebugInfo.h>
#include "lower/analysis/range.h"
#include "lower/ir/forget_debug.h"
#include "lower/ir/operation_info.h"
#include "lower/passes.h"

enum { MOST_DEPTH = 16, FAR = 256 /* instructions: blocks may be large */ };

static bool is_sum(LLVMValueRef value)
{
    return LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == LLVMAdd;
}

/* True for an extended byte that all its users read in place. */
static bool is_byte(LLVMValueRef value)
{
    return ir_extends_bytes(value) && range_users_take_narrow(value, value);
}

/* Returns the sum of two bytes that `value` is, or is a sum with; NULL: there is none. */
static LLVMValueRef find_two_bytes(LLVMValueRef value, LLVMBasicBlockRef block, unsigned depth)
{
    if (!depth || !is_sum(value) || !ir_has_one_use(value) || LLVMGetInstructionParent(value) != block)
        return NULL;
    if (is_byte(LLVMGetOperand(value, 0)) && is_byte(LLVMGetOperand(value, 1)))
        return value;
    LLVMValueRef first = find_two_bytes(LLVMGetOperand(value, 0), block, depth - 1);
    return first ? first : find_two_bytes(LLVMGetOperand(value, 1), block, depth - 1);
}

/* True if `value`, which the sum of a later instruction reads, is there before `sum` in the same block. */
static bool is_there(LLVMValueRef value, LLVMValueRef sum)
{
    if (!LLVMIsAInstruction(value) || LLVMGetInstructionParent(value) != LLVMGetInstructionParent(sum) ||
        LLVMIsAPHINode(value))
        return true;
    LLVMValueRef i = LLVMGetNextInstruction(value);
    for (unsigned n = 0; i && i != sum && n < FAR; n++)
        i = LLVMGetNextInstruction(i);
    return i == sum;
}

static bool is_saturated(LLVMValueRef sum)
{
    for (LLVMUseRef use = LLVMGetFirstUse(sum); use; use = LLVMGetNextUse(use))
        if (is_saturation(genx_call_id(LLVMGetUser(use))))
            return true;
    return false;
}

/* Sums on the way from `inner` to `outer` have other numbers now. */
static void forget_between(LLVMValueRef inner, LLVMValueRef outer)
{
    for (LLVMValueRef sum = inner; sum != outer; sum = LLVMGetUser(LLVMGetFirstUse(sum))) {
        LLVMSetNSW(sum, false);
        LLVMSetNUW(sum, false);
        ir_forget_debug(sum);
    }
}

/* Adds the `number`th operand of `outer` to a byte of a sum that is part of the other operand. */
static bool reorder(LLVMBuilderRef builder, LLVMValueRef outer, unsigned number)
{
    LLVMValueRef term = LLVMGetOperand(outer, number), rest = LLVMGetOperand(outer, 1 - number);
    LLVMValueRef two = LLVMIsUndef(term) || LLVMIsABinaryOperator(term) || is_byte(term)
                           ? NULL /* a product may become part of a mad */
                           : find_two_bytes(rest, LLVMGetInstructionParent(outer), MOST_DEPTH);
    if (!two || !is_there(term, two) || is_saturated(outer))
        return false;
    LLVMPositionBuilderBefore(builder, two);
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(two));
    LLVMValueRef first = LLVMBuildAdd(builder, LLVMGetOperand(two, 0), term, "");
    LLVMSetOperand(two, 0, first);
    forget_between(two, outer);
    LLVMReplaceAllUsesWith(outer, rest);
    LLVMInstructionEraseFromParent(outer);
    return true;
}

bool pass_byte_sums(LLVMModuleRef module, const struct lower_options *options)
{
    if (platform_has(options->platform, FEATURE_SECOND_BYTES))
        return true;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(kernel, module)
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_REMOVABLE(i, block)
    {
        bool adds = is_sum(i) && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMVectorTypeKind && LLVMGetFirstUse(i) &&
                    type_element_bits(LLVMTypeOf(i)) <= 32;
        if (adds && !reorder(builder, i, 1))
            reorder(builder, i, 0);
    }
    LLVMDisposeBuilder(builder);
    return true;
}
