/* Builds the control flow graph. See cfg.h. Dominators use the iterative algorithm of Cooper, Harvey and Kennedy. */
#include "lower/ir/cfg.h"

#include <assert.h>
#include <stdlib.h>

enum { FEW_BLOCKS = 4 }; /* small functions: no map is needed */

unsigned cfg_number(const struct cfg *cfg, LLVMBasicBlockRef block)
{
    size_t number;
    if (cfg->count <= FEW_BLOCKS) {
        for (unsigned i = 0; i < cfg->count; i++)
            if (cfg->blocks[i] == block)
                return i;
        return CFG_NONE;
    }
    return pointer_map_get(&cfg->numbers, block, &number) ? (unsigned)number : CFG_NONE;
}

/* Collects all edges in two lists, by source block and by target block. */
static void add_edges(struct cfg *cfg)
{
    unsigned count = 0;
    for (unsigned i = 0; i < cfg->count; i++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(cfg->blocks[i]);
        count += cfg->successor_count[i] = last ? LLVMGetNumSuccessors(last) : 0;
    }
    unsigned *next = cfg->edges = ir_calloc(2 * (size_t)count, sizeof *cfg->edges);
    for (unsigned i = 0; i < cfg->count; i++) {
        LLVMValueRef last = LLVMGetBasicBlockTerminator(cfg->blocks[i]);
        cfg->successors[i] = next;
        for (unsigned k = 0; k < cfg->successor_count[i]; k++) {
            *next = cfg_number(cfg, LLVMGetSuccessor(last, k));
            cfg->predecessor_count[*next++]++;
        }
    }
    for (unsigned i = 0; i < cfg->count; i++) {
        cfg->predecessors[i] = next;
        next += cfg->predecessor_count[i];
        cfg->predecessor_count[i] = 0;
    }
    for (unsigned i = 0; i < cfg->count; i++)
        for (unsigned k = 0; k < cfg->successor_count[i]; k++) {
            unsigned to = cfg->successors[i][k];
            cfg->predecessors[to][cfg->predecessor_count[to]++] = i;
        }
}

/* One direction of the graph: edges out of a node, edges into it, and the root's number. */
struct direction {
    unsigned nodes, root;
    unsigned **out, *out_count, **in, *in_count;
};

static unsigned depth_first(const struct direction *d, unsigned node, unsigned *order, unsigned next, bool *seen)
{
    unsigned(*stack)[2] = ir_calloc(d->nodes + 1, sizeof *stack), top = 0;
    stack[top][0] = node, stack[top++][1] = 0;
    seen[node] = true;
    while (top) {
        unsigned at = stack[top - 1][0], edge = stack[top - 1][1]++;
        if (edge == d->out_count[at]) {
            order[next++] = at;
            top--;
        } else if (!seen[d->out[at][edge]]) {
            seen[d->out[at][edge]] = true;
            stack[top][0] = d->out[at][edge], stack[top++][1] = 0;
        }
    }
    free(stack);
    return next;
}

static unsigned intersect(const unsigned *idom, const unsigned *post_number, unsigned a, unsigned b)
{
    while (a != b) {
        while (post_number[a] < post_number[b])
            a = idom[a];
        while (post_number[b] < post_number[a])
            b = idom[b];
    }
    return a;
}

static void dominators(const struct direction *d, unsigned *idom)
{
    unsigned *order = ir_calloc(d->nodes, sizeof *order), *post_number = ir_calloc(d->nodes, sizeof *post_number);
    bool *seen = ir_calloc(d->nodes, sizeof *seen);
    unsigned reached = depth_first(d, d->root, order, 0, seen);
    for (unsigned i = 0; i < d->nodes; i++)
        idom[i] = CFG_NONE;
    for (unsigned i = 0; i < reached; i++)
        post_number[order[i]] = i;
    idom[d->root] = d->root;
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = reached; i-- > 0;) {
            unsigned node = order[i], best = CFG_NONE;
            if (node == d->root)
                continue;
            for (unsigned k = 0; k < d->in_count[node]; k++) {
                unsigned from = d->in[node][k];
                if (idom[from] != CFG_NONE)
                    best = best == CFG_NONE ? from : intersect(idom, post_number, from, best);
            }
            if (idom[node] != best) {
                idom[node] = best;
                changed = true;
            }
        }
    }
    free(order);
    free(post_number);
    free(seen);
}

/* Computes post-dominators on the reversed graph, with one more node as the successor of every block without
 * successors. */
