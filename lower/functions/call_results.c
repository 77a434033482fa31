/* Moves extractvalue instructions of call results right after their calls, before the next call. LLVM sinks them to
 * their uses, and at joins even merges several into one. */
#include <stdlib.h>
#include "lower/functions/functions.h"
#include "lower/ir/assembly_info.h"
#include "lower/ir/ir.h"
#include "lower/passes.h"

/* The replacement, for one result, of a phi of several calls' results. */
struct part {
    LLVMValueRef phi, value;
    unsigned index;
};

struct parts {
    LLVMBuilderRef builder;
    struct part *list;
    size_t count, capacity;
};

static LLVMValueRef result_of(struct parts *p, LLVMValueRef results, unsigned index);

static LLVMValueRef result_of_phi(struct parts *p, LLVMValueRef phi, unsigned index)
{
    for (size_t i = 0; i < p->count; i++)
        if (p->list[i].phi == phi && p->list[i].index == index)
            return p->list[i].value;
    LLVMPositionBuilderBefore(p->builder, phi);
    LLVMValueRef value = LLVMBuildPhi(p->builder, LLVMStructGetTypeAtIndex(LLVMTypeOf(phi), index), "");
    ARRAY_PUSH(p->list, p->count, p->capacity, ((struct part){phi, value, index}));
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMValueRef from = result_of(p, LLVMGetIncomingValue(phi, k), index);
        LLVMBasicBlockRef block = LLVMGetIncomingBlock(phi, k);
        LLVMAddIncoming(value, &from, &block, 1);
    }
    return value;
}

/* Returns one of a call's results, extracted right after the call. */
static LLVMValueRef result_of(struct parts *p, LLVMValueRef results, unsigned index)
{
    if (LLVMIsAPHINode(results))
        return result_of_phi(p, results, index);
    if (!function_called(results) && !assembly_is(results)) /* of a call that is never reached */
        return LLVMGetUndef(LLVMStructGetTypeAtIndex(LLVMTypeOf(results), index));
    LLVMPositionBuilderBefore(p->builder, LLVMGetNextInstruction(results));
    return LLVMBuildExtractValue(p->builder, results, index, "");
}

static void gather(struct parts *p, LLVMValueRef function)
{
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_REMOVABLE(i, block)
    {
        LLVMValueRef results = LLVMIsAExtractValueInst(i) ? LLVMGetOperand(i, 0) : NULL;
        if (!results || (!function_called(results) && !assembly_is(results) && !LLVMIsAPHINode(results)))
            continue; /* other structs are results of LLVM's intrinsics */
        LLVMReplaceAllUsesWith(i, result_of(p, results, LLVMGetIndices(i)[0]));
        LLVMInstructionEraseFromParent(i);
    }
    for (size_t i = 0; i < p->count; i++) /* the rest is dead, but may have cyclic uses */
        LLVMReplaceAllUsesWith(p->list[i].phi, LLVMGetUndef(LLVMTypeOf(p->list[i].phi)));
}

bool pass_call_results(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    FOR_EACH_FUNCTION(f, module)
    {
        if (!function_is_lowered(f))
            continue;
        struct parts parts = {.builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
        gather(&parts, f);
        free(parts.list);
        LLVMDisposeBuilder(parts.builder);
    }
    return true;
}
