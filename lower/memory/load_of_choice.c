/* See load_of_choice.h. Of `c ? a(i) : b(j)` LLVM's instcombine makes one load from a phi of two addresses, and `c ? a
 * : b` is a reference to one of two variables. Variables that become registers have no addresses, so each is read, and
 * the value chosen:
 *
 *   load (phi [ gep %a, %i ], [ gep %b, %j ])
 *     -> select (phi i1 [ false ], [ true ]), load (phi [ %b ], [ gep %b, %j ]), load (phi [ gep %a, %i ], [ %a ])
 *
 * The phis of one variable's addresses become phis of offsets next (phi_of_gep.c). */
#include "lower/memory/load_of_choice.h"

#include <stdlib.h>
#include "lower/ir/function_info.h"
#include "lower/ir/ir.h"
#include "lower/memory/choice.h"

enum { MOST_ROOTS = 8 };

/* One of the variables. Where another one is chosen, the address is its beginning: no offset of the other's. */
struct part {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    LLVMValueRef root;
    struct pointer_map addresses; /* of choices and what is computed of them: the address in this variable */
    struct pointer_map chosen;    /* of choices: true if it is this variable */
};

/* The variables in which an address may be, and the phis and selects that choose it. */
struct roots {
    LLVMValueRef list[MOST_ROOTS];
    unsigned count;
    struct pointer_map seen;
    LLVMValueRef *choices;
    size_t choice_count, choice_capacity;
};

/* Collects the variables in which an address may be; false: not all are known, or they are too many. */
static bool find_roots(LLVMValueRef address, struct roots *roots)
{
    size_t ignored;
    address = ir_address_root(address);
    if (!is_choice(address)) {
        for (unsigned k = 0; k < roots->count; k++)
            if (roots->list[k] == address)
                return true;
        if ((!LLVMIsAAllocaInst(address) && (!LLVMIsAGlobalVariable(address) || !LLVMIsGlobalConstant(address))) ||
            roots->count == MOST_ROOTS)
            return false;
        roots->list[roots->count++] = address;
        return true;
    }
    if (pointer_map_get(&roots->seen, address, &ignored))
        return true;
    pointer_map_set(&roots->seen, address, 1);
    ARRAY_PUSH(roots->choices, roots->choice_count, roots->choice_capacity, address);
    for (unsigned k = first_chosen(address); k < (unsigned)LLVMGetNumOperands(address); k++)
        if (!find_roots(LLVMGetOperand(address, k), roots))
            return false;
    return true;
}

typedef LLVMValueRef of_address(struct part *p, LLVMValueRef address);

/* Builds the phi or select of what `of` makes of each chosen address. */
static LLVMValueRef choose(struct part *p, LLVMValueRef choice, LLVMTypeRef type, struct pointer_map *known,
                           of_address *of)
{
    size_t before;
    if (pointer_map_get(known, choice, &before))
        return (LLVMValueRef)before;
    LLVMValueRef made;
    if (LLVMIsASelectInst(choice)) {
        LLVMValueRef yes = of(p, LLVMGetOperand(choice, 1)), no = of(p, LLVMGetOperand(choice, 2));
        LLVMPositionBuilderBefore(p->builder, choice);
        made = LLVMBuildSelect(p->builder, LLVMGetOperand(choice, 0), yes, no, "");
        pointer_map_set(known, choice, (size_t)made);
        return made;
    }
    LLVMPositionBuilderBefore(p->builder, choice);
    made = LLVMBuildPhi(p->builder, type, "");
    pointer_map_set(known, choice, (size_t)made); /* it may be a part of itself */
    for (unsigned k = 0; k < LLVMCountIncoming(choice); k++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(choice, k);
        LLVMValueRef value = of(p, LLVMGetIncomingValue(choice, k));
        LLVMAddIncoming(made, &value, &from, 1);
    }
    return made;
}

/* True, as an i1, if the address is in this variable. */
static LLVMValueRef is_here(struct part *p, LLVMValueRef address)
{
    LLVMTypeRef i1 = LLVMInt1TypeInContext(LLVMGetModuleContext(p->module));
    LLVMValueRef root = ir_address_root(address);
    return is_choice(root) ? choose(p, root, i1, &p->chosen, is_here) : LLVMConstInt(i1, root == p->root, false);
}

