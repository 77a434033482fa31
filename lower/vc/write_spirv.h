/* Writes a module for IGC's vector back end as SPIR-V. */
#ifndef CMKIT_LOWER_VC_WRITE_SPIRV_H
#define CMKIT_LOWER_VC_WRITE_SPIRV_H

#include <stdbool.h>
#include <stdio.h>
#include <llvm-c/Core.h>

/* Writes a module that lower_to_genx() made as SPIR-V, which Level Zero and OpenCL load. False after an error line: a
 * construct has no equivalent there, and nothing is written. `debug`: with the lines of the source. */
bool lower_write_spirv(LLVMModuleRef module, bool debug, FILE *out);

#endif
