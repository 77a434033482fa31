/* Simplifies instructions. See inst_simplify.h. */
#include "lower/scalar/inst_simplify.h"

#include "lower/ir/clone.h"

/* ---- operations that are known values ---- */

/* Simplifies a phi or select of one value (and undefined ones) to that value. */
static LLVMValueRef only_choice(LLVMValueRef *operands)
{
    if (operands[1] == operands[2] || (LLVMIsUndef(operands[2]) && LLVMIsConstant(operands[1])))
        return operands[1];
    return LLVMIsUndef(operands[1]) && LLVMIsConstant(operands[2]) ? operands[2] : NULL;
}

/* Returns the i1 mask that was extended to `value`; NULL: it was not. */
static LLVMValueRef widened_bit(LLVMValueRef value)
{
    if (!LLVMIsAZExtInst(value) && !LLVMIsASExtInst(value))
        return NULL;
    LLVMValueRef bit = LLVMGetOperand(value, 0);
    return type_is_mask(LLVMTypeOf(bit)) ? bit : NULL;
}

static bool is_zero(LLVMValueRef value)
{
    return LLVMIsConstant(value) && LLVMIsNull(value);
}

/* Simplifies inverse pairs: extractelement of insertelement and vice versa; truncation of an extension; a compare of it
 * with zero. */
static LLVMValueRef undone(LLVMValueRef i, LLVMValueRef *operands)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMExtractElement:
        return LLVMIsAInsertElementInst(operands[0]) && LLVMIsAConstantInt(operands[1]) &&
                       LLVMGetOperand(operands[0], 2) == operands[1]
                   ? LLVMGetOperand(operands[0], 1)
                   : NULL;
    case LLVMInsertElement:
        return LLVMIsAExtractElementInst(operands[1]) && LLVMIsUndef(operands[0]) &&
                       LLVMGetOperand(operands[1], 1) == operands[2] &&
                       LLVMTypeOf(LLVMGetOperand(operands[1], 0)) == LLVMTypeOf(i)
                   ? LLVMGetOperand(operands[1], 0)
                   : NULL;
    case LLVMTrunc:
        return (LLVMIsAZExtInst(operands[0]) || LLVMIsASExtInst(operands[0])) &&
                       LLVMTypeOf(LLVMGetOperand(operands[0], 0)) == LLVMTypeOf(i)
                   ? LLVMGetOperand(operands[0], 0)
                   : NULL;
    case LLVMBitCast:
        return LLVMIsABitCastInst(operands[0]) && LLVMTypeOf(LLVMGetOperand(operands[0], 0)) == LLVMTypeOf(i)
                   ? LLVMGetOperand(operands[0], 0)
                   : NULL;
    case LLVMICmp:
        return LLVMGetICmpPredicate(i) == LLVMIntNE && is_zero(operands[1]) ? widened_bit(operands[0]) : NULL;
    default: return NULL;
    }
}

/* ---- cheaper operations ---- */

/* Simplifies `(trunc(sext(compare))) & 1` to one extension of the compare. */
static LLVMValueRef widened_at_once(LLVMBuilderRef builder, LLVMValueRef i, LLVMValueRef *operands)
{
    LLVMOpcode op = LLVMGetInstructionOpcode(i);
    LLVMValueRef bit = op == LLVMTrunc || op == LLVMAnd ? widened_bit(operands[0]) : NULL;
    if (!bit || (op == LLVMAnd && operands[1] != constant_number(LLVMTypeOf(i), 1)))
        return NULL;
    LLVMPositionBuilderBefore(builder, i);
    return op == LLVMTrunc && LLVMIsASExtInst(operands[0]) ? LLVMBuildSExt(builder, bit, LLVMTypeOf(i), "")
                                                           : LLVMBuildZExt(builder, bit, LLVMTypeOf(i), "");
}

/* Returns log2 of a constant that is the same power of two in every lane; -1: it is not. */
static int power_of_two(LLVMValueRef constant)
{
    uint64_t bits;
    return constant_in_lanes(constant, &bits) && bits && !(bits & (bits - 1)) ? __builtin_ctzll(bits) : -1;
}

/* Replaces a multiplication by a power of two by a shift. */
static LLVMValueRef shifted(LLVMBuilderRef builder, LLVMValueRef i, LLVMValueRef *operands)
{
    int right = power_of_two(operands[1]), power = right < 0 ? power_of_two(operands[0]) : right;
    if (power < 0)
        return NULL;
    LLVMTypeRef type = LLVMTypeOf(i);
    LLVMPositionBuilderBefore(builder, i);
    LLVMValueRef shift = LLVMBuildShl(builder, operands[right < 0 ? 1 : 0], constant_number(type, power), "");
    if (LLVMIsAInstruction(shift)) {
        LLVMSetNUW(shift, LLVMGetNUW(i));
        LLVMSetNSW(shift, LLVMGetNSW(i) && (unsigned)power + 1 < type_element_bits(type));
    }
    return shift;
}

