/* The two forms of what LLVM knows of source variables: records beside instructions, and calls of llvm.dbg.*. Passes
 * and the text of a module have records. What reads or writes them here asks for calls, and gives records back: LLVM-C
 * cannot read a record. */
#ifndef CMKIT_LOWER_IR_DEBUG_FORM_H
#define CMKIT_LOWER_IR_DEBUG_FORM_H

#include <llvm-c/Types.h>

#ifdef __cplusplus
extern "C" {
#endif

void ir_debug_as_calls(LLVMModuleRef module);
void ir_debug_as_records(LLVMModuleRef module);

#ifdef __cplusplus
}
#endif

#endif
