/* See copy.h. */
#include "lower/copy.h"

#include <stdlib.h>

LLVMValueRef copy_of(const struct pointer_map *values, LLVMValueRef value)
{
    size_t copy;
    return !LLVMIsConstant(value) && pointer_map_get(values, value, &copy) ? (LLVMValueRef)copy : value;
}

static bool is_number(LLVMValueRef value, int64_t number)
{
    if (number == 0 && LLVMIsConstant(value) && LLVMIsNull(value))
        return true; /* in every lane */
    return LLVMIsAConstantInt(value) && LLVMConstIntGetSExtValue(value) == number;
}

/* Of an operation on integers with a right operand that does nothing: the left one. */
static LLVMValueRef without_neutral(LLVMOpcode op, LLVMValueRef *operands)
{
    switch (op) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        return is_number(operands[1], 0)                    ? operands[0]
               : op == LLVMAdd && is_number(operands[0], 0) ? operands[1]
                                                            : NULL;
    case LLVMMul:
    case LLVMUDiv:
    case LLVMSDiv: return is_number(operands[1], 1) ? operands[0] : NULL;
    default: return NULL;
    }
}

/* An address at no distance from its start. */
static LLVMValueRef whole_address(LLVMValueRef i, LLVMValueRef *operands)
{
    for (unsigned k = 1; k < (unsigned)LLVMGetNumOperands(i); k++)
        if (!is_number(operands[k], 0))
            return NULL;
    return LLVMTypeOf(operands[0]) == LLVMTypeOf(i) ? operands[0] : NULL;
}

static bool are_constant(LLVMValueRef *operands, unsigned count)
{
    for (unsigned k = 0; k < count; k++)
        if (!LLVMIsConstant(operands[k]))
            return false;
    return true;
}

LLVMValueRef copy_folded(LLVMBuilderRef builder, LLVMValueRef i, LLVMValueRef *operands)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    bool constant = are_constant(operands, (unsigned)LLVMGetNumOperands(i));
    LLVMValueRef folded = NULL;
    if (op == LLVMGetElementPtr)
        return whole_address(i, operands);
    if (op == LLVMSelect && LLVMIsAConstantInt(operands[0]))
        return operands[LLVMConstIntGetZExtValue(operands[0]) ? 1 : 2];
    if (!constant)
        return without_neutral(op, operands);
    if (op == LLVMICmp)
        folded = LLVMBuildICmp(builder, LLVMGetICmpPredicate(i), operands[0], operands[1], "");
    else if (LLVMIsABinaryOperator(i) && !type_is_float(LLVMTypeOf(i)))
        folded = LLVMBuildBinOp(builder, op, operands[0], operands[1], "");
    else if (op == LLVMTrunc || op == LLVMZExt || op == LLVMSExt || op == LLVMBitCast)
        folded = LLVMBuildCast(builder, op, operands[0], LLVMTypeOf(i), "");
    if (!folded || LLVMIsConstant(folded))
        return folded;
    if (LLVMGetInstructionParent(folded)) /* a quotient by zero, say; it stands where the builder is, if that is anywhere */
        LLVMInstructionEraseFromParent(folded);
    else
        LLVMDeleteInstruction(folded);
    return NULL;
}

void copy_instruction(LLVMBuilderRef builder, struct pointer_map *values, LLVMValueRef i)
{
    enum { FEW = 16 };
    unsigned count = (unsigned)LLVMGetNumOperands(i);
    LLVMValueRef few[FEW], *operands = count <= FEW ? few : checked_calloc(count, sizeof *operands);
    for (unsigned k = 0; k < count; k++)
        operands[k] = copy_of(values, LLVMGetOperand(i, k));
    LLVMValueRef copy = copy_folded(builder, i, operands);
    if (!copy) {
        copy = LLVMInstructionClone(i);
        for (unsigned k = 0; k < count; k++)
            if (operands[k] != LLVMGetOperand(i, k))
                LLVMSetOperand(copy, k, operands[k]);
        LLVMInsertIntoBuilder(builder, copy);
    }
    pointer_map_set(values, i, (size_t)copy);
    if (operands != few)
        free(operands);
}