/* True if a value is the operation with a constant second operand. */
static bool is_step(LLVMValueRef value, LLVMOpcode op)
{
    return LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == op &&
           LLVMIsAConstantInt(LLVMGetOperand(value, 1));
}

/* Replaces (x + constant) << n by (x << n) + constant, so that the constant part of an offset is last and visible. */
static LLVMValueRef distributed(LLVMBuilderRef builder, LLVMValueRef i, LLVMValueRef *operands)
{
    LLVMValueRef sum = operands[0];
    if (!LLVMIsAConstantInt(operands[1]) || !is_step(sum, LLVMAdd))
        return NULL;
    LLVMPositionBuilderBefore(builder, i);
    LLVMValueRef constant = LLVMBuildShl(builder, LLVMGetOperand(sum, 1), operands[1], "");
    return LLVMBuildAdd(builder, LLVMBuildShl(builder, LLVMGetOperand(sum, 0), operands[1], ""), constant, "");
}

/* Merges two left shifts by constants. */
static LLVMValueRef shifted_once(LLVMBuilderRef builder, LLVMValueRef i, LLVMValueRef *operands)
{
    if (!LLVMIsAConstantInt(operands[1]))
        return NULL;
    uint64_t first = LLVMConstIntGetZExtValue(LLVMGetOperand(operands[0], 1)),
             second = LLVMConstIntGetZExtValue(operands[1]);
    unsigned bits = type_element_bits(LLVMTypeOf(i));
    if (first >= bits || second >= bits - first)
        return NULL;
    LLVMPositionBuilderBefore(builder, i);
    return LLVMBuildShl(builder, LLVMGetOperand(operands[0], 0),
                        constant_number(LLVMTypeOf(i), (int64_t)(first + second)), "");
}

/* Splits (x << n | c) >> n with a small constant c into separate shifts, because nothing carries between them. */
static LLVMValueRef shifted_apart(LLVMBuilderRef builder, LLVMValueRef i, LLVMValueRef *operands)
{
    if (!LLVMIsAConstantInt(operands[1]) || type_element_bits(LLVMTypeOf(i)) > 64 || !is_step(operands[0], LLVMAdd) ||
        !is_step(LLVMGetOperand(operands[0], 0), LLVMShl))
        return NULL;
    LLVMValueRef multiple = LLVMGetOperand(operands[0], 0);
    uint64_t zeros = LLVMConstIntGetZExtValue(LLVMGetOperand(multiple, 1)), by = LLVMConstIntGetZExtValue(operands[1]),
             constant = LLVMConstIntGetZExtValue(LLVMGetOperand(operands[0], 1));
    unsigned bits = type_element_bits(LLVMTypeOf(i));
    if (zeros >= bits || by >= bits || constant >> zeros != 0)
        return NULL;
    LLVMPositionBuilderBefore(builder, i);
    return LLVMBuildAdd(builder, LLVMBuildLShr(builder, multiple, operands[1], ""),
                        constant_number(LLVMTypeOf(i), (int64_t)(constant >> by)), "");
}

static LLVMValueRef rebuilt(LLVMBuilderRef builder, LLVMValueRef i, LLVMValueRef *operands)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMTrunc:
    case LLVMAnd: return widened_at_once(builder, i, operands);
    case LLVMMul: return shifted(builder, i, operands);
    case LLVMShl:
        return is_step(operands[0], LLVMShl) ? shifted_once(builder, i, operands) : distributed(builder, i, operands);
    case LLVMLShr: return shifted_apart(builder, i, operands);
    default: return NULL;
    }
}

LLVMValueRef scalar_simpler_value(LLVMBuilderRef builder, LLVMValueRef i, LLVMValueRef *operands, bool *built)
{
    LLVMValueRef found = LLVMIsASelectInst(i) ? only_choice(operands) : undone(i, operands);
    if (!found)
        found = clone_folded(builder, i, operands);
    if (found)
        return found;
    found = rebuilt(builder, i, operands);
    if (found)
        LLVMClearInsertionPosition(builder); /* `i` may go, and clone_folded() may have to build */
    *built = found && LLVMIsAInstruction(found);
    return found;
}
