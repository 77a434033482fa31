/* Legalization: splits a macro instruction into vISA instructions that the platform has, and appends them. */
#ifndef CMKIT_LOWER_CODEGEN_LEGALIZE_LEGALIZE_H
#define CMKIT_LOWER_CODEGEN_LEGALIZE_LEGALIZE_H

#include "lower/codegen/emit/macro.h"
#include "lower/codegen/emit/selection.h"

void legalize_macro(struct selection *s, const struct macro *wide);

void legalize_move(struct selection *s, unsigned lanes, struct macro_operand dst, struct macro_operand src);

#endif
