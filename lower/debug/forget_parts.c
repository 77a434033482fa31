/* Forgets parts of variables that only watches read: LLVM's sroa divides a variable in memory by its accesses, and
 * takes their types for the parts. So a watch stays only if the program reads or writes just that part, as that type.
 */
#include <stdlib.h>
#include "lower/debug/watch_parts.h"
#include "lower/ir/function_info.h"
#include "lower/ir/gep_offset.h"
#include "lower/ir/watch.h"

/* A load or store of a variable. */
struct part_access {
    LLVMValueRef instruction;
    LLVMTypeRef type;
    int64_t offset;
    bool is_watch;
};

struct part_accesses {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    struct part_access *list;
    size_t count, capacity;
};

static bool is_only_watched(LLVMValueRef load)
{
    for (LLVMUseRef use = LLVMGetFirstUse(load); use; use = LLVMGetNextUse(use))
        if (!ir_is_watch(LLVMGetUser(use)))
            return false;
    return LLVMGetFirstUse(load) != NULL;
}

/* Lists the accesses at an address. False: there are others, for which LLVM leaves the variable as it is. */
static bool find_accesses(struct part_accesses *a, LLVMValueRef address, int64_t offset)
{
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use), dynamic = NULL;
        int64_t at = offset;
        if (LLVMIsALoadInst(user)) {
            ARRAY_PUSH(a->list, a->count, a->capacity,
                       ((struct part_access){user, LLVMTypeOf(user), offset, is_only_watched(user)}));
        } else if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == address) {
            ARRAY_PUSH(a->list, a->count, a->capacity,
                       ((struct part_access){user, LLVMTypeOf(LLVMGetOperand(user, 0)), offset, false}));
        } else if (LLVMIsAGetElementPtrInst(user) && gep_is_constant(user)) {
            gep_add(a->module, a->builder, user, &at, &dynamic);
            if (!find_accesses(a, user, at))
                return false;
        } else if (!ir_calls_named(user, "llvm.mem") && !ir_calls_named(user, "llvm.lifetime.")) {
            return false;
        }
    }
    return true;
}

static bool is_of_program(const struct part_accesses *a, const struct part_access *watched)
{
    for (size_t k = 0; k < a->count; k++) {
        const struct part_access *other = &a->list[k];
        if (!other->is_watch && other->offset == watched->offset && other->type == watched->type)
            return true;
    }
    return false;
}

static void forget(struct part_access *watched)
{
    LLVMReplaceAllUsesWith(watched->instruction, LLVMGetPoison(watched->type));
    LLVMValueRef address = LLVMGetOperand(watched->instruction, 0);
    LLVMInstructionEraseFromParent(watched->instruction);
    while (LLVMIsAGetElementPtrInst(address) && !LLVMGetFirstUse(address)) {
        LLVMValueRef next = LLVMGetOperand(address, 0);
        LLVMInstructionEraseFromParent(address);
        address = next;
    }
}

void watch_forget_parts(LLVMModuleRef module)
{
    struct part_accesses a = {.module = module, .builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module))};
    FOR_EACH_FUNCTION(f, module)
    FOR_EACH_BLOCK(block, f)
    FOR_EACH_INSTRUCTION(i, block)
    {
        a.count = 0;
        if (!LLVMIsAAllocaInst(i) || !find_accesses(&a, i, 0))
            continue;
        for (size_t k = 0; k < a.count; k++)
            if (a.list[k].is_watch && !is_of_program(&a, &a.list[k]))
                forget(&a.list[k]);
    }
    free(a.list);
    LLVMDisposeBuilder(a.builder);
}
