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
    return LLVMIsACallInst(i) && is_alu_call(i);
}

static void write_under_mask(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef choice)
{
    LLVMTypeRef type = LLVMTypeOf(choice);
    if (!LLVMIsASelectInst(choice) || LLVMGetTypeKind(type) != LLVMVectorTypeKind || type_is_mask(type))
        return;
    LLVMValueRef mask = LLVMGetOperand(choice, 0), result = LLVMGetOperand(choice, 1), old = LLVMGetOperand(choice, 2);
    unsigned lanes = type_lanes(type);
    bool same_block =
        LLVMIsAInstruction(result) && LLVMGetInstructionParent(result) == LLVMGetInstructionParent(choice);
    if (type_lanes(LLVMTypeOf(mask)) != lanes || LLVMIsConstant(mask) || LLVMIsConstant(old) || !is_operation(result) ||
        !same_block || LLVMGetNextUse(LLVMGetFirstUse(result)))
        return;
    struct region whole = {0, lanes, 0, (int)type_element_bytes(type)};
    LLVMPositionBuilderBefore(builder, choice);
    LLVMReplaceAllUsesWith(choice, build_wrregion(builder, module, old, result, &whole, NULL, mask));
    LLVMInstructionEraseFromParent(choice);
}

bool pass_predicate(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(kernel, module)
    FOR_EACH_BLOCK(block, kernel)
    for (LLVMValueRef i = LLVMGetFirstInstruction(block), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        write_under_mask(module, builder, i);
    }
    LLVMDisposeBuilder(builder);
    return true;
}
