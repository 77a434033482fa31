/* Promotes allocas to SSA values (mem2reg) in one function. See mem2reg.c. */
#ifndef CMKIT_LOWER_MEMORY_MEM2REG_H
#define CMKIT_LOWER_MEMORY_MEM2REG_H

#include <llvm-c/Core.h>

void mem2reg_function(LLVMValueRef function);

#endif
