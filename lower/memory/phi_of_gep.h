/* Converts phis and selects of addresses in one variable to phis and selects of offsets (LLVM: foldPHIArgGEP). */
#ifndef CMKIT_LOWER_MEMORY_PHI_OF_GEP_H
#define CMKIT_LOWER_MEMORY_PHI_OF_GEP_H

#include <stdint.h>
#include <llvm-c/Core.h>

/* Adds a GEP's offset to *constant, and its run-time terms to *dynamic: i32 or NULL, computed at the GEP. */
void gep_add(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef gep, int64_t *constant, LLVMValueRef *dynamic);

/* Converts phis and selects of addresses in one variable to those of offsets. */
void gep_to_offsets(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef function);

#endif
