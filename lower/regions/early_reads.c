/* Moves region reads in front of the first write in their block that overwrites what they read. Folding regions leaves
 * reads of a vector behind its writes. Its older lanes are needed there, and the whole vector would have to be copied
 * for a few of them. Code generation keeps these lanes instead, if they are read before (bale/unbale.c). */
#include "lower/ir/region.h"
#include "lower/passes.h"

/* Returns the vector that a region write overwrites in part, if there are other users, which may read it; else NULL. */
static LLVMValueRef overwritten(LLVMValueRef i)
{
    LLVMValueRef old = region_is_write(i) ? LLVMGetOperand(i, 0) : NULL;
    return old && !LLVMIsAConstant(old) && !ir_has_one_use(old) ? old : NULL;
}

static bool has_known_lanes(LLVMValueRef read)
{
    struct region r;
    return region_of_call(read, &r);
}

static void move_reads(LLVMBuilderRef builder, LLVMBasicBlockRef block)
{
    struct pointer_map writes = {0}; /* of a vector: the first in the block */
    LLVMValueRef next;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (genx_call_id(i) == GENX_NONE)
            continue;
        LLVMValueRef old = overwritten(i);
        size_t write;
        if (old && !pointer_map_get(&writes, old, &write)) {
            pointer_map_set(&writes, old, (size_t)i);
        } else if (region_is_read(i) && pointer_map_get(&writes, LLVMGetOperand(i, 0), &write) && has_known_lanes(i)) {
            LLVMInstructionRemoveFromParent(i);
            LLVMPositionBuilderBefore(builder, (LLVMValueRef)write);
            LLVMInsertIntoBuilder(builder, i);
        }
    }
    pointer_map_free(&writes);
}

bool pass_early_reads(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(f, module)
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        move_reads(builder, b);
    LLVMDisposeBuilder(builder);
    return true;
}
