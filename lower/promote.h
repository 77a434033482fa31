/* Promotion of allocas to SSA values (mem2reg) in one function: see promote.c. */
#ifndef CMKIT_LOWER_PROMOTE_H
#define CMKIT_LOWER_PROMOTE_H

#include <llvm-c/Core.h>

void promote_function(LLVMValueRef function);

#endif
