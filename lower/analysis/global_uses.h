/* Finds and replaces uses of global variables in one function. */
#ifndef CMKIT_LOWER_ANALYSIS_GLOBAL_USES_H
#define CMKIT_LOWER_ANALYSIS_GLOBAL_USES_H

#include <stdbool.h>
#include <llvm-c/Core.h>

bool global_used_in(LLVMValueRef function, LLVMValueRef global);

/* True if a constant has the address of `global`: directly, in an expression, or in an aggregate. */
bool global_used_in_constant(LLVMValueRef value, LLVMValueRef global);

/* Returns the constant with the global `other` instead of `global`. NULL: the constant's form is not supported. */
LLVMValueRef global_replaced_in_constant(LLVMBuilderRef builder, LLVMValueRef value, LLVMValueRef global,
                                         LLVMValueRef other);

/* Replaces the global by `variable`, an address, in the function. False after an error. */
bool global_replace_in(LLVMBuilderRef builder, LLVMValueRef function, LLVMValueRef global, LLVMValueRef variable);

#endif
