/* Functions that are called instead of inlined: the front end marks them "cm-call". Their arguments and results cross
 * the call as values; what a reference names is copied in and out. */
#ifndef CMKIT_LOWER_FUNCTIONS_H
#define CMKIT_LOWER_FUNCTIONS_H

#include "lower/lower.h"

enum call_kind { CALL_INLINED, CALL_SUBROUTINE, CALL_STACK };

/* How calls of `function` are made; CALL_INLINED for kernels, declarations and everything that is not marked. */
enum call_kind function_call_kind(LLVMValueRef function);

/* A kernel, or a function that is called: what the passes work on. */
bool function_is_lowered(LLVMValueRef function);

/* Where the function is defined (a DISubprogram); NULL: that is not known. */
LLVMMetadataRef function_definition(LLVMValueRef function);

/* Where it is defined is known from now on to function_definition() only: of a function that LLVM knows it of, it wants to
 * know by which calls each place of an inlined function was reached. */
void function_untrace(LLVMValueRef function);

/* The function with a body that `value` calls directly; NULL: it is no such call. */
LLVMValueRef called_function(LLVMValueRef value);

/* Whether an address may be that of a variable in registers, looked for `depth` steps back: such are not passed as numbers. */
bool may_be_private(LLVMValueRef address, unsigned depth);

/* Takes the mark off functions that must be inlined because their arguments cannot be values. True if there were any.
 */
bool functions_drop_unsuitable(LLVMModuleRef module);

/* Marked functions take and return values, their calls too. needs: everything else inlined, all in memory. */
bool functions_by_value(LLVMModuleRef module);

/* A function of another type with the old one's attributes and body, which has no parameters yet. Then
 * replace_function() when nothing mentions the old one any more. */
LLVMValueRef move_function(LLVMModuleRef module, LLVMValueRef old, LLVMTypeRef type);
void replace_function(LLVMValueRef old, LLVMValueRef function);

/* The number of the global variable that a parameter is, the result that gives it back changed; -1: none. */
int global_of_parameter(LLVMValueRef function, unsigned parameter);
int global_result(LLVMValueRef function, unsigned parameter);
bool changes_global(LLVMValueRef function, unsigned global);
bool is_global_that_is_read(LLVMValueRef value); /* a subroutine's parameter, and no result */

/* The function with one parameter more, its last; each caller passes what `argument` makes before the call. `old` is
 * gone afterwards. */
LLVMValueRef add_parameter(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef old, LLVMTypeRef type,
                           LLVMValueRef (*argument)(LLVMBuilderRef, LLVMModuleRef, LLVMTypeRef, const void *),
                           const void *context);

/* What a function does at its end: a call of this, with the values that it returns. */
#define FUNCTION_LEAVE "cm.leave"
bool is_leave(LLVMValueRef call);

#endif
