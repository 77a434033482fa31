/* Kernels as a shared library for this machine. */
#ifndef CMKIT_CMC_HOST_H
#define CMKIT_CMC_HOST_H

#include <llvm-c/Core.h>
#include "cmc/phases.h"

/* Optimises the module, makes it a shared library (runtime/host_abi.h) and writes it. False after an error line. */
bool cmc_host_library(const struct cmc_options *options, LLVMModuleRef module);

#endif
