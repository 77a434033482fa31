/* Lowers shared local memory: its offsets, and pointers into it. */
#ifndef CMKIT_LOWER_CM_SHARED_MEMORY_H
#define CMKIT_LOWER_CM_SHARED_MEMORY_H

#include <stdbool.h>
#include "lower/cm/builtins.h"
#include "lower/ir/function_info.h"

/* Gives each kernel that uses a __local variable a copy of its own. False after an error. */
bool shared_memory_by_kernel(LLVMModuleRef module, LLVMBuilderRef builder);

/* Computes one size and the offsets from a kernel's allocations and __local variables. False after an error. */
bool shared_memory_layout(const struct cm_call *c, LLVMValueRef kernel);

/* True if an instruction loads or stores through a __local pointer. */
bool shared_memory_is_access(LLVMValueRef instruction);

/* Turns the access into a message. False after an error. */
bool shared_memory_access(const struct cm_call *c);

#endif
