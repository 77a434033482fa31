/* Moves of rows of two or four lanes, column by column (see columns.c). */
#ifndef CMKIT_LOWER_CODEGEN_LEGALIZE_COLUMNS_H
#define CMKIT_LOWER_CODEGEN_LEGALIZE_COLUMNS_H

#include "lower/codegen/legalize/pieces.h"

/* The number of moves that copy the lanes side by side column by column; 0: they are not such rows. */
unsigned legalize_columns(const struct macro_operand *o, unsigned lanes);

#endif
