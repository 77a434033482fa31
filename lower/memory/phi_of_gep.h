/* Distances of addresses from the start of the variable that they lie in. */
#ifndef CMKIT_LOWER_MEMORY_PHI_OF_GEP_H
#define CMKIT_LOWER_MEMORY_PHI_OF_GEP_H

#include <stdint.h>
#include <llvm-c/Core.h>

/* Adds a GEP's distance to *constant, and what is not known now to *dynamic: i32 or NULL, computed where the GEP is. */
void add_gep(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef gep, int64_t *constant, LLVMValueRef *dynamic);

/* Choices among addresses in one variable to choices among distances. */
void choose_distances(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef function);

#endif
