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

enum { FEW = 3 }; /* numbers that are not halved */

struct way {
    LLVMValueRef number;
    int64_t bits;
    LLVMBasicBlockRef to;
};

/* Some cases of a switch, and the range of values that can reach them (up to 32 bits). */
struct part {
    struct way *ways;
    unsigned count;
    struct range range;
};

struct questions {
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
    return count >= (complete ? FEW + 1 : FEW + 2) && span < SWITCH_LABELS && span < 2 * (uint64_t)count;
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
    int64_t x = ((const struct way *)a)->bits, y = ((const struct way *)b)->bits;
    return (x > y) - (x < y);
}

static int by_low(const void *a, const void *b)
{
    uint32_t x = (uint32_t)((const struct way *)a)->bits, y = (uint32_t)((const struct way *)b)->bits;
    return (x > y) - (x < y);
}

/* Returns the number of cases in the first half if the 32 bits of the sorted case values from `shift` on differ, as
 * near to the middle as possible; 0: they do not. */
static unsigned middle(const struct part *part, unsigned shift)
{
    for (unsigned off = 0; off <= part->count / 2; off++) {
        unsigned places[2] = {part->count / 2 - off, part->count / 2 + off};
        for (unsigned k = 0; k < 2; k++)
            if (places[k] > 0 && places[k] < part->count &&
                (uint32_t)(part->ways[places[k] - 1].bits >> shift) != (uint32_t)(part->ways[places[k]].bits >> shift))
                return places[k];
    }
    return 0;
}

static bool is_complete(const struct questions *q, const struct part *part)
{
    return q->complete || (!is_wide(q->value) && part->range.high - part->range.low < part->count);
}

static LLVMBasicBlockRef new_block(struct questions *q, LLVMBasicBlockRef behind)
{
    LLVMBasicBlockRef block =
        LLVMAppendBasicBlockInContext(LLVMGetTypeContext(LLVMTypeOf(q->value)), LLVMGetBasicBlockParent(behind), "");
    LLVMMoveBasicBlockAfter(block, behind);
    return block;
}

static void add_edge(struct questions *q, LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    ARRAY_PUSH(q->edges, q->edge_count, q->edge_capacity, ((struct edge){from, to}));
}

static void compare_one_by_one(struct questions *q, const struct part *part, LLVMBasicBlockRef at)
{
    LLVMBasicBlockRef last = q->otherwise;
    unsigned asked = part->count;
    if (is_complete(q, part))
        last = part->ways[--asked].to;
    for (unsigned k = 0; k < asked; k++) {
        bool more = k + 1 < asked;
        if (!more && part->ways[k].to == last)
            break;
        LLVMBasicBlockRef next = more ? new_block(q, at) : last;
        LLVMPositionBuilderAtEnd(q->builder, at);
        LLVMValueRef equal = LLVMBuildICmp(q->builder, LLVMIntEQ, q->value, part->ways[k].number, "");
        LLVMBuildCondBr(q->builder, equal, part->ways[k].to, next);
        add_edge(q, at, part->ways[k].to);
        if (!more) {
            add_edge(q, at, last);
            return;
        }
        at = next;
    }
    LLVMPositionBuilderAtEnd(q->builder, at);
    LLVMBuildBr(q->builder, last);
    add_edge(q, at, last);
}

/* Makes these cases a switch of their own. */
static void leave_table(struct questions *q, const struct part *part, LLVMBasicBlockRef at)
{
    LLVMBasicBlockRef otherwise = q->otherwise;
    if (is_complete(q, part) && !q->complete) {
        otherwise = new_block(q, at);
        LLVMPositionBuilderAtEnd(q->builder, otherwise);
        LLVMBuildUnreachable(q->builder);
    }
    LLVMPositionBuilderAtEnd(q->builder, at);
    LLVMValueRef table = LLVMBuildSwitch(q->builder, q->value, otherwise, part->count);
    add_edge(q, at, otherwise);
    for (unsigned k = 0; k < part->count; k++) {
        LLVMAddCase(table, part->ways[k].number, part->ways[k].to);
        add_edge(q, at, part->ways[k].to);
    }
}

/* Builds the compare that selects the first half, which stays in `part`; `rest` gets the other half. For 64-bit numbers
 * it compares one dword, because any compare that halves the cases is good. */
