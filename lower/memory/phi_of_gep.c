/* See phi_of_gep.h. LLVM creates phis of addresses when it copies an iteration of a loop: an address that each
 * iteration computes and that is used after the loop is then one of several, which often are equal.
 *
 *   phi ptr [ gep %v, 8 ], [ gep %v, %x ]  ->  gep %v, (phi i32 [ 8 ], [ %x ])
 */
#include "lower/memory/phi_of_gep.h"

#include <stdlib.h>
#include "lower/ir/function_info.h"
#include "lower/ir/gep_offset.h"
#include "lower/ir/ir.h"
#include "lower/memory/choice.h"

/* True if all chosen addresses are in one variable; then *root is it. */
static bool find_root(LLVMValueRef address, struct pointer_map *seen, LLVMValueRef *root)
{
    size_t ignored;
    address = ir_address_root(address);
    if (!is_choice(address)) {
        bool known = LLVMIsAAllocaInst(address) || LLVMIsAGlobalVariable(address);
        bool same = known && (!*root || *root == address);
        *root = address;
        return same;
    }
    if (pointer_map_get(seen, address, &ignored))
        return true;
    pointer_map_set(seen, address, 1);
    for (unsigned k = first_chosen(address); k < (unsigned)LLVMGetNumOperands(address); k++)
        if (!find_root(LLVMGetOperand(address, k), seen, root))
            return false;
    return true;
}

struct distances {
    LLVMModuleRef module;
    LLVMBuilderRef builder;
    struct pointer_map known; /* a choice's distance */
};

static LLVMValueRef choose_distance(struct distances *d, LLVMValueRef choice);

static LLVMValueRef distance_of(struct distances *d, LLVMValueRef address)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(d->module));
    if (is_choice(address))
        return choose_distance(d, address);
    if (ir_address_root(address) == address)
        return LLVMConstNull(i32);
    LLVMValueRef inner = distance_of(d, LLVMGetOperand(address, 0)), dynamic = NULL;
    bool gep = LLVMIsAGetElementPtrInst(address) ||
               (LLVMIsAConstantExpr(address) && LLVMGetConstOpcode(address) == LLVMGetElementPtr);
    if (!gep)
        return inner;
    int64_t constant = 0;
    gep_add(d->module, d->builder, address, &constant, &dynamic);
    if (LLVMIsAInstruction(address))
        LLVMPositionBuilderBefore(d->builder, address);
    LLVMValueRef sum = LLVMBuildAdd(d->builder, inner, constant_i32(d->module, constant), "");
    return dynamic ? LLVMBuildAdd(d->builder, sum, dynamic, "") : sum;
}

/* Builds the phi or select of offsets for one of addresses. An offset that all have in common needs none. */
static LLVMValueRef choose_distance(struct distances *d, LLVMValueRef choice)
{
    LLVMTypeRef i32 = LLVMInt32TypeInContext(LLVMGetModuleContext(d->module));
    size_t known;
    if (pointer_map_get(&d->known, choice, &known))
        return (LLVMValueRef)known;
    if (LLVMIsASelectInst(choice)) {
        LLVMValueRef yes = distance_of(d, LLVMGetOperand(choice, 1)), no = distance_of(d, LLVMGetOperand(choice, 2));
        LLVMPositionBuilderBefore(d->builder, choice);
        LLVMValueRef distance = yes == no && LLVMIsAConstant(yes)
                                    ? yes
                                    : LLVMBuildSelect(d->builder, LLVMGetOperand(choice, 0), yes, no, "");
        pointer_map_set(&d->known, choice, (size_t)distance);
        return distance;
    }
    LLVMPositionBuilderBefore(d->builder, choice);
    LLVMValueRef phi = LLVMBuildPhi(d->builder, i32, ""), only = NULL;
    bool differ = false;
    pointer_map_set(&d->known, choice, (size_t)phi);
    for (unsigned k = 0; k < LLVMCountIncoming(choice); k++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(choice, k);
        LLVMValueRef distance = distance_of(d, LLVMGetIncomingValue(choice, k));
        LLVMAddIncoming(phi, &distance, &from, 1);
        differ = differ || (distance != phi && ((only && distance != only) || !LLVMIsAConstant(distance)));
        only = distance != phi ? distance : only;
    }
    if (differ || !only)
        return phi;
    LLVMReplaceAllUsesWith(phi, only);
    LLVMInstructionEraseFromParent(phi);
    pointer_map_set(&d->known, choice, (size_t)only);
    return only;
}

static void replace(struct distances *d, LLVMValueRef choice, LLVMValueRef root)
{
    LLVMTypeRef i8 = LLVMInt8TypeInContext(LLVMGetModuleContext(d->module));
    LLVMValueRef distance = choose_distance(d, choice), before = choice;
    while (LLVMIsAPHINode(before))
        before = LLVMGetNextInstruction(before);
    LLVMPositionBuilderBefore(d->builder, before);
    LLVMReplaceAllUsesWith(choice, LLVMBuildGEP2(d->builder, i8, root, &distance, 1, ""));
}

void gep_to_offsets(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef function)
{
    struct distances d = {.module = module, .builder = builder};
    LLVMValueRef *choices = NULL, *roots = NULL;
    size_t count = 0, capacity = 0, root_count = 0, root_capacity = 0;
    FOR_EACH_BLOCK(block, function)
    FOR_EACH_INSTRUCTION(i, block)
    {
        struct pointer_map seen = {0};
        LLVMValueRef root = NULL;
        if (is_choice(i) && LLVMGetTypeKind(LLVMTypeOf(i)) == LLVMPointerTypeKind && find_root(i, &seen, &root) &&
            root) {
            ARRAY_PUSH(choices, count, capacity, i);
            ARRAY_PUSH(roots, root_count, root_capacity, root);
        }
        pointer_map_free(&seen);
    }
    for (size_t k = 0; k < count; k++)
        (void)choose_distance(&d, choices[k]);
    for (size_t k = 0; k < count; k++)
        replace(&d, choices[k], roots[k]);
    for (size_t k = 0; k < count; k++)
        LLVMInstructionEraseFromParent(choices[k]);
    free(choices);
    free(roots);
    pointer_map_free(&d.known);
}
