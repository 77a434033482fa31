/* Loops that lanes leave by themselves, as the hardware's channel enables run them.
 *
 *     do { ... } while (live lanes)         live = phi(all, next);  any(next) goes back
 *
 * In such a loop a lane that leaves waits behind the loop (goto, and a join there), so that no instruction has to name the
 * mask of the lanes that are still on. The LLVM values stay what they are: masks, and branches on any lane of them; this is
 * a plan of which of them need not be computed. Control takes the same way through the blocks in both forms. */
#ifndef CMKIT_LOWER_ANALYSIS_GOTO_LOOPS_H
#define CMKIT_LOWER_ANALYSIS_GOTO_LOOPS_H

#include "lower/ir/cfg.h"
#include "lower/ir/options.h"

struct channels {
    unsigned count;            /* blocks of the function */
    LLVMValueRef *live;        /* per block: the mask of the channels that are on; NULL: it is in no such loop */
    LLVMValueRef *stay;        /* per block that lanes leave at its end: the mask of those that go on, or go round again */
    struct pointer_map masks;  /* masks that are computed from masks of channels, and these: no instructions compute them */
    struct pointer_map lanes;  /* results of which the lanes count that are on where they are computed, and no others */
    bool any;                  /* there is such a loop */
};

/* Instructions without execution mask cost too much in divergent code of parts that run pairs of threads in step: there,
 * only loops are planned that need none. */
void channels_plan(struct channels *channels, const struct cfg *cfg, const struct lower_options *options);
void channels_forget(struct channels *channels); /* nothing is planned */
void channels_free(struct channels *channels);

bool counts_by_channel(const struct channels *channels, LLVMValueRef value); /* it is one of .lanes */
bool is_channel_mask(const struct channels *channels, LLVMValueRef mask);

#endif
