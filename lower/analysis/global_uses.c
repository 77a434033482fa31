/* Finds and replaces uses of global variables in one function, also inside constant addresses. */
#include "lower/analysis/global_uses.h"

#include <stdlib.h>
#include "lower/ir/ir.h"

bool global_used_in_constant(LLVMValueRef value, LLVMValueRef global)
{
    if (value == global)
        return true;
    if (!LLVMIsAConstantExpr(value) && !LLVMIsAConstantVector(value) && !LLVMIsAConstantArray(value) &&
        !LLVMIsAConstantStruct(value))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        if (global_used_in_constant(LLVMGetOperand(value, (unsigned)i), global))
            return true;
    return false;
}

/* Rebuilds `value` (the global, or a constant address computed from it) with `variable` instead of the global. */
static LLVMValueRef rebuild(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef global, LLVMValueRef variable)
{
    if (value == global)
        return variable;
    if (!global_used_in_constant(value, global))
        return value;
    if (LLVMIsAConstantVector(value)) {
        LLVMValueRef vector = LLVMGetPoison(LLVMTypeOf(value));
        LLVMTypeRef number = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(value)));
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(value); i++) {
            LLVMValueRef element = rebuild(builder, LLVMGetOperand(value, i), global, variable);
            if (!element)
                return NULL;
            vector = LLVMBuildInsertElement(builder, vector, element, LLVMConstInt(number, i, false), "");
        }
        return vector;
    }
    if (!LLVMIsAConstantExpr(value))
        return NULL;
    LLVMValueRef base = rebuild(builder, LLVMGetOperand(value, 0), global, variable);
    switch (LLVMGetConstOpcode(value)) {
    case LLVMGetElementPtr: {
        unsigned n = (unsigned)LLVMGetNumOperands(value) - 1;
        LLVMValueRef indices[8];
        if (n > 8)
            return NULL;
        for (unsigned i = 0; i < n; i++)
            indices[i] = LLVMGetOperand(value, i + 1);
        return LLVMBuildGEP2(builder, LLVMGetGEPSourceElementType(value), base, indices, n, "");
    }
    case LLVMBitCast: return LLVMBuildBitCast(builder, base, LLVMTypeOf(value), "");
    case LLVMAddrSpaceCast: return LLVMBuildAddrSpaceCast(builder, base, LLVMTypeOf(value), "");
    case LLVMPtrToInt: return LLVMBuildPtrToInt(builder, base, LLVMTypeOf(value), "");
    default: return NULL;
    }
}

LLVMValueRef global_replaced_in_constant(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef global,
                                         LLVMValueRef other)
{
    bool is_array = LLVMIsAConstantArray(value) != NULL;
    if (!is_array && !LLVMIsAConstantStruct(value))
        return rebuild(builder, value, global, other);
    LLVMTypeRef type = LLVMTypeOf(value);
    unsigned count = (unsigned)LLVMGetNumOperands(value);
    LLVMValueRef *parts = ir_calloc(count, sizeof *parts), result = NULL;
    bool good = true;
    for (unsigned i = 0; i < count && good; i++)
        good = (parts[i] = global_replaced_in_constant(builder, LLVMGetOperand(value, i), global, other)) != NULL;
    if (good && is_array)
        result = LLVMConstArray2(LLVMGetElementType(type), parts, count);
    else if (good && LLVMGetStructName(type))
        result = LLVMConstNamedStruct(type, parts, count);
    else if (good)
        result = LLVMConstStructInContext(LLVMGetTypeContext(type), parts, count, LLVMIsPackedStruct(type));
    free(parts);
    return result;
}

bool global_replace_in(LLVMBuilderRef builder, LLVMValueRef kernel, LLVMValueRef global, LLVMValueRef variable)
{
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_INSTRUCTION(i, block)
    {
        for (int k = 0; k < LLVMGetNumOperands(i); k++) {
            LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
            if (!operand || LLVMIsAInstruction(operand) || LLVMValueIsBasicBlock(operand) ||
                !global_used_in_constant(operand, global))
                continue;
            if (LLVMIsAPHINode(i))
                return lower_error(
                    i, "the address of a global variable is chosen by a branch: use the variable itself on each way");
            LLVMPositionBuilderBefore(builder, i);
            LLVMValueRef address = rebuild(builder, operand, global, variable);
            if (!address)
                return lower_error(
                    i, "the address of a global variable is used as a number: read and write the variable by its name");
            LLVMSetOperand(i, (unsigned)k, address);
        }
    }
    return true;
}

bool global_used_in(LLVMValueRef kernel, LLVMValueRef global)
{
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_INSTRUCTION(i, block)
    for (int k = 0; k < LLVMGetNumOperands(i); k++) {
        LLVMValueRef operand = LLVMGetOperand(i, (unsigned)k);
        if (operand && !LLVMValueIsBasicBlock(operand) && global_used_in_constant(operand, global))
            return true;
    }
    return false;
}
