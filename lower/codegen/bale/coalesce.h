/* Coalescing: decides which values share a variable (see coalesce.c). */
#ifndef CMKIT_LOWER_CODEGEN_BALE_COALESCE_H
#define CMKIT_LOWER_CODEGEN_BALE_COALESCE_H

#include "lower/codegen/emit/selection.h"

void coalesce_kernel(struct selection *s);

#endif
