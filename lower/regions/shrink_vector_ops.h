/* Shrinks vector operations of which only some lanes are read: see shrink_vector_ops.c. */
#ifndef CMKIT_LOWER_REGIONS_SHRINK_VECTOR_OPS_H
#define CMKIT_LOWER_REGIONS_SHRINK_VECTOR_OPS_H

#include "lower/analysis/demanded_elements.h"

void regions_shrink_operations(struct demanded *live, LLVMModuleRef module, LLVMBuilderRef builder);

#endif
