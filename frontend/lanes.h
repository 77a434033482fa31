// Shuffles by a pattern, which the CM headers ask for by calls of __lanes_* (include/cm/detail/builtins.h).
#ifndef CMKIT_FRONTEND_LANES_H
#define CMKIT_FRONTEND_LANES_H

#include <clang/CodeGen/ModuleBuilder.h>
#include <llvm/IR/Module.h>

namespace cmkit
{

// Puts a constant vector, a shufflevector or a chain of element moves in the place of each such call. No call is left.
void expand_lane_patterns(llvm::Module &module, clang::CodeGenerator &generator);

} // namespace cmkit

#endif
