/* Answers questions about functions, calls, globals and addresses; changes nothing but debug metadata.
 * Kernels carry the attribute "cm-kernel"; functions that are called instead of inlined carry "cm-call" (the front end
 * sets both). After functions_by_value() their parameters that stand for global variables carry "cm-global". */
#ifndef CMKIT_LOWER_IR_FUNCTION_INFO_H
#define CMKIT_LOWER_IR_FUNCTION_INFO_H

#include "lower/ir/ir.h"

/* ---- functions and calls ---- */

enum function_call_kind { CALL_INLINED, CALL_SUBROUTINE, CALL_STACK };

/* How calls of `function` are made. CALL_INLINED for kernels, declarations and functions without the attribute
 * "cm-call". */
enum function_call_kind function_call_kind(LLVMValueRef function);

/* True for kernels and functions that are called: the passes work on these. */
bool function_is_lowered(LLVMValueRef function);

/* The function with a body that `value` calls directly; NULL: it is no such call. */
LLVMValueRef function_called(LLVMValueRef value);

/* The return marker: a call with the values that the function returns, right before its `ret`. It saves building a
 * struct. */
#define FUNCTION_RETURN_MARKER "cm.return"
bool function_is_return_marker(LLVMValueRef call);

/* printf in modules for Intel's vector back end, which expands it: a call with the format in constant memory and the
 * arguments, of their types; texts are in constant memory, addresses are pointers to global memory. */
#define FUNCTION_PRINT "cm.print"
bool function_is_print(LLVMValueRef call);

/* The type that parameter attribute `name` (sret, byref) names; NULL: the parameter has none. */
LLVMTypeRef ir_attribute_type(LLVMValueRef function, unsigned parameter, const char *name);

/* Where the function is defined (a DISubprogram); NULL: not known. */
LLVMMetadataRef function_definition(LLVMValueRef function);

/* The name of such a definition in the source, without scopes and parameters; NULL: it has none. */
const char *function_definition_name(LLVMContextRef context, LLVMMetadataRef definition);

/* Hides the definition from LLVM: function_definition() still finds it. LLVM's inliner would otherwise demand a debug
 * location with the call chain for every inlined instruction. */
void function_untrace(LLVMValueRef function);

void function_copy_definition(LLVMValueRef from, LLVMValueRef to);

/* ---- globals that are passed as parameters ---- */

/* The number of the global variable that a parameter stands for, and of the result that returns its new value; -1:
 * none. */
int function_global_of_parameter(LLVMValueRef function, unsigned parameter);
int function_global_result(LLVMValueRef function, unsigned parameter);
bool function_changes_global(LLVMValueRef function, unsigned global);

/* True for a subroutine's parameter that stands for a global which the subroutine does not change. */
bool function_is_read_global(LLVMValueRef value);

/* ---- addresses ---- */

/* The alloca or global that an address is computed from by GEPs and casts; the last address found if that is something
 * else. */
LLVMValueRef ir_address_root(LLVMValueRef address);

/* True if the address may be that of a private variable, seen through `depth` phis, selects and loads. Such an address
 * cannot be passed as a number: private variables live in registers. */
bool function_may_be_private(LLVMValueRef address, unsigned depth);

bool function_is_private_global(
    LLVMValueRef global); /* a mutable variable outside functions: each thread has its own */

enum { SHARED_ADDRESS_SPACE = 3 };
bool ir_is_shared_variable(LLVMValueRef global); /* __local: in shared local memory (SLM) */

#endif
