/* Addresses in global memory as numbers: what LLVM says in elements and members becomes sums of 64-bit integers, which
 * its own passes then simplify, and which the part has or has not as any others. */
#include <llvm-c/Target.h>
#include "lower/ir.h"
#include "lower/passes.h"
#include "lower/pointers.h"

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

/* The bytes from the base to what the indices name; NULL: indices into something that is in no memory. */
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

/* A constant place behind a number, as those of __local variables are by now: one number. NULL: it is something else.
 */
static LLVMValueRef constant_place(struct pointers *p, LLVMValueRef address)
{
    if (!LLVMIsAConstantExpr(address) || LLVMGetConstOpcode(address) != LLVMGetElementPtr ||
        LLVMGetTypeKind(LLVMTypeOf(address)) != LLVMPointerTypeKind)
        return NULL;
    LLVMValueRef base = LLVMGetOperand(address, 0), inner = constant_place(p, base);
    LLVMValueRef number = LLVMConstPtrToInt(inner ? inner : base, p->number), offset = byte_offset(p, address);
    if (!LLVMIsAConstantInt(number) || !offset)
        return NULL;
    return LLVMConstIntToPtr(LLVMConstAdd(number, offset), LLVMTypeOf(address));
}

/* The same for a constant that an instruction takes: the place, or its number. */
static LLVMValueRef simple_constant(struct pointers *p, LLVMValueRef constant)
{
    if (!LLVMIsAConstantExpr(constant) || LLVMGetConstOpcode(constant) != LLVMPtrToInt)
        return constant_place(p, constant);
    LLVMValueRef place = constant_place(p, LLVMGetOperand(constant, 0));
    return place ? LLVMConstPtrToInt(place, LLVMTypeOf(constant)) : NULL;
}

void pointers_fold_constants(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef function)
{
    struct pointers p = {module, builder, LLVMInt64TypeInContext(LLVMGetModuleContext(module))};
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    for (unsigned k = 0; k < (unsigned)LLVMGetNumOperands(i); k++) {
        LLVMValueRef operand = LLVMGetOperand(i, k), simple = operand ? simple_constant(&p, operand) : NULL;
        if (simple)
            LLVMSetOperand(i, k, simple);
    }
}

bool pass_pointers(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMContextRef context = LLVMGetModuleContext(module);
    struct pointers p = {module, LLVMCreateBuilderInContext(context), LLVMInt64TypeInContext(context)};
    FOR_EACH_FUNCTION(kernel, module)
    FOR_EACH_BLOCK(block, kernel)
    FOR_EACH_REMOVABLE(i, block) {
        if (LLVMIsAGetElementPtrInst(i) && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind)
            to_number(&p, i);
    }
    LLVMDisposeBuilder(p.builder);
    return true;
}
