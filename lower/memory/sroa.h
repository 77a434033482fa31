/* Scalar replacement of aggregates (SROA) in one function. See sroa.c. */
#ifndef CMKIT_LOWER_MEMORY_SROA_H
#define CMKIT_LOWER_MEMORY_SROA_H

#include <llvm-c/Core.h>

void sroa_function(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef function);

#endif
