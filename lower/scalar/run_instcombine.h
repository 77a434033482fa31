/* Decides whether LLVM's instcombine is worth its time. */
#ifndef CMKIT_LOWER_SCALAR_RUN_INSTCOMBINE_H
#define CMKIT_LOWER_SCALAR_RUN_INSTCOMBINE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* True if the module has instructions that instcombine could simplify and our own passes could not. */
bool scalar_wants_instcombine(LLVMModuleRef module);

#endif
