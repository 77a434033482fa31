/* Legalization: splits a macro instruction into vISA instructions that the platform has, and appends them. */
#ifndef CMKIT_LOWER_CODEGEN_LEGALIZE_LEGALIZE_H
#define CMKIT_LOWER_CODEGEN_LEGALIZE_LEGALIZE_H

#include "lower/codegen/emit/macro.h"
#include "lower/codegen/emit/selection.h"

void wide_emit(struct selection *s, const struct wide *wide);

void wide_move(struct selection *s, unsigned lanes, struct wide_operand dst, struct wide_operand src);

#endif
