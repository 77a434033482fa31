/* Functions that are called instead of inlined: the front end marks them "cm-call". Their arguments and results cross
 * the call as values; what a reference names is copied in and out. */
#ifndef CMKIT_LOWER_FUNCTIONS_FUNCTIONS_H
#define CMKIT_LOWER_FUNCTIONS_FUNCTIONS_H

#include "lower/ir/function_info.h"

/* Takes the mark off functions that must be inlined because their arguments cannot be values. True if there were any.
 */
bool functions_drop_unsuitable(LLVMModuleRef module);

/* Marked functions take and return values, their calls too. needs: everything else inlined, all in memory. */
bool functions_by_value(LLVMModuleRef module);

/* A function of another type with the old one's attributes and body, which has no parameters yet. Then
 * replace_function() when nothing mentions the old one any more. */
LLVMValueRef move_function(LLVMModuleRef module, LLVMValueRef old, LLVMTypeRef type);
void replace_function(LLVMValueRef old, LLVMValueRef function);

/* The function with one parameter more, its last; each caller passes what `argument` makes before the call. `old` is
 * gone afterwards. */
LLVMValueRef add_parameter(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef old, LLVMTypeRef type,
                           LLVMValueRef (*argument)(LLVMBuilderRef, LLVMModuleRef, LLVMTypeRef, const void *),
                           const void *context);

#endif
