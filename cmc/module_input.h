/* Reads inputs that are modules: LLVM IR as text or bitcode, and SPIR-V. */
#ifndef CMKIT_CMC_MODULE_INPUT_H
#define CMKIT_CMC_MODULE_INPUT_H

#include <llvm-c/Core.h>
#include "cmc/options.h"

/* Reads the input into a module, which is not checked yet. False after an error line. */
bool cmc_read_module(const struct cmc_options *options, LLVMContextRef context, LLVMModuleRef *module);

/* Makes LLVM bitcode of SPIR-V by the program llvm-spirv. The caller frees *bitcode. False after an error line: it is
 * no SPIR-V for the vector back end, there is no such program, or it refuses the file. */
bool cmc_read_spirv(const char *path, const void *bytes, size_t size, void **bitcode, size_t *bitcode_size);

#endif
