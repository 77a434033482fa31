/* Lowers addresses in global memory to integers: GEPs become sums of 64-bit integers, which LLVM's passes then simplify
 * and which are legalized like others. Casts between the address spaces of global memory become the same number. */
#include <llvm-c/Target.h>
#include <stdlib.h>
#include "lower/ir/ir.h"
#include "lower/memory/pointers.h"
#include "lower/passes.h"

struct pointers {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMTypeRef number; /* i64 */
};

static LLVMValueRef scaled(struct pointers *p, LLVMValueRef index, unsigned size)
{
    LLVMValueRef wide = LLVMBuildIntCast2(p->builder, index, p->number, true, "");
    return LLVMBuildMul(p->builder, wide, LLVMConstInt(p->number, size, false), "");
}

/* Returns the byte offset of the indices from the base; NULL: an index into a type without memory layout. */
static LLVMValueRef byte_offset(struct pointers *p, LLVMValueRef gep)
{
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    LLVMValueRef sum = scaled(p, LLVMGetOperand(gep, 1), type_bytes(p->module, type));
    for (unsigned k = 2; k < (unsigned)LLVMGetNumOperands(gep); k++) {
        LLVMValueRef index = LLVMGetOperand(gep, k), part;
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);
            uint64_t at = LLVMOffsetOfElement(LLVMGetModuleDataLayout(p->module), type, member);
            part = LLVMConstInt(p->number, at, false);
            type = LLVMStructGetTypeAtIndex(type, member);
        } else if (LLVMGetTypeKind(type) == LLVMArrayTypeKind || LLVMGetTypeKind(type) == LLVMVectorTypeKind) {
            type = LLVMGetElementType(type);
            part = scaled(p, index, type_bytes(p->module, type));
        } else {
            return NULL;
        }
        sum = LLVMBuildAdd(p->builder, sum, part, "");
    }
    return sum;
}

static void to_number(struct pointers *p, LLVMValueRef gep)
{
    LLVMPositionBuilderBefore(p->builder, gep);
    LLVMValueRef offset = byte_offset(p, gep);
    if (!offset)
        return;
    LLVMValueRef base = LLVMBuildPtrToInt(p->builder, LLVMGetOperand(gep, 0), p->number, "");
    LLVMValueRef sum = LLVMBuildAdd(p->builder, base, offset, "");
    LLVMReplaceAllUsesWith(gep, LLVMBuildIntToPtr(p->builder, sum, LLVMTypeOf(gep), ""));
    LLVMInstructionEraseFromParent(gep);
}

/* Returns a constant expression of addresses and numbers as a number; __local variables are numbers by now. */
static bool number_of(struct pointers *p, LLVMValueRef constant, uint64_t *number)
{
    uint64_t other;
    if (LLVMIsAConstantInt(constant) || LLVMIsAConstantPointerNull(constant)) {
        *number = LLVMIsAConstantInt(constant) ? LLVMConstIntGetZExtValue(constant) : 0;
        return true;
    }
    if (!LLVMIsAConstantExpr(constant) || !number_of(p, LLVMGetOperand(constant, 0), number))
        return false;
    switch (LLVMGetConstOpcode(constant)) {
    case LLVMIntToPtr:
    case LLVMPtrToInt:
    case LLVMTrunc: break;
    case LLVMAdd:
    case LLVMSub:
    case LLVMXor:
        if (!number_of(p, LLVMGetOperand(constant, 1), &other))
            return false;
        *number = LLVMGetConstOpcode(constant) == LLVMAdd   ? *number + other
                  : LLVMGetConstOpcode(constant) == LLVMSub ? *number - other
                                                            : *number ^ other;
        break;
    case LLVMGetElementPtr: {
        LLVMValueRef offset =
            LLVMGetTypeKind(LLVMTypeOf(constant)) == LLVMPointerTypeKind ? byte_offset(p, constant) : NULL;
        if (!offset || !LLVMIsAConstantInt(offset))
            return false;
        *number += LLVMConstIntGetZExtValue(offset);
        break;
    }
    default: return false;
    }
    return true;
}

