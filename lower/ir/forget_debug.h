/* Makes debuggers forget a value: records of source variables that name it (lower/debug/watch_values.c) say "unknown"
 * from then on. A pass calls it before it changes lanes or bits of a value that the program does not read: a debugger
 * would. Without such records nothing happens. */
#ifndef CMKIT_LOWER_IR_FORGET_DEBUG_H
#define CMKIT_LOWER_IR_FORGET_DEBUG_H

#include "lower/ir/ir.h"

void ir_forget_debug(LLVMValueRef value);

/* The same for the value and for all that is computed from it. */
void ir_forget_debug_of_users(LLVMValueRef value);

/* The same for the value and for those computed from it that may change if their operands do. */
typedef bool ir_may_change(void *context, LLVMValueRef value);
void ir_forget_debug_of_some(LLVMValueRef value, ir_may_change *may_change, void *context);

/* The same for each value of the module of which LLVM's instcombine may compute less than all bits or lanes (its
 * SimplifyDemanded... functions): those with one user, which may not need them. */
void ir_forget_debug_of_parts(LLVMModuleRef module);

#endif
