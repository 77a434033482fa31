/* Which switches are tables of jumps. */
#ifndef CMKIT_LOWER_SWITCHES_H
#define CMKIT_LOWER_SWITCHES_H

#include "lower/range.h"

enum { SWITCH_LABELS = 32 }; /* most entries of vISA's switchjmp */

/* Whether a table of jumps is no more instructions than questions are. Out: *table, the indices; *complete: the value
 * is always one of them. */
bool switch_table(LLVMValueRef i, struct range *table, bool *complete);

#endif
