#include "lower/ir/gep_offset.h"

#include <llvm-c/Target.h>
#include "lower/ir/ir.h"

bool gep_is_constant(LLVMValueRef gep)
{
    for (int k = 1; k < LLVMGetNumOperands(gep); k++)
        if (!LLVMIsAConstantInt(LLVMGetOperand(gep, (unsigned)k)))
            return false;
    return true;
}

static LLVMValueRef add_dynamic(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef sum, LLVMValueRef index,
                                int64_t scale)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(module));
    LLVMValueRef wide = LLVMBuildIntCast2(builder, index, i32, true, "");
    LLVMValueRef scaled = LLVMBuildMul(builder, wide, LLVMConstInt(i32, (uint64_t)scale, true), "");
    return sum ? LLVMBuildAdd(builder, sum, scaled, "") : scaled;
}

void gep_add(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef gep, int64_t *constant, LLVMValueRef *dynamic)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    int operands = LLVMGetNumOperands(gep);
    if (LLVMIsAInstruction(gep))
        LLVMPositionBuilderBefore(builder, gep);
    for (int i = 1; i < operands; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
        int64_t number;
        if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            constant_int(index, &number);
            *constant += (int64_t)LLVMOffsetOfElement(layout, type, (unsigned)number);
            type = LLVMStructGetTypeAtIndex(type, (unsigned)number);
            continue;
        }
        if (i > 1)
            type = LLVMGetElementType(type);
        int64_t scale = (int64_t)LLVMABISizeOfType(layout, type);
        if (constant_int(index, &number))
            *constant += number * scale;
        else
            *dynamic = add_dynamic(module, builder, *dynamic, index, scale);
    }
}
