/* Makes debuggers forget vectors whose dead lanes are about to change. */
#ifndef CMKIT_LOWER_REGIONS_FORGET_LANES_H
#define CMKIT_LOWER_REGIONS_FORGET_LANES_H

#include "lower/analysis/demanded_elements.h"

/* Forgets (lower/ir/forget_debug.h) a vector, and the vectors computed from it that have dead lanes, too: the others
 * cannot change. */
void regions_forget_lanes(struct demanded *live, LLVMValueRef value);

#endif
