// bf16 as the type of elements: Clang's __bf16, whose values are 16-bit integers in the module that the middle end
// gets.
#ifndef CMKIT_FRONTEND_CODEGEN_SHORT_FLOATS_H
#define CMKIT_FRONTEND_CODEGEN_SHORT_FLOATS_H

#include <vector>
#include <clang/Basic/TargetInfo.h>
#include <llvm/IR/Module.h>

namespace cmkit
{

// Makes __bf16 a type of the target; Clang computes with it in float.
void enable_short_floats(clang::TargetInfo &target);

// Puts floats where the module computes with bfloat, and i16 where it moves it. Functions with such parameters or
// results become others, in `functions` too.
void lower_short_floats(llvm::Module &module, std::vector<llvm::Function *> &functions);

} // namespace cmkit

#endif
