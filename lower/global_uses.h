/* Uses of global variables in one function. */
#ifndef CMKIT_LOWER_GLOBAL_USES_H
#define CMKIT_LOWER_GLOBAL_USES_H

#include <stdbool.h>
#include <llvm-c/Core.h>

bool global_used_in(LLVMValueRef function, LLVMValueRef global);

/* Is `global` part of a constant, as an address, in an expression, or in a list of such? */
bool constant_mentions(LLVMValueRef value, LLVMValueRef global);

/* `variable`, an address, takes the global's place in the function; false after an error. */
bool global_replace_in(LLVMBuilderRef builder, LLVMValueRef function, LLVMValueRef global, LLVMValueRef variable);

#endif
