/* Runs LLVM's SROA to turn references into values, and folds loads from constant tables, so that lanes of subviews
 * become known. */
#include <llvm-c/Target.h>
#include "lower/debug/watch_parts.h"
#include "lower/ir/ir.h"
#include "lower/passes.h"

/* Returns the constant table that an address is in and the offset in bytes; NULL: not known. */
static LLVMValueRef table_of(LLVMValueRef address, uint64_t *offset)
{
    int64_t bytes;
    *offset = 0;
    if (LLVMIsAConstantExpr(address) && LLVMGetConstOpcode(address) == LLVMGetElementPtr) {
        if (LLVMGetNumOperands(address) != 2 || type_element_bits(LLVMGetGEPSourceElementType(address)) != 8 ||
            !constant_int(LLVMGetOperand(address, 1), &bytes) || bytes < 0)
            return NULL;
        *offset = (uint64_t)bytes;
        address = LLVMGetOperand(address, 0);
    }
    return LLVMIsAGlobalVariable(address) && LLVMIsGlobalConstant(address) ? LLVMGetInitializer(address) : NULL;
}

/* Returns the loaded constant; NULL: not known. */
static LLVMValueRef loaded(LLVMTargetDataRef layout, LLVMValueRef load)
{
    uint64_t offset;
    LLVMValueRef found = table_of(LLVMGetOperand(load, 0), &offset);
    while (found && LLVMTypeOf(found) != LLVMTypeOf(load)) {
        LLVMTypeRef type = LLVMTypeOf(found);
        if (LLVMGetTypeKind(type) != LLVMArrayTypeKind)
            return NULL;
        uint64_t size = LLVMABISizeOfType(layout, LLVMGetElementType(type));
        found = offset / size < LLVMGetArrayLength2(type) ? LLVMGetAggregateElement(found, (unsigned)(offset / size))
                                                          : NULL;
        offset %= size;
    }
    return offset ? NULL : found;
}

/* False: there are loads left that LLVM may fold. */
static bool fold_loads(LLVMModuleRef module)
{
    LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
    bool all = true;
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_REMOVABLE(i, block)
    {
        if (!LLVMIsALoadInst(i) || LLVMGetVolatile(i) || !LLVMIsConstant(LLVMGetOperand(i, 0)))
            continue;
        LLVMValueRef found = loaded(layout, i);
        all &= found != NULL;
        if (!found)
            continue;
        LLVMReplaceAllUsesWith(i, found);
        LLVMInstructionEraseFromParent(i);
    }
    return all;
}

bool pass_run_sroa(LLVMModuleRef module, const struct lower_options *options)
{
    if (options->track_values)
        watch_forget_parts(module);
    return ir_run_llvm_passes(module, "function(sroa)") &&
           (fold_loads(module) || ir_run_llvm_passes(module, "function(instsimplify)"));
}
