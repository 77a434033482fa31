/* Declares the folding of constant masks that flip lanes of a condition. */
#ifndef CMKIT_LOWER_SIMDCF_FLIPPED_SELECTS_H
#define CMKIT_LOWER_SIMDCF_FLIPPED_SELECTS_H
#include "lower/ir/ir.h"

/* Replaces select(m ^ c, a, b), with a constant c and lanes of one vector in a and b, by a select under m: its values
 * have their lanes exchanged where c is set. Returns NULL if these values are not regions of the vector. */
LLVMValueRef simdcf_flipped_select(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef select);

#endif
