/* Blocks where all the lanes meet again that parted at one place: the end of an if, what follows a loop. */
#ifndef CMKIT_LOWER_ANALYSIS_SIMDCF_JOINS_H
#define CMKIT_LOWER_ANALYSIS_SIMDCF_JOINS_H

#include "lower/ir/cfg.h"

struct join {
    unsigned entry; /* the block where they part; CFG_NONE: lanes of other places arrive too, or some never do */
    bool loops;     /* `entry` begins a loop: its lanes are those that enter from outside; else those at its end */
};

/* What meets at the beginning of `end`, a block of the region `region[end]`. All blocks of the region between the two,
 * in the function's order, lie on ways from `entry` to `end`. */
struct join find_join(const struct cfg *cfg, const unsigned *region, unsigned end);

#endif
