/* Changes the calling convention of functions that are not inlined (marked "cm-call" by the front end). Their arguments
 * and results are passed as values; objects behind references are copied in and out. */
#ifndef CMKIT_LOWER_FUNCTIONS_FUNCTIONS_H
#define CMKIT_LOWER_FUNCTIONS_FUNCTIONS_H

#include "lower/ir/function_info.h"

/* Removes the mark from functions that must be inlined because their arguments cannot be values. True if there were
 * any. */
bool functions_drop_unsuitable(LLVMModuleRef module);

/* Makes marked functions and their calls pass values. needs: everything else inlined, all values in memory. */
bool functions_by_value(LLVMModuleRef module);

/* Creates a function of another type with the old one's attributes and body, whose parameters are not used yet. Call
 * functions_replace() when nothing refers to the old one any more. */
LLVMValueRef functions_move(LLVMModuleRef module, LLVMValueRef old, LLVMTypeRef type);
void functions_replace(LLVMValueRef old, LLVMValueRef function);

/* Adds a last parameter to the function; each caller passes what `argument` builds before the call. `old` is deleted.
 */
LLVMValueRef functions_add_parameter(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef old, LLVMTypeRef type,
                                     LLVMValueRef (*argument)(LLVMBuilderRef, LLVMModuleRef, LLVMTypeRef, const void *),
                                     const void *context);

#endif
