/* Computes the offset of a getelementptr from its base, in bytes. */
#ifndef CMKIT_LOWER_IR_GEP_OFFSET_H
#define CMKIT_LOWER_IR_GEP_OFFSET_H

#include <stdbool.h>
#include <stdint.h>
#include <llvm-c/Core.h>

/* True if the offset has no run-time terms. */
bool gep_is_constant(LLVMValueRef gep);

/* Adds a GEP's offset to *constant, and its run-time terms to *dynamic: i32 or NULL, computed at the GEP. */
void gep_add(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef gep, int64_t *constant, LLVMValueRef *dynamic);

#endif
