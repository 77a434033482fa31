/* Second half of the middle end: baling, coalescing, selection and legalization of each kernel. */
#ifndef CMKIT_LOWER_CODEGEN_KERNEL_H
#define CMKIT_LOWER_CODEGEN_KERNEL_H

#include <llvm-c/Core.h>
#include "lower/ir/options.h"
#include "visa_emit/visa.h"

/* Returns the vISA program of a module that lower_to_genx() made; NULL after printing an error. */
struct visa_program *lower_to_visa(LLVMModuleRef module, const struct lower_options *options);

#endif
