/* Promotes variables that are only loaded and stored as a whole to SSA values. A load gets the last value that its
 * block stored; without one, the values at the ends of the predecessors, merged by a phi if there are several (Braun
 * and others, "Simple and Efficient Construction of Static Single Assignment Form", 2013). Phis of one value are
 * removed again. LLVM's mem2reg does the same, but searches for each variable's first use from the block's start: a
 * block of 10,000 temporaries takes it seconds. */
#include <stdlib.h>
#include "lower/ir/cfg.h"
#include "lower/memory/mem2reg.h"
#include "lower/passes.h"

/* A phi that was created for a variable at the start of a block. */
struct join {
    LLVMValueRef phi;
    size_t variable;
    unsigned block;
};

struct promote {
    struct cfg cfg;
    bool *reached; /* per block */
    LLVMBuilderRef builder;
    LLVMValueRef *variables;
    size_t count, capacity;
    struct pointer_map numbers; /* alloca to variables[] */
    struct pointer_map
        ends; /* map: variable in a block (place()) to its value at the end of the visited part of the block */
    struct pointer_map of_phi; /* joins' phis to their variables */
    struct join *joins;
    size_t join_count, join_capacity;
};

/* True if the variable is only loaded and stored as a whole, in its own type. */
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

/* A key of `ends`: a number that is not an address but is spaced like one. */
static const void *place(const struct promote *p, size_t variable, unsigned block)
{
    enum { GRAIN = 16 };
    return (const void *)((variable * p->cfg.count + block + 1) * GRAIN);
}

static LLVMValueRef undefined(const struct promote *p, size_t variable)
{
    return LLVMGetUndef(LLVMGetAllocatedType(p->variables[variable]));
}

/* Creates a phi, later variables first, like LLVM's mem2reg: which of two vectors that a loop swaps is copied depends
 * on the order. */
static LLVMValueRef new_phi(struct promote *p, size_t variable, unsigned block)
{
    LLVMValueRef behind = LLVMGetFirstInstruction(p->cfg.blocks[block]);
    size_t other;
    while (pointer_map_get(&p->of_phi, behind, &other) && other > variable)
        behind = LLVMGetNextInstruction(behind);
    LLVMPositionBuilderBefore(p->builder, behind);
    LLVMSetCurrentDebugLocation2(p->builder, NULL);
    LLVMValueRef phi = LLVMBuildPhi(p->builder, LLVMGetAllocatedType(p->variables[variable]), "");
    ARRAY_PUSH(p->joins, p->join_count, p->join_capacity, ((struct join){phi, variable, block}));
    pointer_map_set(&p->of_phi, phi, variable);
    return phi;
}

/* Returns the value of `variable` at the end of the visited part of `block`. */
static LLVMValueRef value_at(struct promote *p, size_t variable, unsigned block)
{
    unsigned at = block;
    size_t found;
    while (!pointer_map_get(&p->ends, place(p, variable, at), &found)) {
        if (p->cfg.predecessor_count[at] != 1) {
            found = (size_t)(p->cfg.predecessor_count[at] ? new_phi(p, variable, at) : undefined(p, variable));
            pointer_map_set(&p->ends, place(p, variable, at), found);
            break;
        }
        at = p->cfg.predecessors[at][0];
    }
    for (; block != at; block = p->cfg.predecessors[block][0])
        pointer_map_set(&p->ends, place(p, variable, block), found);
    return (LLVMValueRef)found;
}

static void promote_block(struct promote *p, unsigned block)
{
    FOR_EACH_REMOVABLE(i, p->cfg.blocks[block])
    {
        size_t variable;
        bool store = LLVMIsAStoreInst(i) != NULL;
        if ((!store && !LLVMIsALoadInst(i)) ||
            !pointer_map_get(&p->numbers, LLVMGetOperand(i, store ? 1 : 0), &variable))
            continue;
        if (store)
            pointer_map_set(&p->ends, place(p, variable, block), (size_t)LLVMGetOperand(i, 0));
        else if (LLVMGetFirstUse(i))
            LLVMReplaceAllUsesWith(i, value_at(p, variable, block));
        LLVMInstructionEraseFromParent(i);
    }
}

/* Adds the phis' incoming values, which may create more phis. */
static void fill_joins(struct promote *p)
{
    for (size_t n = 0; n < p->join_count; n++) {
        struct join join = p->joins[n];
        for (unsigned k = 0; k < p->cfg.predecessor_count[join.block]; k++) {
            unsigned from = p->cfg.predecessors[join.block][k];
            LLVMValueRef value = p->reached[from] ? value_at(p, join.variable, from) : undefined(p, join.variable);
            LLVMAddIncoming(join.phi, &value, &p->cfg.blocks[from], 1);
        }
    }
}

/* Returns the only value that a phi merges besides itself; NULL: there are several. */
static LLVMValueRef joined_value(LLVMValueRef phi)
{
    LLVMValueRef only = NULL;
    for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
        LLVMValueRef value = LLVMGetIncomingValue(phi, k);
        if (value == phi || value == only)
            continue;
        if (only)
            return NULL;
        only = value;
    }
    return only;
}

static void remove_joins_of_one(struct promote *p)
{
    for (bool changed = true; changed;) {
        changed = false;
        for (size_t n = 0; n < p->join_count; n++) {
            LLVMValueRef only = p->joins[n].phi ? joined_value(p->joins[n].phi) : NULL;
            if (!only)
                continue;
            LLVMReplaceAllUsesWith(p->joins[n].phi, only);
            LLVMInstructionEraseFromParent(p->joins[n].phi);
            p->joins[n].phi = NULL;
            changed = true;
        }
    }
}

/* Deletes the variable. Its remaining uses are in unreachable blocks. */
static void remove_variable(LLVMValueRef alloca)
{
    for (LLVMUseRef use; (use = LLVMGetFirstUse(alloca));) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user))
            LLVMReplaceAllUsesWith(user, LLVMGetUndef(LLVMTypeOf(user)));
        LLVMInstructionEraseFromParent(user);
    }
    LLVMInstructionEraseFromParent(alloca);
}

static void promote_variables(struct promote *p, LLVMValueRef function)
{
    cfg_build(&p->cfg, function);
    p->builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));
    p->reached = ir_calloc(p->cfg.count, sizeof *p->reached);
    unsigned *order = ir_calloc(p->cfg.count, sizeof *order), reached = cfg_order(&p->cfg, order);
    for (unsigned n = 0; n < reached; n++)
        p->reached[order[n]] = true;
    for (unsigned n = 0; n < reached; n++)
        promote_block(p, order[n]);
    fill_joins(p);
    remove_joins_of_one(p);
    for (size_t n = 0; n < p->count; n++)
        remove_variable(p->variables[n]);
    free(order);
    free(p->reached);
    free(p->joins);
    LLVMDisposeBuilder(p->builder);
    pointer_map_free(&p->ends);
    pointer_map_free(&p->of_phi);
    cfg_free(&p->cfg);
}

void mem2reg_function(LLVMValueRef function)
{
    struct promote p = {0};
    FOR_EACH_INSTRUCTION(i, LLVMGetEntryBasicBlock(function))
    if (LLVMIsAAllocaInst(i) && is_plain(i)) {
        pointer_map_set(&p.numbers, i, p.count);
        ARRAY_PUSH(p.variables, p.count, p.capacity, i);
    }
    if (p.count)
        promote_variables(&p, function);
    pointer_map_free(&p.numbers);
    free(p.variables);
}

bool pass_mem2reg(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f))
        mem2reg_function(f);
    return true;
}