void cfg_find_post_dominators(struct cfg *cfg)
{
    unsigned n = cfg->count + 1, end = cfg->count, exits = 0, *idom = ir_calloc(n, sizeof *idom);
    struct direction d = {n,
                          end,
                          ir_calloc(n, sizeof(unsigned *)),
                          ir_calloc(n, sizeof(unsigned)),
                          ir_calloc(n, sizeof(unsigned *)),
                          ir_calloc(n, sizeof(unsigned))};
    unsigned *ends = ir_calloc(n, sizeof *ends), to_end[1] = {end};
    for (unsigned i = 0; i < cfg->count; i++) {
        d.out[i] = cfg->predecessors[i], d.out_count[i] = cfg->predecessor_count[i];
        d.in[i] = cfg->successors[i], d.in_count[i] = cfg->successor_count[i];
        if (cfg->successor_count[i] == 0) {
            ends[exits++] = i;
            d.in[i] = to_end, d.in_count[i] = 1;
        }
    }
    d.out[end] = ends, d.out_count[end] = exits;
    dominators(&d, idom);
    cfg->post_dominator = ir_calloc(cfg->count, sizeof *cfg->post_dominator);
    for (unsigned i = 0; i < cfg->count; i++)
        cfg->post_dominator[i] = idom[i] == end ? CFG_NONE : idom[i];
    free(d.out);
    free(d.out_count);
    free(d.in);
    free(d.in_count);
    free(ends);
    free(idom);
}

void cfg_build(struct cfg *cfg, LLVMValueRef function)
{
    assert(!LLVMIsDeclaration(function));
    *cfg = (struct cfg){.count = LLVMCountBasicBlocks(function)};
    cfg->blocks = ir_calloc(cfg->count, sizeof *cfg->blocks);
    LLVMGetBasicBlocks(function, cfg->blocks);
    for (unsigned i = 0; i < cfg->count && cfg->count > FEW_BLOCKS; i++)
        pointer_map_set(&cfg->numbers, cfg->blocks[i], i);
    cfg->successors = ir_calloc(2 * (size_t)cfg->count, sizeof *cfg->successors);
    cfg->predecessors = cfg->successors + cfg->count;
    cfg->successor_count = ir_calloc(3 * (size_t)cfg->count, sizeof *cfg->successor_count);
    cfg->predecessor_count = cfg->successor_count + cfg->count;
    cfg->dominator = cfg->predecessor_count + cfg->count;
    if (cfg->count == 1 && LLVMIsAReturnInst(LLVMGetBasicBlockTerminator(cfg->blocks[0])))
        return; /* no edge, as in most of the headers' functions */
    add_edges(cfg);
    struct direction forward = {
        cfg->count, 0, cfg->successors, cfg->successor_count, cfg->predecessors, cfg->predecessor_count};
    if (cfg->count > 1)
        dominators(&forward, cfg->dominator);
}

void cfg_free(struct cfg *cfg)
{
    free(cfg->blocks);
    free(cfg->edges);
    free(cfg->successors);
    free(cfg->successor_count);
    free(cfg->post_dominator);
    pointer_map_free(&cfg->numbers);
}

unsigned cfg_order(const struct cfg *cfg, unsigned *order)
{
    struct direction forward = {
        cfg->count, 0, cfg->successors, cfg->successor_count, cfg->predecessors, cfg->predecessor_count};
    if (cfg->count == 1) {
        order[0] = 0;
        return 1;
    }
    bool *seen = ir_calloc(cfg->count, sizeof *seen);
    unsigned reached = depth_first(&forward, 0, order, 0, seen);
    free(seen);
    for (unsigned first = 0, last = reached; first + 1 < last; first++) {
        unsigned other = order[--last];
        order[last] = order[first];
        order[first] = other;
    }
    return reached;
}

bool cfg_is_empty_block(const struct cfg *cfg, unsigned block)
{
    assert(block < cfg->count);
    LLVMValueRef first = LLVMGetFirstInstruction(cfg->blocks[block]);
    return LLVMIsABranchInst(first) && !LLVMIsConditional(first) && cfg->successors[block][0] != block;
}

bool cfg_splits_edge(const struct cfg *cfg, unsigned block)
{
    assert(block < cfg->count);
    return cfg_is_empty_block(cfg, block) && cfg->predecessor_count[block] == 1;
}

bool cfg_dominates(const struct cfg *cfg, unsigned a, unsigned b)
{
    assert(a < cfg->count && b < cfg->count);
    while (b != a && b != CFG_NONE && cfg->dominator[b] != b)
        b = cfg->dominator[b];
    return a == b;
}

unsigned cfg_common_dominator(const struct cfg *cfg, unsigned a, unsigned b)
{
    while (!cfg_dominates(cfg, a, b))
        a = cfg->dominator[a];
    return a;
}

static bool reaches(const struct cfg *cfg, unsigned from, unsigned to, bool *seen)
{
    for (unsigned i = 0; i < cfg->successor_count[from]; i++) {
        unsigned next = cfg->successors[from][i];
        if (next == to || (!seen[next] && (seen[next] = true) && reaches(cfg, next, to, seen)))
            return true;
    }
    return false;
}

bool cfg_is_in_loop(const struct cfg *cfg, unsigned block)
{
    assert(block < cfg->count);
    bool *seen = ir_calloc(cfg->count, sizeof *seen);
    bool loops = reaches(cfg, block, block, seen);
    free(seen);
    return loops;
}

bool cfg_runs_once(const struct cfg *cfg, unsigned block)
{
    assert(cfg->post_dominator && block < cfg->count);
    unsigned always = 0;
    while (always != block && always != CFG_NONE)
        always = cfg->post_dominator[always];
    return always == block && !cfg_is_in_loop(cfg, block);
}
