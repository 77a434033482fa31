/* Lowers pointers to functions that are called on the stack. */
#ifndef CMKIT_LOWER_FUNCTIONS_FUNCTION_POINTERS_H
#define CMKIT_LOWER_FUNCTIONS_FUNCTION_POINTERS_H

#include <stdbool.h>
#include <llvm-c/Core.h>

/* Converts addresses of functions to numbers, and calls through pointers to switches over direct calls. False after an
 * error. needs: everything else inlined, all values in memory */
bool functions_by_number(LLVMModuleRef module);

/* Forwards function addresses: loads from variables that only ever hold one function become that function. True if
 * this, or inlining a caller, has made a new direct call of a function that must be inlined. */
bool functions_forward(LLVMModuleRef module);

#endif
