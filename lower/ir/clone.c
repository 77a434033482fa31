/* See clone.h. */
#include "lower/ir/clone.h"

#include <stdlib.h>
#include "lower/ir/arithmetic.h"

LLVMValueRef clone_of(const struct pointer_map *values, LLVMValueRef value)
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

/* True if a shuffle returns its first operand's lanes unchanged. */
static bool keeps_lanes(LLVMValueRef shuffle, LLVMValueRef from)
{
    unsigned lanes = LLVMGetNumMaskElements(shuffle);
    if (LLVMTypeOf(from) != LLVMTypeOf(shuffle))
        return false;
    for (unsigned k = 0; k < lanes; k++)
        if (LLVMGetMaskValue(shuffle, k) != (int)k)
            return false;
    return true;
}

static bool is_converted_integer(LLVMValueRef value)
{
    return LLVMIsASIToFPInst(value) || LLVMIsAUIToFPInst(value);
}

/* Folds x + 0.0 to x if x is a converted integer: such an x is neither -0.0, which would become 0.0, nor a denormal,
 * which the addition would flush. `matrix<float, R, C> sum = 0; sum += bytes` starts like this. NULL: not that pattern.
 */
static LLVMValueRef without_float_zero(LLVMValueRef *operands)
{
    if (is_number(operands[1], 0) && is_converted_integer(operands[0]))
        return operands[0];
    return is_number(operands[0], 0) && is_converted_integer(operands[1]) ? operands[1] : NULL;
}

/* Simplifies integer operations: with a neutral operand to the other operand, with an absorbing operand to that one. */
static LLVMValueRef without_neutral(LLVMValueRef i, LLVMOpcode op, LLVMValueRef *operands)
{
    switch (op) {
    case LLVMFAdd: return without_float_zero(operands);
    case LLVMShuffleVector: return keeps_lanes(i, operands[0]) ? operands[0] : NULL;
    case LLVMAnd: return is_number(operands[1], 0) ? operands[1] : is_number(operands[0], 0) ? operands[0] : NULL;
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
        if (is_number(operands[1], 0))
            return operands[1];
        /* fall through */
    case LLVMUDiv:
    case LLVMSDiv: return is_number(operands[1], 1) ? operands[0] : NULL;
    default: return NULL;
    }
}

/* Folds an address at distance 0 to its base. */
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

/* Folds a shuffle of constants, whose mask is not an operand. */
static LLVMValueRef shuffled(LLVMBuilderRef builder, LLVMValueRef i, LLVMValueRef *operands)
{
    unsigned lanes = LLVMGetNumMaskElements(i);
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(i)));
    LLVMValueRef *mask = ir_calloc(lanes, sizeof *mask);
    for (unsigned k = 0; k < lanes; k++) {
        int lane = LLVMGetMaskValue(i, k);
        mask[k] = lane < 0 ? LLVMGetPoison(i32) : LLVMConstInt(i32, (uint64_t)lane, false);
    }
    LLVMValueRef result = LLVMBuildShuffleVector(builder, operands[0], operands[1], LLVMConstVector(mask, lanes), "");
    free(mask);
    return result;
}

/* Folds operations on integers of up to 64 bits (counters and offsets), ten times as fast as LLVM. NULL: not such an
 * operation. */
static LLVMValueRef of_numbers(LLVMValueRef i, LLVMValueRef *operands)
{
    struct arithmetic arithmetic;
    if (!LLVMIsAConstantInt(operands[0]) || !arithmetic_of(i, &arithmetic))
        return NULL;
    bool two = !arithmetic_is_conversion(&arithmetic);
    if (two && !LLVMIsAConstantInt(operands[1]))
        return NULL;
    uint64_t a = LLVMConstIntGetZExtValue(operands[0]), b = two ? LLVMConstIntGetZExtValue(operands[1]) : 0, result;
    return arithmetic_result(&arithmetic, a, b, &result) ? LLVMConstInt(LLVMTypeOf(i), result, false) : NULL;
}

/* Folds the conversion of a constant integer to a float type that represents it exactly, so that the rounding mode does
 * not matter. */
