/* Unbaling: gives region reads registers of their own again (see unbale.c). */
#ifndef CMKIT_LOWER_CODEGEN_BALE_UNBALE_H
#define CMKIT_LOWER_CODEGEN_BALE_UNBALE_H

#include "lower/codegen/bale/liveness.h"

/* Unbales reads if that saves copies of the vectors that they read, and updates the live ranges. */
void unbale(struct liveness *l);

#endif
