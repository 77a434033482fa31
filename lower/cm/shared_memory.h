/* Memory that the threads of a group share: its places, and pointers into it. */
#ifndef CMKIT_LOWER_CM_SHARED_MEMORY_H
#define CMKIT_LOWER_CM_SHARED_MEMORY_H

#include <stdbool.h>
#include "lower/cm/builtins.h"
#include "lower/ir/function_info.h"

/* Gives each kernel that uses a __local variable one of its own; false after an error. */
bool shared_variables_by_kernel(LLVMModuleRef module, LLVMBuilderRef builder);

/* Sizes that a kernel asks for and its __local variables to one size and offsets; false after an error. */
bool shared_memory_layout(const struct call *c, LLVMValueRef kernel);

/* Whether an instruction loads or stores through a __local pointer. */
bool is_shared_access(LLVMValueRef instruction);

/* Makes a message of the access; false after an error. */
bool shared_memory_access(const struct call *c);

#endif
