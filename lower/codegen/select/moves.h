/* Moves whole values between variables. */
#ifndef CMKIT_LOWER_CODEGEN_SELECT_MOVES_H
#define CMKIT_LOWER_CODEGEN_SELECT_MOVES_H

#include "lower/codegen/emit/selection.h"

/* Moves a value of `type` that is not a mask. */
void move_lanes(struct selection *s, LLVMTypeRef type, struct place to, struct place from);

/* Moves a whole value of the type of `like`, which may be a mask. */
void move_value(struct selection *s, LLVMValueRef like, unsigned to, unsigned from);

#endif
