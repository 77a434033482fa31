/* Moves whole values between variables. */
#ifndef CMKIT_LOWER_CODEGEN_SELECT_MOVES_H
#define CMKIT_LOWER_CODEGEN_SELECT_MOVES_H

#include "lower/codegen/emit/selection.h"

/* Moves a value of `type` that is not a mask, between variables that exist. */
void select_move_lanes(struct selection *s, LLVMTypeRef type, struct cg_location to, struct cg_location from);

/* Moves a whole value of the type of `like`, which may be a mask. */
void select_move_value(struct selection *s, LLVMValueRef like, unsigned to, unsigned from);

#endif
