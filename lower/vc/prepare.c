/* Changes calls and choices that IGC's vector back end does not take as they are, before a module is printed for it
 * (vc.h). */
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

static bool is_mask(LLVMTypeRef type)
{
    return type_lanes(type) > 1 && type_element_bits(type) == 1;
}

static LLVMValueRef for_all_lanes(LLVMBuilderRef b, LLVMValueRef bit, LLVMTypeRef type)
{
    LLVMTypeRef numbers = LLVMVectorType(LLVMInt32TypeInContext(LLVMGetTypeContext(type)), type_lanes(type));
    LLVMValueRef first = LLVMConstNull(type_element(numbers));
    return LLVMBuildShuffleVector(b, LLVMBuildInsertElement(b, LLVMGetUndef(type), bit, first, ""), LLVMGetUndef(type),
                                  LLVMConstNull(numbers), "");
}

/* A choice between masks becomes operations on bits. IGC makes blocks of one that a number decides, and where a loop
 * carries it, IGC (2.40) looks from phi to phi for the instruction that made it, and does not end
 * (GotoJoin::isEMValue). */
static LLVMValueRef choice_of_bits(LLVMBuilderRef b, LLVMValueRef select)
{
    LLVMValueRef condition = LLVMGetOperand(select, 0), yes = LLVMGetOperand(select, 1), no = LLVMGetOperand(select, 2);
    LLVMPositionBuilderBefore(b, select);
    if (!is_mask(LLVMTypeOf(condition)))
        condition = for_all_lanes(b, condition, LLVMTypeOf(select));
    LLVMValueRef chosen = LLVMBuildAnd(b, condition, yes, "");
    if (LLVMIsNull(no))
        return chosen;
    return LLVMBuildOr(b, chosen, LLVMBuildAnd(b, LLVMBuildNot(b, condition, ""), no, ""), "");
}

static void replace_choice(LLVMBuilderRef builder, LLVMValueRef select)
{
    if (!is_mask(LLVMTypeOf(select)))
        return;
    LLVMReplaceAllUsesWith(select, choice_of_bits(builder, select));
    LLVMInstructionEraseFromParent(select);
}

static bool is_compared(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use))
        if (LLVMIsAICmpInst(LLVMGetUser(use)))
            return true;
    return false;
}

/* IGC (1.0.12504, 2.40) compares 0 - x as unsigned once it knows that this is positive, and makes the subtraction a
 * source modifier of the comparison. The modifier of an unsigned source gives a negative number, which is less than
 * any. A zero that is loaded keeps it from doing so. */
static void load_zero(LLVMBuilderRef builder, LLVMModuleRef module, LLVMValueRef subtraction)
{
    LLVMValueRef zero = LLVMGetOperand(subtraction, 0);
    if (LLVMGetInstructionOpcode(subtraction) != LLVMSub || !LLVMIsNull(zero) || !is_compared(subtraction))
        return;
    LLVMPositionBuilderBefore(builder, subtraction);
    LLVMSetOperand(subtraction, 0, genx_build(builder, module, GENX_CONSTANTI, LLVMTypeOf(zero), &zero, 1));
}

void vc_prepare(LLVMModuleRef module)
{
    enum { LOAD_FIRST = 5, SAMPLE_FIRST = 6 }; /* parameters after the image */
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_REMOVABLE(i, block)
    {
        enum genx_id id = LLVMIsACallInst(i) ? genx_call_id(i) : GENX_NONE;
        if (LLVMIsASelectInst(i))
            replace_choice(builder, i);
        else if (LLVMIsABinaryOperator(i))
            load_zero(builder, module, i);
        else if (id == GENX_LOAD_3D || id == GENX_SAMPLE_3D)
            load_constants(builder, module, i, id == GENX_LOAD_3D ? LOAD_FIRST : SAMPLE_FIRST);
    }
    LLVMDisposeBuilder(builder);
}
