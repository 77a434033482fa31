/* Converts loads from one of several variables, and reads of references to it, to those from each and a choice between
 * their values (the opposite of LLVM's foldPHIArgLoadIntoPHI). */
#ifndef CMKIT_LOWER_MEMORY_LOAD_OF_CHOICE_H
#define CMKIT_LOWER_MEMORY_LOAD_OF_CHOICE_H

#include <llvm-c/Core.h>

void load_from_each_choice(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef function);

#endif
