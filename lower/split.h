/* Scalar replacement of aggregates (SROA) in one function: see split.c. */
#ifndef CMKIT_LOWER_SPLIT_H
#define CMKIT_LOWER_SPLIT_H

#include <llvm-c/Core.h>

void split_function(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef function);

#endif
