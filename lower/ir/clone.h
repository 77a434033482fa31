/* Copies instructions with other operands and folds them: a copy that is constant or equal to one of its operands
 * creates no instruction. */
#ifndef CMKIT_LOWER_IR_CLONE_H
#define CMKIT_LOWER_IR_CLONE_H

#include "lower/ir/ir.h"

/* Returns the entry of `value` in `values` (a map from instructions to their copies), or `value` if there is none. */
LLVMValueRef clone_of(const struct pointer_map *values, LLVMValueRef value);

/* Folds `i` with these operands to a constant or to one of them. NULL: not foldable. Creates no instruction. */
LLVMValueRef clone_folded(LLVMBuilderRef builder, LLVMValueRef i, LLVMValueRef *operands);

/* Copies `i`, which is neither terminator nor phi, to the builder's position (at a block's end, so that debug locations
 * are those of `i`), and records it in `values`. NULL: it was folded. */
LLVMValueRef clone_instruction(LLVMBuilderRef builder, struct pointer_map *values, LLVMValueRef i);

/* Moves `i` there instead. If it folds, it stays where it is, and `values` has the folded value. */
LLVMValueRef clone_move(LLVMBuilderRef builder, struct pointer_map *values, LLVMValueRef i);

#endif
