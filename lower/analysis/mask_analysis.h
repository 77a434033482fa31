/* Derives facts about lane masks and about values written under them, e.g. that one mask implies another. */
#ifndef CMKIT_LOWER_ANALYSIS_MASK_ANALYSIS_H
#define CMKIT_LOWER_ANALYSIS_MASK_ANALYSIS_H

#include "lower/ir/ir.h"

/* True if every lane of `mask` is also in `other`. */
bool mask_implies(LLVMValueRef mask, LLVMValueRef other);

/* Returns the run-time mask of a region write; NULL: it writes all of its lanes, or a constant set. */
LLVMValueRef mask_of_write(LLVMValueRef write);

/* Returns the mask of which `mask` is the complement; NULL: `mask` is not a complement. */
LLVMValueRef mask_negated(LLVMValueRef mask);

/* True if `value` equals `otherwise` when no lane of `mask` is set: `value` is a subset of the mask and `otherwise` is
 * empty, or `value` is a vector written under subsets of the mask only. */
bool mask_is_without(LLVMValueRef value, LLVMValueRef mask, LLVMValueRef otherwise);

/* True if the module calls llvm.genx.any or llvm.genx.all, as lowered SIMD control flow does. */
bool mask_is_asked(LLVMModuleRef module);

#endif
