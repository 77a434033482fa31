// Lowers the element type bf16: Clang's __bf16 becomes a 16-bit integer in the module for the middle end.
#ifndef CMKIT_FRONTEND_CODEGEN_SHORT_FLOATS_H
#define CMKIT_FRONTEND_CODEGEN_SHORT_FLOATS_H

#include <vector>
#include <clang/Basic/TargetInfo.h>
#include <llvm/IR/Module.h>

namespace cmkit
{

// Enables __bf16 for the target; Clang computes with it in float.
void enable_short_floats(clang::TargetInfo &target);

// Replaces bfloat by float in computations and by i16 in moves. Functions with such parameters or results are replaced,
// in `functions` too.
void lower_short_floats(llvm::Module &module, std::vector<llvm::Function *> &functions);

} // namespace cmkit

#endif
