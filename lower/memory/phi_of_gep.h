/* Converts phis and selects of addresses in one variable to phis and selects of offsets (LLVM: foldPHIArgGEP). */
#ifndef CMKIT_LOWER_MEMORY_PHI_OF_GEP_H
#define CMKIT_LOWER_MEMORY_PHI_OF_GEP_H

#include <llvm-c/Core.h>

/* Converts phis and selects of addresses in one variable to those of offsets. */
void gep_to_offsets(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef function);

#endif
