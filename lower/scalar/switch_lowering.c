/* Lowers switches to a binary search tree of compares, or to a jump table. A chain of compares costs half of all jumps
 * where the number is found, and all of them where it is not. So compares split the cases in halves as long as that
 * saves jumps, and the remaining cases are compared one by one. Dense cases use a jump table, except on fused EUs,
 * which take branches in pairs.
 *
 *     switch (x) { case 1: a; case 5: b; case 70: c; case 90: d; }
 *     if (x < 70) { if (x == 1) a; else if (x == 5) b; } else { if (x == 70) c; else if (x == 90) d; } */
#include "lower/scalar/switch_lowering.h"
#include <stdlib.h>
#include "lower/passes.h"

enum { MOST_COMPARED = 3 }; /* cases that are compared one by one */

struct switch_case {
    LLVMValueRef number;
    int64_t bits;
    LLVMBasicBlockRef to;
};

/* Some cases of a switch, and the range of values that can reach them (up to 32 bits). */
struct case_group {
    struct switch_case *cases;
    unsigned count;
    struct range range;
};

struct lowering {
    LLVMBuilderRef builder;
    LLVMValueRef value;
    LLVMBasicBlockRef otherwise;
    bool complete; /* the value is one of the numbers */
    bool tables;   /* the platform has jump tables */
    struct edge {
        LLVMBasicBlockRef from, to;
    } *edges; /* new edges that replace the switch's edges */
    size_t edge_count, edge_capacity;
};

static bool is_wide(LLVMValueRef value)
{
    return LLVMGetIntTypeWidth(LLVMTypeOf(value)) == 64;
}

static bool is_unreachable(LLVMBasicBlockRef block)
{
    return LLVMIsAUnreachableInst(LLVMGetFirstInstruction(block));
}

/* Fused EUs, which take branches in pairs, have no jump tables. */
static bool has_tables(const struct platform *platform)
{
    return !platform_has(platform, FEATURE_FUSED_EU);
}

static bool table_pays(unsigned count, bool complete, struct range numbers)
{
    uint64_t span = (uint64_t)numbers.high - (uint64_t)numbers.low;
    return count >= (complete ? MOST_COMPARED + 1 : MOST_COMPARED + 2) && span < SWITCH_LABELS &&
           span < 2 * (uint64_t)count;
}

bool scalar_switch_table(const struct platform *platform, LLVMValueRef i, struct range *table, bool *complete)
{
    LLVMValueRef value = LLVMGetOperand(i, 0);
    unsigned count = LLVMGetNumSuccessors(i) - 1;
    if (!has_tables(platform) || !count || is_wide(value) || type_is_mask(LLVMTypeOf(value)))
        return false;
    *table = (struct range){INT64_MAX, INT64_MIN};
    for (unsigned k = 1; k <= count; k++) {
        int64_t number = LLVMConstIntGetSExtValue(LLVMGetOperand(i, 2 * k));
        table->low = number < table->low ? number : table->low;
        table->high = number > table->high ? number : table->high;
    }
    *complete =
        is_unreachable(LLVMGetSuccessor(i, 0)) || range_within(range_of_integer(value), table->low, table->high);
    if (!table_pays(count, *complete, *table))
        return false;
    if (table->low > 0 && table->high < SWITCH_LABELS &&
        table->high < 2 * (int64_t)count) /* the value is its own index */
        table->low = 0;
    return true;
}

/* ---- */

static int by_all(const void *a, const void *b)
{
    int64_t x = ((const struct switch_case *)a)->bits, y = ((const struct switch_case *)b)->bits;
    return (x > y) - (x < y);
}

static int by_low(const void *a, const void *b)
{
    uint32_t x = (uint32_t)((const struct switch_case *)a)->bits, y = (uint32_t)((const struct switch_case *)b)->bits;
    return (x > y) - (x < y);
}

/* Returns the number of cases in the first half if the 32 bits of the sorted case values from `shift` on differ, as
 * near to the middle as possible; 0: they do not. */
static unsigned middle(const struct case_group *group, unsigned shift)
{
    for (unsigned off = 0; off <= group->count / 2; off++) {
        unsigned indices[2] = {group->count / 2 - off, group->count / 2 + off};
        for (unsigned k = 0; k < 2; k++)
            if (indices[k] > 0 && indices[k] < group->count &&
                (uint32_t)(group->cases[indices[k] - 1].bits >> shift) !=
                    (uint32_t)(group->cases[indices[k]].bits >> shift))
                return indices[k];
    }
    return 0;
}

