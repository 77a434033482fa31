/* Temporaries to values, block by block: a load takes what the block last stored. LLVM's mem2reg does the same and
 * more, but looks for each variable's first use from the block's start: a block of 10,000 temporaries takes it seconds.
 */
#include <stdlib.h>
#include "lower/ir.h"
#include "lower/passes.h"

struct variable {
    LLVMValueRef alloca, stored; /* what the block that is being walked stored last; NULL: nothing yet */
    LLVMBasicBlockRef block;     /* of `stored` */
    bool is_loaded;              /* a load remains */
};

struct forward {
    struct variable *variables;
    size_t count, capacity;
    struct pointer_map numbers; /* alloca to variables[] */
};

/* Only loaded and stored as a whole, in its own type. */
static bool is_plain(LLVMValueRef alloca)
{
    LLVMTypeRef type = LLVMGetAllocatedType(alloca);
    for (LLVMUseRef use = LLVMGetFirstUse(alloca); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool load = LLVMIsALoadInst(user) && LLVMTypeOf(user) == type;
        bool store =
            LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == alloca && LLVMTypeOf(LLVMGetOperand(user, 0)) == type;
        if ((!load && !store) || LLVMGetVolatile(user))
            return false;
    }
    return true;
}

static struct variable *variable_at(struct forward *f, LLVMValueRef address)
{
    size_t number;
    return pointer_map_get(&f->numbers, address, &number) ? &f->variables[number] : NULL;
}

static void forward_block(struct forward *f, LLVMBasicBlockRef block)
{
    FOR_EACH_REMOVABLE(i, block) {
        bool store = LLVMIsAStoreInst(i) != NULL;
        if (!store && !LLVMIsALoadInst(i))
            continue;
        struct variable *v = variable_at(f, LLVMGetOperand(i, store ? 1 : 0));
        if (!v)
            continue;
        if (store) {
            v->stored = LLVMGetOperand(i, 0);
            v->block = block;
        } else if (!LLVMGetFirstUse(i)) {
            LLVMInstructionEraseFromParent(i);
        } else if (v->stored && v->block == block) {
            LLVMReplaceAllUsesWith(i, v->stored);
            LLVMInstructionEraseFromParent(i);
        } else {
            v->is_loaded = true;
        }
    }
}

static void remove_variable(LLVMValueRef alloca)
{
    for (LLVMUseRef use; (use = LLVMGetFirstUse(alloca));)
        LLVMInstructionEraseFromParent(LLVMGetUser(use)); /* stores only */
    LLVMInstructionEraseFromParent(alloca);
}

void forward_function(LLVMValueRef function)
{
    struct forward f = {0};
    FOR_EACH_INSTRUCTION(i, LLVMGetEntryBasicBlock(function))
    if (LLVMIsAAllocaInst(i) && is_plain(i)) {
        pointer_map_set(&f.numbers, i, f.count);
        ARRAY_PUSH(f.variables, f.count, f.capacity, ((struct variable){.alloca = i}));
    }
    FOR_EACH_BLOCK(block, function)
    forward_block(&f, block);
    for (size_t n = 0; n < f.count; n++)
        if (!f.variables[n].is_loaded)
            remove_variable(f.variables[n].alloca);
    pointer_map_free(&f.numbers);
    free(f.variables);
}

bool pass_forward(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f))
        forward_function(f);
    return true;
}
