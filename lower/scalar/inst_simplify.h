/* Operations that are known values, or simpler ones: what the headers' conversions and sums of offsets leave. */
#ifndef CMKIT_LOWER_SCALAR_INST_SIMPLIFY_H
#define CMKIT_LOWER_SCALAR_INST_SIMPLIFY_H

#include "lower/ir/ir.h"

/* What `i`, no phi, call or terminator, is with these operands; NULL: nothing simpler. *built: that is a new instruction,
 * which stands before `i`. */
LLVMValueRef simpler_value(LLVMBuilderRef builder, LLVMValueRef i, LLVMValueRef *operands, bool *built);

#endif
