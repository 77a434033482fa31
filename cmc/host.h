/* Interface of the CPU target: kernels as a shared library for this machine. */
#ifndef CMKIT_CMC_HOST_H
#define CMKIT_CMC_HOST_H

#include <stdio.h>
#include <llvm-c/Core.h>
#include "cmc/phases.h"

/* Optimises the module, compiles it to a shared library (tables/host_abi.h) and writes the file. False after an error
 * line. */
bool cmc_host_library(const struct cmc_options *options, LLVMModuleRef module);

/* Prints the linker's command. */
void cmc_print_link(const struct cmc_options *options, FILE *out);

#endif
