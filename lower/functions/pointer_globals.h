/* Converts global variables that hold addresses to numbers. */
#ifndef CMKIT_LOWER_FUNCTIONS_POINTER_GLOBALS_H
#define CMKIT_LOWER_FUNCTIONS_POINTER_GLOBALS_H

#include <llvm-c/Core.h>

/* In modules with functions that stay functions: converts such variables, and arrays of addresses, if they are only
 * loaded and stored and hold no address of a private variable. needs: addresses of functions are numbers
 * (functions_by_number), all values in memory */
void pointer_globals_by_number(LLVMModuleRef module);

#endif
