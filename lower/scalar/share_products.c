/* Code hoisting for products of arguments. What many branches compute of the kernel's arguments and a constant, such as
 * a multiple of a surface's width, is computed once, at the end of the nearest block that dominates them all.
 *
 *     if (a) { .. w * 12 .. }                 x = w * 12
 *     else if (b) { .. w * 12 .. }            if (a) { .. x .. }
 *     else if (c) { .. w * 12 .. }            else if (b) { .. x .. }
 *                                             else if (c) { .. x .. } */
#include <stdlib.h>
#include "lower/ir/cfg.h"
#include "lower/passes.h"
#include "lower/scalar/equal.h"

enum { LEAST_BLOCKS = 4, MOST_USES = 4096 };

static bool is_product(LLVMValueRef i)
{
    if (!LLVMIsABinaryOperator(i) || type_lanes(LLVMTypeOf(i)) > 1 || !LLVMIsAArgument(LLVMGetOperand(i, 0)) ||
        !LLVMIsAConstantInt(LLVMGetOperand(i, 1)))
        return false;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAnd: return true;
    default: return false;
    }
}

/* Equal products, from `first` on in the list of uses of its argument. */
struct group {
    LLVMValueRef *members;
    size_t count, capacity;
    unsigned dominator;
};

static void find_group(struct group *g, const struct cfg *cfg, LLVMValueRef first)
{
    LLVMValueRef operands[] = {LLVMGetOperand(first, 0), LLVMGetOperand(first, 1)};
    LLVMOpcode op = LLVMGetInstructionOpcode(first);
    unsigned uses = 0;
    g->count = 0;
    g->dominator = cfg_number(cfg, LLVMGetInstructionParent(first));
    for (LLVMUseRef use = LLVMGetFirstUse(operands[0]); use && uses < MOST_USES; use = LLVMGetNextUse(use), uses++) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsAInstruction(user) || !is_product(user) || !scalar_is_equal(user, first, op, operands, 2))
            continue;
        unsigned block = cfg_number(cfg, LLVMGetInstructionParent(user));
        if (cfg->dominator[block] == CFG_NONE)
            continue;
        g->dominator = cfg_common_dominator(cfg, g->dominator, block);
        ARRAY_PUSH(g->members, g->count, g->capacity, user);
    }
}

/* `next`: an instruction that will be visited; another one if that is removed. */
static void share(const struct cfg *cfg, LLVMBuilderRef builder, struct group *g, LLVMValueRef first,
                  LLVMValueRef *next)
{
    for (size_t k = 0; k < g->count; k++)
        if (g->members[k] != first) {
            if (g->members[k] == *next)
                *next = LLVMGetNextInstruction(*next);
            scalar_keep_common_promises(first, g->members[k]);
            LLVMReplaceAllUsesWith(g->members[k], first);
            LLVMInstructionEraseFromParent(g->members[k]);
        }
    while (cfg_is_in_loop(cfg, g->dominator)) /* it would be computed again and again */
        g->dominator = cfg->dominator[g->dominator];
    LLVMPositionBuilderBefore(builder, LLVMGetBasicBlockTerminator(cfg->blocks[g->dominator]));
    LLVMInstructionRemoveFromParent(first);
    LLVMInsertIntoBuilder(builder, first);
}

static void share_in(LLVMValueRef function, LLVMBuilderRef builder)
{
    struct cfg cfg;
    struct group g = {0};
    cfg_build(&cfg, function);
    for (unsigned b = 0; cfg.count >= LEAST_BLOCKS && b < cfg.count; b++) {
        LLVMValueRef next;
        for (LLVMValueRef i = LLVMGetFirstInstruction(cfg.blocks[b]); i && cfg.dominator[b] != CFG_NONE; i = next) {
            next = LLVMGetNextInstruction(i);
            if (!is_product(i))
                continue;
            find_group(&g, &cfg, i);
            if (g.count >= LEAST_BLOCKS && g.dominator != b)
                share(&cfg, builder, &g, i, &next);
        }
    }
    free(g.members);
    cfg_free(&cfg);
}

bool pass_share_products(LLVMModuleRef module, const struct lower_options *options)
{
    (void)options;
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(f, module)
    if (!LLVMIsDeclaration(f))
        share_in(f, builder);
    LLVMDisposeBuilder(builder);
    return true;
}
