/* Finds reconvergence points: blocks where all lanes meet that diverged at one block, such as the end of an if or the
 * block after a loop. */
#ifndef CMKIT_LOWER_ANALYSIS_SIMDCF_JOINS_H
#define CMKIT_LOWER_ANALYSIS_SIMDCF_JOINS_H

#include "lower/ir/cfg.h"

struct join {
    unsigned entry; /* the block where lanes diverge; CFG_NONE: lanes from other blocks arrive too, or some lanes never
                     * do */
    bool loops;     /* `entry` is a loop header: the lanes are those that enter from outside; otherwise the lanes at the
                     * end of `entry` */
};

/* Returns the lanes that meet at the start of `end`, a block of the region `region[end]`. All blocks of the region
 * between `entry` and `end`, in the function's order, are on paths from `entry` to `end`. */
struct join join_find(const struct cfg *cfg, const unsigned *region, unsigned end);

#endif
