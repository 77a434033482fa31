/* Represents the control flow graph of one function, with what LLVM-C lacks: dominators and post-dominators. Blocks are
 * numbered in the function's block order. */
#ifndef CMKIT_LOWER_IR_CFG_H
#define CMKIT_LOWER_IR_CFG_H

#include <stdbool.h>
#include "lower/ir/ir.h"

struct cfg {
    unsigned count;
    LLVMBasicBlockRef *blocks;
    unsigned **successors, *successor_count;
    unsigned **predecessors, *predecessor_count;
    unsigned *dominator;      /* immediate; the entry's is itself; CFG_NONE where unreachable */
    unsigned *post_dominator; /* if computed: immediate; CFG_NONE: only the function's end */
    unsigned *edges;          /* memory of the lists of successors and predecessors */
    struct pointer_map numbers;
};

#define CFG_NONE (~0u)

void cfg_build(struct cfg *cfg, LLVMValueRef function);
void cfg_find_post_dominators(struct cfg *cfg);
void cfg_free(struct cfg *cfg);

/* Writes the reachable blocks in reverse post-order to order[], which has .count elements. Returns their number. */
unsigned cfg_order(const struct cfg *cfg, unsigned *order);
unsigned cfg_number(const struct cfg *cfg, LLVMBasicBlockRef block);
bool cfg_is_in_loop(const struct cfg *cfg, unsigned block);        /* it is reached from itself */
bool cfg_runs_once(const struct cfg *cfg, unsigned block);         /* on every path; needs: post-dominators */
bool cfg_is_empty_block(const struct cfg *cfg, unsigned block);    /* true if it holds only a jump to another block */
bool cfg_splits_edge(const struct cfg *cfg, unsigned block);       /* an empty block with one predecessor */
bool cfg_dominates(const struct cfg *cfg, unsigned a, unsigned b); /* a block dominates itself */
unsigned cfg_common_dominator(const struct cfg *cfg, unsigned a, unsigned b); /* the nearest; both are reachable */

#endif
