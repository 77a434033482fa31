/* Pointers to functions that are called on the stack. */
#ifndef CMKIT_LOWER_FUNCTIONS_FUNCTION_POINTERS_H
#define CMKIT_LOWER_FUNCTIONS_FUNCTION_POINTERS_H

#include <stdbool.h>
#include <llvm-c/Core.h>

/* Addresses of functions to numbers, calls through pointers to choices among direct calls. False after an error.
 * needs: everything else inlined, all in memory */
bool functions_by_number(LLVMModuleRef module);

/* What is read of variables that hold one function only is that function. True if a function that is to be inlined is
 * called, which it was not before that or before its caller was inlined. */
bool functions_forward(LLVMModuleRef module);

#endif
