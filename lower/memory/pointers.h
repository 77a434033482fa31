/* Lowers addresses to integers. */
#ifndef CMKIT_LOWER_MEMORY_POINTERS_H
#define CMKIT_LOWER_MEMORY_POINTERS_H

#include <llvm-c/Core.h>

/* Folds constant GEPs of numeric addresses to numbers, also in initializers of globals. */
void pointers_fold_constants(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef function);

#endif
