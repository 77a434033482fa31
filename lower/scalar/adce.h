/* Dead-code elimination (DCE), including cycles of phis that only use each other. */
#ifndef CMKIT_LOWER_SCALAR_ADCE_H
#define CMKIT_LOWER_SCALAR_ADCE_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* False after an error of LLVM's. */
bool scalar_remove_dead_values(LLVMModuleRef module);

#endif
