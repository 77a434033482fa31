/* Shrinks vector operations of which only some lanes are read: see shrink_vector_ops.c. */
#ifndef CMKIT_LOWER_REGIONS_SHRINK_VECTOR_OPS_H
#define CMKIT_LOWER_REGIONS_SHRINK_VECTOR_OPS_H

#include "lower/analysis/demanded_elements.h"

/* Returns the instructions for that many lanes, of which each begins so many bytes behind the one before: an
 * instruction has up to two registers, and a power of two of lanes. */
unsigned regions_instructions(unsigned lanes, unsigned bytes);

void regions_shrink_operations(struct demanded *live, LLVMModuleRef module, LLVMBuilderRef builder);

#endif
