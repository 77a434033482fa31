/* Copies of instructions with other operands, folded as they are made: what becomes constant, or one of its operands,
 * is no instruction. */
#ifndef CMKIT_LOWER_IR_CLONE_H
#define CMKIT_LOWER_IR_CLONE_H

#include "lower/ir/ir.h"

/* `value`, or what stands for it in `values` (instructions to their copies, as numbers). */
LLVMValueRef copy_of(const struct pointer_map *values, LLVMValueRef value);

/* The constant that `i` is with these operands, or that of them which it is; NULL: neither is known. Builds nothing. */
LLVMValueRef copy_folded(LLVMBuilderRef builder, LLVMValueRef i, LLVMValueRef *operands);

/* Copies `i`, no terminator and no phi, to the builder's position (at a block's end, so that positions in the source
 * are those of `i`), and remembers it in `values`. NULL: it is folded. */
LLVMValueRef copy_instruction(LLVMBuilderRef builder, struct pointer_map *values, LLVMValueRef i);

/* Moves `i` there instead; where it folds, it stays, and `values` has what stands for it. */
LLVMValueRef move_instruction(LLVMBuilderRef builder, struct pointer_map *values, LLVMValueRef i);

#endif