static LLVMValueRef address_here(struct part *p, LLVMValueRef address)
{
    LLVMValueRef root = ir_address_root(address);
    size_t known;
    if (is_choice(address))
        return choose(p, address, LLVMTypeOf(address), &p->addresses, address_here);
    if (!is_choice(root))
        return root == p->root ? address : p->root;
    if (pointer_map_get(&p->addresses, address, &known))
        return (LLVMValueRef)known;
    LLVMValueRef base = address_here(p, LLVMGetOperand(address, 0)), here = is_here(p, address);
    LLVMPositionBuilderBefore(p->builder, address);
    LLVMValueRef copy = LLVMInstructionClone(address);
    LLVMInsertIntoBuilder(p->builder, copy);
    LLVMSetOperand(copy, 0, base);
    copy = LLVMBuildSelect(p->builder, here, copy, p->root, ""); /* of another variable the offset may be too large */
    pointer_map_set(&p->addresses, address, (size_t)copy);
    return copy;
}

struct parts {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    struct part *list;
    size_t count, capacity;
};

static struct part *part_of(struct parts *parts, LLVMValueRef root)
{
    for (size_t k = 0; k < parts->count; k++)
        if (parts->list[k].root == root)
            return &parts->list[k];
    ARRAY_PUSH(parts->list, parts->count, parts->capacity,
               ((struct part){.module = parts->module, .builder = parts->builder, .root = root}));
    return &parts->list[parts->count - 1];
}

static bool is_read(LLVMValueRef i)
{
    return LLVMIsALoadInst(i) || builtin_call_id(i) == BUILTIN_rdref;
}

static LLVMValueRef read_here(struct part *p, LLVMValueRef read)
{
    LLVMValueRef address = address_here(p, LLVMGetOperand(read, 0)), copy = LLVMInstructionClone(read);
    LLVMPositionBuilderBefore(p->builder, read);
    LLVMInsertIntoBuilder(p->builder, copy);
    LLVMSetOperand(copy, 0, address);
    return copy;
}

static void read_each(struct parts *parts, LLVMValueRef read, const struct roots *roots)
{
    LLVMValueRef sum = read_here(part_of(parts, roots->list[0]), read);
    for (unsigned k = 1; k < roots->count; k++) {
        struct part *p = part_of(parts, roots->list[k]);
        LLVMValueRef value = read_here(p, read), here = is_here(p, LLVMGetOperand(read, 0));
        LLVMPositionBuilderBefore(parts->builder, read);
        sum = LLVMBuildSelect(parts->builder, here, value, sum, "");
    }
    LLVMReplaceAllUsesWith(read, sum);
    LLVMInstructionEraseFromParent(read);
}

/* True if nothing but other addresses and choices uses the address. */
static bool is_unused(LLVMValueRef address, struct pointer_map *seen)
{
    size_t ignored;
    if (pointer_map_get(seen, address, &ignored))
        return true;
    pointer_map_set(seen, address, 1);
    for (LLVMUseRef use = LLVMGetFirstUse(address); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool moves = LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user) || LLVMIsAAddrSpaceCastInst(user);
        if ((!moves && !is_choice(user)) || !is_unused(user, seen))
            return false;
    }
    return true;
}

/* Removes the choices from which nothing is read any more, loops of phis among them. */
static void remove_unused(LLVMValueRef *choices, size_t count)
{
    for (size_t k = 0; k < count; k++) {
        struct pointer_map seen = {0};
        if (!is_unused(choices[k], &seen))
            choices[k] = NULL;
        pointer_map_free(&seen);
    }
    for (size_t k = 0; k < count; k++)
        if (choices[k])
            LLVMReplaceAllUsesWith(choices[k], LLVMGetPoison(LLVMTypeOf(choices[k])));
    for (size_t k = 0; k < count; k++)
        if (choices[k])
            LLVMInstructionEraseFromParent(choices[k]);
}

void load_from_each_choice(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef function)
{
    struct parts parts = {.module = module, .builder = builder};
    struct pointer_map known = {0};
    LLVMValueRef *choices = NULL;
    size_t count = 0, capacity = 0, ignored;
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_REMOVABLE(i, block)
    {
        struct roots roots = {0};
        if (!is_read(i) || !is_choice(ir_address_root(LLVMGetOperand(i, 0))))
            continue;
        if (find_roots(LLVMGetOperand(i, 0), &roots) && roots.count > 1) {
            read_each(&parts, i, &roots);
            for (size_t k = 0; k < roots.choice_count; k++)
                if (!pointer_map_get(&known, roots.choices[k], &ignored)) {
                    pointer_map_set(&known, roots.choices[k], 1);
                    ARRAY_PUSH(choices, count, capacity, roots.choices[k]);
                }
        }
        pointer_map_free(&roots.seen);
        free(roots.choices);
    }
    remove_unused(choices, count);
    for (size_t k = 0; k < parts.count; k++) {
        pointer_map_free(&parts.list[k].addresses);
        pointer_map_free(&parts.list[k].chosen);
    }
    free(parts.list);
    free(choices);
    pointer_map_free(&known);
}
