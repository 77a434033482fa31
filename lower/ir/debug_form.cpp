// In C++: LLVM-C's LLVMSetIsNewDbgInfoFormat does nothing any more in LLVM 21.
#include "lower/ir/debug_form.h"
// LLVM's header would define a variable in each object, by which the linker compares options.
#define LLVM_DISABLE_ABI_BREAKING_CHECKS_ENFORCING 1
#include <llvm/IR/Module.h>

void ir_debug_as_calls(LLVMModuleRef module)
{
    llvm::unwrap(module)->convertFromNewDbgValues();
}

void ir_debug_as_records(LLVMModuleRef module)
{
    llvm::unwrap(module)->convertToNewDbgValues();
}
