/* Decides which switches become jump tables. */
#ifndef CMKIT_LOWER_SCALAR_SWITCH_LOWERING_H
#define CMKIT_LOWER_SCALAR_SWITCH_LOWERING_H

#include "lower/analysis/range.h"

enum { SWITCH_LABELS = 32 }; /* most entries of vISA's switchjmp */

/* True if the platform has jump tables and a table takes no more instructions than compares. Out: *table, the indices;
 * *complete: the value is always one of them. */
bool scalar_switch_table(const struct platform *platform, LLVMValueRef i, struct range *table, bool *complete);

#endif
