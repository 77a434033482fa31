/* Addresses as numbers. */
#ifndef CMKIT_LOWER_MEMORY_POINTERS_H
#define CMKIT_LOWER_MEMORY_POINTERS_H

#include <llvm-c/Core.h>

/* Constant elements and members behind addresses that are numbers become such numbers, in what globals begin with too.
 */
void pointers_fold_constants(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef function);

#endif