static LLVMValueRef converted_exactly(LLVMBuilderRef builder, LLVMValueRef i, LLVMValueRef integer)
{
    if (!LLVMIsAConstantInt(integer) || type_element_bits(LLVMTypeOf(integer)) > 64)
        return NULL;
    bool with_sign = LLVMGetInstructionOpcode(i) == LLVMSIToFP;
    int64_t number = LLVMConstIntGetSExtValue(integer);
    uint64_t bits = LLVMConstIntGetZExtValue(integer), size = with_sign && number < 0 ? -(uint64_t)number : bits;
    unsigned precision = type_element_bits(LLVMTypeOf(i)) == 16 ? 8 : 24; /* 8: bfloat; half has 11 */
    return size >> precision == 0 ? LLVMBuildCast(builder, LLVMGetInstructionOpcode(i), integer, LLVMTypeOf(i), "")
                                  : NULL;
}

static LLVMValueRef of_constants(LLVMBuilderRef builder, LLVMValueRef i, LLVMValueRef *operands)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    switch (op) {
    case LLVMICmp: return LLVMBuildICmp(builder, LLVMGetICmpPredicate(i), operands[0], operands[1], "");
    case LLVMSelect: return LLVMBuildSelect(builder, operands[0], operands[1], operands[2], "");
    case LLVMExtractElement: return LLVMBuildExtractElement(builder, operands[0], operands[1], "");
    case LLVMInsertElement: return LLVMBuildInsertElement(builder, operands[0], operands[1], operands[2], "");
    case LLVMShuffleVector: return shuffled(builder, i, operands);
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMFPExt:
    case LLVMBitCast: return LLVMBuildCast(builder, op, operands[0], LLVMTypeOf(i), "");
    case LLVMSIToFP:
    case LLVMUIToFP: return converted_exactly(builder, i, operands[0]);
    default:
        return LLVMIsABinaryOperator(i) && !type_is_float(LLVMTypeOf(i))
                   ? LLVMBuildBinOp(builder, op, operands[0], operands[1], "")
                   : NULL;
    }
}

LLVMValueRef clone_folded(LLVMBuilderRef builder, LLVMValueRef i, LLVMValueRef *operands)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    if (op == LLVMCall || op == LLVMLoad || op == LLVMStore)
        return NULL; /* most of all instructions */
    if (op == LLVMGetElementPtr)
        return whole_address(i, operands);
    if (op == LLVMSelect && LLVMIsAConstantInt(operands[0]))
        return operands[LLVMConstIntGetZExtValue(operands[0]) ? 1 : 2];
    if (!are_constant(operands, (unsigned)LLVMGetNumOperands(i)))
        return without_neutral(i, op, operands);
    LLVMValueRef folded = of_numbers(i, operands);
    if (!folded)
        folded = of_constants(builder, i, operands);
    if (!folded || LLVMIsConstant(folded))
        return folded;
    if (LLVMGetInstructionParent(folded)) /* not foldable, such as a quotient by zero; it is inserted at the builder's
                                           * position, if there is one */
        LLVMInstructionEraseFromParent(folded);
    else
        LLVMDeleteInstruction(folded);
    return NULL;
}

/* `moves`: does not copy but moves `i` itself. */
static LLVMValueRef bring(LLVMBuilderRef builder, struct pointer_map *values, LLVMValueRef i, bool moves)
{
    enum { FEW = 16 };
    unsigned count = (unsigned)LLVMGetNumOperands(i), changed = 0; /* a bit for each of the first ones */
    LLVMValueRef few[FEW], *operands = count <= FEW ? few : ir_calloc(count, sizeof *operands);
    for (unsigned k = 0; k < count; k++) {
        LLVMValueRef operand = LLVMGetOperand(i, k);
        operands[k] = clone_of(values, operand);
        changed |= operands[k] == operand || k >= FEW ? 0 : 1u << k;
    }
    LLVMValueRef folded = clone_folded(builder, i, operands), copy = NULL;
    if (!folded) {
        if (moves)
            LLVMInstructionRemoveFromParent(i);
        copy = moves ? i : LLVMInstructionClone(i);
        for (unsigned k = 0; k < count; k++)
            if (k >= FEW || changed >> k & 1)
                LLVMSetOperand(copy, k, operands[k]);
        LLVMInsertIntoBuilder(builder, copy);
    }
    if (copy != i)
        pointer_map_set(values, i, (size_t)(folded ? folded : copy));
    if (operands != few)
        free(operands);
    return copy;
}

LLVMValueRef clone_instruction(LLVMBuilderRef builder, struct pointer_map *values, LLVMValueRef i)
{
    return bring(builder, values, i, false);
}

LLVMValueRef clone_move(LLVMBuilderRef builder, struct pointer_map *values, LLVMValueRef i)
{
    return bring(builder, values, i, true);
}