/* Replaces such expressions in a constant, also inside aggregates; returns the same constant if there are none. */
static LLVMValueRef simple_constant(struct pointers *p, LLVMValueRef constant)
{
    LLVMTypeRef type = LLVMTypeOf(constant);
    uint64_t number;
    if (LLVMIsAConstantExpr(constant)) {
        if (!number_of(p, constant, &number))
            return constant;
        if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
            return LLVMConstInt(type, number, false);
        return LLVMConstIntToPtr(LLVMConstInt(p->number, number, false), type);
    }
    bool is_list = LLVMIsAConstantArray(constant) || LLVMIsAConstantVector(constant) || LLVMIsAConstantStruct(constant);
    if (!is_list)
        return constant;
    unsigned count = (unsigned)LLVMGetNumOperands(constant), changed = 0;
    LLVMValueRef *elements = ir_calloc(count, sizeof *elements), list = constant;
    for (unsigned k = 0; k < count; k++) {
        elements[k] = simple_constant(p, LLVMGetOperand(constant, k));
        changed += elements[k] != LLVMGetOperand(constant, k);
    }
    if (changed && LLVMIsAConstantVector(constant))
        list = LLVMConstVector(elements, count);
    else if (changed && LLVMIsAConstantArray(constant))
        list = LLVMConstArray2(LLVMGetElementType(type), elements, count);
    else if (changed && LLVMGetStructName(type))
        list = LLVMConstNamedStruct(type, elements, count);
    else if (changed)
        list = LLVMConstStructInContext(LLVMGetModuleContext(p->module), elements, count, LLVMIsPackedStruct(type));
    free(elements);
    return list;
}

void pointers_fold_constants(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef function)
{
    struct pointers p = {module, builder, LLVMInt64TypeInContext(LLVMGetModuleContext(module))};
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
        LLVMValueRef operand = LLVMGetOperand(i, k),
                     simple = operand && LLVMIsConstant(operand) ? simple_constant(&p, operand) : operand;
        if (simple != operand)
            LLVMSetOperand(i, k, simple);
    }
    for (LLVMValueRef g = LLVMGetFirstGlobal(module); g; g = LLVMGetNextGlobal(g)) {
        LLVMValueRef first = LLVMGetInitializer(g), simple = first ? simple_constant(&p, first) : NULL;
        if (simple != first)
            LLVMSetInitializer(g, simple);
    }
}

/* Global memory has one address in all of its spaces. */
static void to_address(struct pointers *p, LLVMValueRef cast)
{
    LLVMValueRef from = LLVMGetOperand(cast, 0);
    if (LLVMGetTypeKind(LLVMTypeOf(cast)) != LLVMPointerTypeKind || !type_is_global_address(LLVMTypeOf(from)) ||
        !type_is_global_address(LLVMTypeOf(cast)))
        return;
    LLVMPositionBuilderBefore(p->builder, cast);
    LLVMValueRef number = LLVMBuildPtrToInt(p->builder, from, p->number, "");
    LLVMReplaceAllUsesWith(cast, LLVMBuildIntToPtr(p->builder, number, LLVMTypeOf(cast), ""));
    LLVMInstructionEraseFromParent(cast);
}

bool pass_pointers(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct pointers p = {module, LLVMCreateBuilderInContext(context), LLVMInt64TypeInContext(context)};
    FOR_EACH_FUNCTION(kernel, module)
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_REMOVABLE(i, block)
    {
        if (LLVMIsAGetElementPtrInst(i) && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind)
            to_number(&p, i);
        else if (LLVMIsAAddrSpaceCastInst(i))
            to_address(&p, i);
    }
    LLVMDisposeBuilder(p.builder);
    return true;
}
