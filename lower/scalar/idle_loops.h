/* Deletes loops that compute nothing that is used (loop deletion). */
#ifndef CMKIT_LOWER_SCALAR_IDLE_LOOPS_H
#define CMKIT_LOWER_SCALAR_IDLE_LOOPS_H

#include <stdbool.h>
#include "lower/ir/ir.h"

/* Branches around each loop of `function` that does not use memory and has no value that is used outside. Returns
 * whether there was one: its blocks are unreachable then. */
bool scalar_bypass_idle_loops(LLVMValueRef function);

#endif
