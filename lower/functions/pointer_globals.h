/* Variables outside functions that hold addresses. */
#ifndef CMKIT_LOWER_FUNCTIONS_POINTER_GLOBALS_H
#define CMKIT_LOWER_FUNCTIONS_POINTER_GLOBALS_H

#include <llvm-c/Core.h>

/* In modules with functions that are called: such variables, and arrays of addresses, to numbers, where they are only read and
 * written and hold no address of a private variable.
 * needs: addresses of functions are numbers (functions_by_number), all in memory */
void pointer_globals_by_number(LLVMModuleRef module);

#endif
