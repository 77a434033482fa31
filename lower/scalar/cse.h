/* Common subexpression elimination (CSE) in one function, with constant folding, load forwarding and trivial DCE. */
#ifndef CMKIT_LOWER_SCALAR_CSE_H
#define CMKIT_LOWER_SCALAR_CSE_H

#include <llvm-c/Core.h>

/* The loads that are combined too: none, those of private variables, or also those through parameters if only the
 * function changes that memory. */
enum scalar_shared_reads { NO_READS, OF_VARIABLES, OF_PARAMETERS };

/* Replaces values by equal ones that dominate them. */
void scalar_share_equal_values(LLVMValueRef function, enum scalar_shared_reads reads);

#endif
