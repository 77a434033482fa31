/* Turns LLVM values into operands of macro instructions: variables, regions, immediates, predicates, indirect operands.
 */
#ifndef CMKIT_LOWER_CODEGEN_OPERANDS_OPERANDS_H
#define CMKIT_LOWER_CODEGEN_OPERANDS_OPERANDS_H

#include "lower/codegen/emit/macro.h"
#include "lower/codegen/emit/selection.h"

/* ---- operands.c ---- */

/* Returns the variable of a value that is no mask; builds a constant that is no immediate. For a mask, returns the
 * first predicate variable. */
unsigned operand_value_variable(struct selection *s, LLVMValueRef value);
unsigned operand_mask_variable(struct selection *s, LLVMValueRef mask);

/* Gives all parts of a mask with equal lanes one predicate variable, the first. Returns false if the mask shares them
 * with other masks. */
bool operand_share_mask_parts(struct selection *s, LLVMValueRef mask);

/* A value as operand; its integers are signed ('S') or unsigned ('U'). 'F': its elements are floats. */
struct macro_operand operand_source(struct selection *s, LLVMValueRef value, char sign);
struct macro_operand operand_destination(struct selection *s, LLVMValueRef value, char sign);

/* Returns a mask as predicate of `lanes` lanes; a mask of one lane is used for all of them. */
struct macro_operand operand_mask(struct selection *s, LLVMValueRef mask, unsigned lanes);

/* Returns the predicate of an llvm.genx.any or all that is baled into its user: .any or .all, for an instruction of one
 * lane. */
struct macro_operand operand_combined_mask(struct selection *s, LLVMValueRef combination);

/* ---- constants.c ---- */

/* Returns a variable with the immediate's value, for operands that cannot be immediates. It is shared if the first user
 * dominates. */
struct macro_operand operand_scalar_constant(struct selection *s, struct macro_operand immediate);

/* Returns a variable that holds the constant. Nothing may write to it. */
unsigned operand_constant_variable(struct selection *s, LLVMValueRef constant);
/* Builds a constant of different lanes in a variable that is overwritten later. False: it is of one number, which an
 * immediate is, or a variable holds it already, or will before the loop that the block is in. */
bool operand_build_constant(struct selection *s, LLVMValueRef constant, unsigned variable);
void operand_forget_constants(struct selection *s); /* at the start of a block */

/* ---- address.c ---- */

/* Returns the `lanes` lanes `region` of variable `base` at run-time `offset` (i16, in bytes: one, or one per lane). */
struct macro_operand operand_address(struct selection *s, unsigned base, LLVMTypeRef element, struct region region,
                                     LLVMValueRef offset, unsigned lanes);

/* ---- channel_operand.c ---- */

/* Returns a mask derived from the channel enables (goto_loops_is_mask()), as predicate, in a block of a loop on channel
 * enables. */
struct macro_operand operand_channel(struct selection *s, LLVMValueRef mask);

#endif
