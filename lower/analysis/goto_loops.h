/* Plans loops that run under the hardware's channel enables (goto and join), so that lanes leave them one by one.
 *
 *     do { ... } while (live lanes)         live = phi(all, next);  any(next) goes back
 *
 * In such a loop a lane that leaves waits after the loop (goto, and a join there), so instructions need no predicate
 * for the lanes that are still active. The LLVM values do not change: masks, and branches on any lane of them. This is
 * a plan of which of them need not be computed. The order of executed blocks is the same in both forms. */
#ifndef CMKIT_LOWER_ANALYSIS_GOTO_LOOPS_H
#define CMKIT_LOWER_ANALYSIS_GOTO_LOOPS_H

#include "lower/ir/cfg.h"
#include "lower/ir/options.h"

struct goto_loops {
    unsigned count;           /* blocks of the function */
    LLVMValueRef *live;       /* per block: mask of the enabled channels; NULL: the block is in no such loop */
    LLVMValueRef *stay;       /* per block that lanes leave at its end: mask of the lanes that stay (continue or
                               * repeat) */
    struct pointer_map masks; /* channel masks and masks computed from them: no instruction computes them */
    struct pointer_map lanes; /* results of which only the lanes count that are active where they are computed */
    bool any;                 /* there is such a loop */
};

/* Plans the loops of a function. Instructions without execution mask are slow in divergent code on platforms that run
 * threads in pairs (fused EUs): there, only loops without such instructions are planned. */
void goto_loops_plan(struct goto_loops *channels, const struct cfg *cfg, const struct lower_options *options);
void goto_loops_forget(struct goto_loops *channels); /* nothing is planned */
void goto_loops_free(struct goto_loops *channels);

bool goto_loops_counts(const struct goto_loops *channels, LLVMValueRef value); /* it is one of .lanes */
bool goto_loops_is_mask(const struct goto_loops *channels, LLVMValueRef mask);

#endif
