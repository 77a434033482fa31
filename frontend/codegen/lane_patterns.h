// Generates shufflevector for calls of __lanes_* in the CM headers (include/cm/detail/core/builtins.h).
#ifndef CMKIT_FRONTEND_CODEGEN_LANE_PATTERNS_H
#define CMKIT_FRONTEND_CODEGEN_LANE_PATTERNS_H

#include <clang/CodeGen/ModuleBuilder.h>
#include <llvm/IR/Module.h>

namespace cmkit
{

// Replaces each such call by a constant vector, a shufflevector, or a call of cm.part or cm.distance.
void expand_lane_patterns(llvm::Module &module, clang::CodeGenerator &generator);

} // namespace cmkit

#endif
