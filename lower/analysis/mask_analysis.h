/* What is known of lane masks and of values written under them. */
#ifndef CMKIT_LOWER_ANALYSIS_MASK_ANALYSIS_H
#define CMKIT_LOWER_ANALYSIS_MASK_ANALYSIS_H

#include "lower/ir/ir.h"

/* Every lane of `mask` is one of `other`. */
bool mask_implies(LLVMValueRef mask, LLVMValueRef other);

/* The mask that a region write has at run time; NULL: none, it writes all of its lanes, or constant ones. */
LLVMValueRef write_mask(LLVMValueRef write);

/* The mask whose lanes are exactly the others of `mask`; NULL: `mask` is no such. */
LLVMValueRef negated_mask(LLVMValueRef mask);

/* Where no lane of `mask` is set, `value` is `otherwise`: it is a part of the mask and that is none, or a vector written
 * under parts of the mask only. */
bool mask_is_without(LLVMValueRef value, LLVMValueRef mask, LLVMValueRef otherwise);

/* True if the module calls llvm.genx.any or llvm.genx.all, as lowered SIMD control flow does. */
bool asks_lanes(LLVMModuleRef module);

#endif