static bool is_complete(const struct lowering *l, const struct case_group *group)
{
    return l->complete || (!is_wide(l->value) && group->range.high - group->range.low < group->count);
}

static LLVMBasicBlockRef new_block(struct lowering *l, LLVMBasicBlockRef previous)
{
    LLVMBasicBlockRef block =
        LLVMAppendBasicBlockInContext(LLVMGetTypeContext(LLVMTypeOf(l->value)), LLVMGetBasicBlockParent(previous), "");
    LLVMMoveBasicBlockAfter(block, previous);
    return block;
}

static void add_edge(struct lowering *l, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    ARRAY_PUSH(l->edges, l->edge_count, l->edge_capacity, ((struct edge){from, to}));
}

static void compare_one_by_one(struct lowering *l, const struct case_group *group, LLVMBasicBlockRef at)
{
    LLVMBasicBlockRef last = l->otherwise;
    unsigned compared = group->count;
    if (is_complete(l, group))
        last = group->cases[--compared].to;
    for (unsigned k = 0; k < compared; k++) {
        bool more = k + 1 < compared;
        if (!more && group->cases[k].to == last)
            break;
        LLVMBasicBlockRef next = more ? new_block(l, at) : last;
        LLVMPositionBuilderAtEnd(l->builder, at);
        LLVMValueRef equal = LLVMBuildICmp(l->builder, LLVMIntEQ, l->value, group->cases[k].number, "");
        LLVMBuildCondBr(l->builder, equal, group->cases[k].to, next);
        add_edge(l, at, group->cases[k].to);
        if (!more) {
            add_edge(l, at, last);
            return;
        }
        at = next;
    }
    LLVMPositionBuilderAtEnd(l->builder, at);
    LLVMBuildBr(l->builder, last);
    add_edge(l, at, last);
}

/* Builds a switch of these cases, which becomes a jump table. */
static void build_table(struct lowering *l, const struct case_group *group, LLVMBasicBlockRef at)
{
    LLVMBasicBlockRef otherwise = l->otherwise;
    if (is_complete(l, group) && !l->complete) {
        otherwise = new_block(l, at);
        LLVMPositionBuilderAtEnd(l->builder, otherwise);
        LLVMBuildUnreachable(l->builder);
    }
    LLVMPositionBuilderAtEnd(l->builder, at);
    LLVMValueRef table = LLVMBuildSwitch(l->builder, l->value, otherwise, group->count);
    add_edge(l, at, otherwise);
    for (unsigned k = 0; k < group->count; k++) {
        LLVMAddCase(table, group->cases[k].number, group->cases[k].to);
        add_edge(l, at, group->cases[k].to);
    }
}

/* Builds the compare that selects the first half, which stays in `group`; `rest` gets the other half. For 64-bit
 * numbers it compares one dword, because any compare that halves the cases is good. */
static LLVMValueRef build_split(struct lowering *l, struct case_group *group, struct case_group *rest)
{
    bool wide = is_wide(l->value), high = wide;
    unsigned half = middle(group, wide ? 32 : 0);
    if (wide && (half < group->count / 3 || group->count - half < group->count / 3)) {
        qsort(group->cases, group->count, sizeof *group->cases, by_low);
        high = false;
        half = middle(group, 0);
    }
    *rest = (struct case_group){group->cases + half, group->count - half, group->range};
    group->count = half;
    rest->range.low = rest->cases[0].bits;
    group->range.high = rest->range.low - 1;
    if (!wide)
        return LLVMBuildICmp(l->builder, LLVMIntSLT, l->value, rest->cases[0].number, "");
    LLVMTypeRef dword = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(l->value)));
    LLVMValueRef dwords = LLVMBuildBitCast(l->builder, l->value, LLVMVectorType(dword, 2), "");
    LLVMValueRef compared = LLVMBuildExtractElement(l->builder, dwords, LLVMConstInt(dword, high, false), "");
    LLVMValueRef bound = LLVMConstInt(dword, (uint32_t)(rest->cases[0].bits >> (high ? 32 : 0)), false);
    return LLVMBuildICmp(l->builder, high ? LLVMIntSLT : LLVMIntULT, compared, bound, "");
}

