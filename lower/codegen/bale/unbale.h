/* Unbaling: see unbale.c. */
#ifndef CMKIT_LOWER_CODEGEN_BALE_UNBALE_H
#define CMKIT_LOWER_CODEGEN_BALE_UNBALE_H

#include "lower/codegen/bale/liveness.h"

/* Gives reads that are parts of instructions registers of their own where that saves copies of what they read. Whether there are any. */
bool unbale(const struct liveness *l);

#endif
