/* Inlines calls of functions with bodies: see inliner.c. */
#ifndef CMKIT_LOWER_FUNCTIONS_INLINER_H
#define CMKIT_LOWER_FUNCTIONS_INLINER_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Inlines all calls of functions that are not marked noinline. False: some calls are left for LLVM's inliner.
 * simplified: callees that are not marked optnone are simplified first, innermost first.
 * divergent: the module has SIMD control flow, before whose lowering loads are not combined.
 * traced: the debug locations keep the chain of calls. */
bool inline_module_calls(LLVMModuleRef module, bool simplified, bool divergent, bool traced);

#endif
