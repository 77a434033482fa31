/* Interface of the middle end: from the front end's LLVM module to the vISA program. passes.def lists the passes in
 * order. */
#ifndef CMKIT_LOWER_LOWER_H
#define CMKIT_LOWER_LOWER_H

#include <stdbool.h>
#include <stdio.h>
#include <llvm-c/Core.h>
#include "lower/codegen/bale/print_steps.h"
#include "lower/codegen/kernel.h"
#include "lower/input/input.h"
#include "lower/ir/options.h"
#include "lower/vc/print_vc.h"
#include "lower/vc/write_spirv.h"

/* First half: builtins and SIMD control flow to llvm.genx.* and plain LLVM vectors, inlining, scalar optimisation,
 * region passes; what `cmc -emit-llvm` prints. False after printing `file:line:column: error: ...`. */
bool lower_to_genx(LLVMModuleRef module, const struct lower_options *options);

/* Before the first half: deletes all kernels but `name`, and what only they call. False after an error: there is no
 * such kernel. */
bool lower_only_kernel(LLVMModuleRef module, const char *name);

/* Prints the passes in order, one a line with a sentence each; then the steps of the second half. */
void lower_print_passes(FILE *out);

#endif
