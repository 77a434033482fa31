/* Changes calls that IGC's vector back end does not take as they are, before a module is printed for it (vc.h). */
#include "lower/vc/vc.h"

/* IGC crashes (1.0.12504, 2.40) where a parameter of the sampler is a constant: only its last parameters may be zeros,
 * which it drops. */
static void load_constants(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef call, unsigned first)
{
    unsigned end = LLVMGetNumArgOperands(call);
    while (end > first + 1 && LLVMIsNull(LLVMGetOperand(call, end - 1)))
        end--;
    LLVMPositionBuilderBefore(builder, call);
    for (unsigned n = first; n < end; n++) {
        LLVMValueRef value = LLVMGetOperand(call, n);
        LLVMTypeRef type = LLVMTypeOf(value);
        if (LLVMIsConstant(value))
            LLVMSetOperand(
                call, n,
                genx_build(builder, module, type_is_float(type) ? GENX_CONSTANTF : GENX_CONSTANTI, type, &value, 1));
    }
}

void vc_prepare(LLVMModuleRef module)
{
    enum { LOAD_FIRST = 5, SAMPLE_FIRST = 6 }; /* parameters after the image */
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_INSTRUCTION(i, block)
    {
        enum genx_id id = LLVMIsACallInst(i) ? genx_call_id(i) : GENX_NONE;
        if (id == GENX_LOAD_3D || id == GENX_SAMPLE_3D)
            load_constants(builder, module, i, id == GENX_LOAD_3D ? LOAD_FIRST : SAMPLE_FIRST);
    }
    LLVMDisposeBuilder(builder);
}
