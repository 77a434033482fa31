/* Counts the moves of a copy of rows of two or four lanes, column by column (see columns.c). */
#ifndef CMKIT_LOWER_CODEGEN_LEGALIZE_COLUMNS_H
#define CMKIT_LOWER_CODEGEN_LEGALIZE_COLUMNS_H

#include "lower/codegen/legalize/pieces.h"

/* Returns the number of moves that make the lanes contiguous, column by column; 0: the lanes are not such rows. */
unsigned legalize_columns(const struct macro_operand *o, unsigned lanes);

#endif