static LLVMValueRef is_in_first(struct questions *q, struct part *part, struct part *rest)
{
    bool wide = is_wide(q->value), high = wide;
    unsigned half = middle(part, wide ? 32 : 0);
    if (wide && (half < part->count / 3 || part->count - half < part->count / 3)) {
        qsort(part->ways, part->count, sizeof *part->ways, by_low);
        high = false;
        half = middle(part, 0);
    }
    *rest = (struct part){part->ways + half, part->count - half, part->range};
    part->count = half;
    rest->range.low = rest->ways[0].bits;
    part->range.high = rest->range.low - 1;
    if (!wide)
        return LLVMBuildICmp(q->builder, LLVMIntSLT, q->value, rest->ways[0].number, "");
    LLVMTypeRef dword = LLVMInt32TypeInContext(LLVMGetTypeContext(LLVMTypeOf(q->value)));
    LLVMValueRef dwords = LLVMBuildBitCast(q->builder, q->value, LLVMVectorType(dword, 2), "");
    LLVMValueRef asked = LLVMBuildExtractElement(q->builder, dwords, LLVMConstInt(dword, high, false), "");
    LLVMValueRef bound = LLVMConstInt(dword, (uint32_t)(rest->ways[0].bits >> (high ? 32 : 0)), false);
    return LLVMBuildICmp(q->builder, high ? LLVMIntSLT : LLVMIntULT, asked, bound, "");
}

static void ask(struct questions *q, struct part part, LLVMBasicBlockRef at)
{
    if (part.count <= FEW) {
        compare_one_by_one(q, &part, at);
        return;
    }
    qsort(part.ways, part.count, sizeof *part.ways, by_all);
    struct range numbers = {part.ways[0].bits, part.ways[part.count - 1].bits};
    if (q->tables && !is_wide(q->value) && table_pays(part.count, is_complete(q, &part), numbers)) {
        leave_table(q, &part, at);
        return;
    }
    struct part rest;
    LLVMPositionBuilderAtEnd(q->builder, at);
    LLVMValueRef in_first = is_in_first(q, &part, &rest);
    LLVMBasicBlockRef first = new_block(q, at), second = new_block(q, at);
    LLVMBuildCondBr(q->builder, in_first, first, second);
    ask(q, rest, second);
    ask(q, part, first);
}

/* Replaces the switch's block as predecessor in phis by the blocks of the compares. */
static void redirect_phis(struct questions *q, LLVMBasicBlockRef old, LLVMBasicBlockRef to)
{
    FOR_EACH_REMOVABLE(phi, to)
    {
        if (!LLVMIsAPHINode(phi))
            break;
        LLVMPositionBuilderBefore(q->builder, phi);
        LLVMValueRef redirected = LLVMBuildPhi(q->builder, LLVMTypeOf(phi), ""), value = NULL;
        for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
            LLVMValueRef incoming = LLVMGetIncomingValue(phi, k);
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
            if (from == old)
                value = incoming;
            else
                LLVMAddIncoming(redirected, &incoming, &from, 1);
        }
        for (size_t k = 0; k < q->edge_count && value; k++)
            if (q->edges[k].to == to)
                LLVMAddIncoming(redirected, &value, &q->edges[k].from, 1);
        LLVMReplaceAllUsesWith(phi, redirected);
        LLVMInstructionEraseFromParent(phi);
    }
}

static void replace(LLVMValueRef i, LLVMBuilderRef builder, bool tables)
{
    struct questions q = {
        .builder = builder, .value = LLVMGetOperand(i, 0), .otherwise = LLVMGetSuccessor(i, 0), .tables = tables};
    LLVMBasicBlockRef block = LLVMGetInstructionParent(i);
    unsigned count = LLVMGetNumSuccessors(i) - 1;
    struct part part = {.ways = ir_calloc(count, sizeof *part.ways), .count = count};
    LLVMBasicBlockRef *targets = ir_calloc(count + 1, sizeof *targets);
    targets[count] = q.otherwise;
    for (unsigned k = 0; k < count; k++) {
        LLVMValueRef number = LLVMGetOperand(i, 2 * (k + 1));
        targets[k] = LLVMGetSuccessor(i, k + 1);
        part.ways[k] = (struct way){number, LLVMConstIntGetSExtValue(number), targets[k]};
    }
    struct way *ways = part.ways;
    q.complete = is_unreachable(q.otherwise);
    if (!is_wide(q.value))
        part.range = range_of_integer(q.value);
    if (is_complete(&q, &part)) /* LLVM would have removed the default; otherwise a block without predecessors would
                                 * remain */
        part.range = (struct range){INT32_MIN, INT32_MAX};
    LLVMInstructionEraseFromParent(i);
    ask(&q, part, block);
    for (unsigned k = 0; k <= count; k++) {
        bool done = false;
        for (unsigned before = 0; before < k; before++)
            done |= targets[before] == targets[k];
        if (!done && !is_unreachable(targets[k]))
            redirect_phis(&q, block, targets[k]);
    }
    if (q.complete && !LLVMGetFirstUse(LLVMBasicBlockAsValue(q.otherwise)))
        LLVMDeleteBasicBlock(q.otherwise);
    free(q.edges);
    free(targets);
    free(ways);
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
        if (is_switch(i) && !scalar_switch_table(options->platform, i, &table, &complete))
            replace(i, builder, has_tables(options->platform));
    }
    LLVMDisposeBuilder(builder);
    return true;
}
