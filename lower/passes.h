/* Prototypes of the passes of passes.def. A pass takes the whole module. It returns false after printing an error. */
#ifndef CMKIT_LOWER_PASSES_H
#define CMKIT_LOWER_PASSES_H

#include <llvm-c/Core.h>
#include "lower/ir/options.h"

#define PASS(FUNCTION, ...) bool FUNCTION(LLVMModuleRef module, const struct lower_options *options);
#include "lower/passes.def"

#endif
