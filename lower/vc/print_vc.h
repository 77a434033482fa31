/* Prints a module in the LLVM 14 dialect of IGC's vector back end (`cmc -emit-vc`). */
#ifndef CMKIT_LOWER_VC_PRINT_VC_H
#define CMKIT_LOWER_VC_PRINT_VC_H

#include <stdbool.h>
#include <stdio.h>
#include <llvm-c/Core.h>

/* Prints a module that lower_to_genx() made. False with an error line when a construct has no equivalent there. */
bool lower_print_vc(LLVMModuleRef module, FILE *out);

#endif
