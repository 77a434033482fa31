/* Uses of global variables in one function. */
#ifndef CMKIT_LOWER_ANALYSIS_GLOBAL_USES_H
#define CMKIT_LOWER_ANALYSIS_GLOBAL_USES_H

#include <stdbool.h>
#include <llvm-c/Core.h>

bool global_used_in(LLVMValueRef function, LLVMValueRef global);

/* Is `global` part of a constant, as an address, in an expression, or in a list of such? */
bool constant_mentions(LLVMValueRef value, LLVMValueRef global);

/* The constant with `other`, a global too, in the place of `global`; NULL: it is computed in a way that is not known. */
LLVMValueRef constant_with(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef global, LLVMValueRef other);

/* `variable`, an address, takes the global's place in the function; false after an error. */
bool global_replace_in(LLVMBuilderRef builder, LLVMValueRef function, LLVMValueRef global, LLVMValueRef variable);

#endif
