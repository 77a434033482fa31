/* Simplifies instructions to known values or cheaper instructions: patterns that the headers' conversions and offset
 * computations leave. */
#ifndef CMKIT_LOWER_SCALAR_INST_SIMPLIFY_H
#define CMKIT_LOWER_SCALAR_INST_SIMPLIFY_H

#include "lower/ir/ir.h"

/* Returns the simplified value of `i` (not a phi, call or terminator) with these operands; NULL: no simplification.
 * *built: it is a new instruction, inserted before `i`. */
LLVMValueRef scalar_simpler_value(LLVMBuilderRef builder, LLVMValueRef i, LLVMValueRef *operands, bool *built);

#endif