static void lower_group(struct lowering *l, struct case_group group, LLVMBasicBlockRef at)
{
    if (group.count <= MOST_COMPARED) {
        compare_one_by_one(l, &group, at);
        return;
    }
    qsort(group.cases, group.count, sizeof *group.cases, by_all);
    struct range numbers = {group.cases[0].bits, group.cases[group.count - 1].bits};
    if (l->tables && !is_wide(l->value) && table_pays(group.count, is_complete(l, &group), numbers)) {
        build_table(l, &group, at);
        return;
    }
    struct case_group rest;
    LLVMPositionBuilderAtEnd(l->builder, at);
    LLVMValueRef in_first = build_split(l, &group, &rest);
    LLVMBasicBlockRef first = new_block(l, at), second = new_block(l, at);
    LLVMBuildCondBr(l->builder, in_first, first, second);
    lower_group(l, rest, second);
    lower_group(l, group, first);
}

/* Replaces the switch's block as predecessor in phis by the blocks of the compares. */
static void redirect_phis(struct lowering *l, LLVMBasicBlockRef old, LLVMBasicBlockRef to)
{
    FOR_EACH_REMOVABLE(phi, to)
    {
        if (!LLVMIsAPHINode(phi))
            break;
        LLVMPositionBuilderBefore(l->builder, phi);
        LLVMValueRef redirected = LLVMBuildPhi(l->builder, LLVMTypeOf(phi), ""), value = NULL;
        for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
            LLVMValueRef incoming = LLVMGetIncomingValue(phi, k);
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
            if (from == old)
                value = incoming;
            else
                LLVMAddIncoming(redirected, &incoming, &from, 1);
        }
        for (size_t k = 0; k < l->edge_count && value; k++)
            if (l->edges[k].to == to)
                LLVMAddIncoming(redirected, &value, &l->edges[k].from, 1);
        LLVMReplaceAllUsesWith(phi, redirected);
        LLVMInstructionEraseFromParent(phi);
    }
}

/* Replaces a switch; returns the block that nothing enters any more, if any. */
static LLVMBasicBlockRef replace(LLVMValueRef i, LLVMBuilderRef builder, bool tables)
{
    struct lowering l = {
        .builder = builder, .value = LLVMGetOperand(i, 0), .otherwise = LLVMGetSuccessor(i, 0), .tables = tables};
    LLVMBasicBlockRef block = LLVMGetInstructionParent(i);
    unsigned count = LLVMGetNumSuccessors(i) - 1;
    struct case_group group = {.cases = ir_calloc(count, sizeof *group.cases), .count = count};
    LLVMBasicBlockRef *targets = ir_calloc(count + 1, sizeof *targets);
    targets[count] = l.otherwise;
    for (unsigned k = 0; k < count; k++) {
        LLVMValueRef number = LLVMGetOperand(i, 2 * (k + 1));
        targets[k] = LLVMGetSuccessor(i, k + 1);
        group.cases[k] = (struct switch_case){number, LLVMConstIntGetSExtValue(number), targets[k]};
    }
    struct switch_case *cases = group.cases;
    l.complete = is_unreachable(l.otherwise);
    if (!is_wide(l.value))
        group.range = range_of_integer(l.value);
    if (is_complete(&l, &group)) /* LLVM would have removed the default; otherwise a block without predecessors would
                                  * remain */
        group.range = (struct range){INT32_MIN, INT32_MAX};
    LLVMInstructionEraseFromParent(i);
    lower_group(&l, group, block);
    for (unsigned k = 0; k <= count; k++) {
        bool done = false;
        for (unsigned before = 0; before < k; before++)
            done |= targets[before] == targets[k];
        if (!done && !is_unreachable(targets[k]))
            redirect_phis(&l, block, targets[k]);
    }
    free(l.edges);
    free(targets);
    free(cases);
    return l.complete && !LLVMGetFirstUse(LLVMBasicBlockAsValue(l.otherwise)) ? l.otherwise : NULL;
}

/* A switch on one bit is a branch; instruction selection handles it. */
static bool is_switch(LLVMValueRef i)
{
    return i && LLVMIsASwitchInst(i) && !type_is_mask(LLVMTypeOf(LLVMGetOperand(i, 0))) && LLVMGetNumSuccessors(i) > 1;
}

bool pass_switch_lowering(LLVMModuleRef module, const struct lower_options *options)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    FOR_EACH_FUNCTION(f, module)
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f), next; block; block = next) {
        next = LLVMGetNextBasicBlock(block);
        LLVMValueRef i = LLVMGetBasicBlockTerminator(block);
        struct range table;
        bool complete;
        if (!is_switch(i) || scalar_switch_table(options->platform, i, &table, &complete))
            continue;
        LLVMBasicBlockRef unused = replace(i, builder, has_tables(options->platform));
        if (unused && unused == next)
            next = LLVMGetNextBasicBlock(next);
        if (unused)
            LLVMDeleteBasicBlock(unused);
    }
    LLVMDisposeBuilder(builder);
    return true;
}
