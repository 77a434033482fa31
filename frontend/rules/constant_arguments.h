// Checks arguments of CM functions that must be constants: sizes of shared memory, dimensions.
#ifndef CMKIT_FRONTEND_RULES_CONSTANT_ARGUMENTS_H
#define CMKIT_FRONTEND_RULES_CONSTANT_ARGUMENTS_H

#include <vector>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include "frontend/base/kernel.h"

namespace cmkit
{

// Refuses, on every target, numbers out of range and what depends on a kernel's parameter. What becomes a constant
// where loops are unrolled and functions inlined is left to the middle end; the CPU takes any number there.
void check_constant_argument(const clang::CallExpr &call, clang::ASTContext &context,
                             const std::vector<Kernel> &kernels);

} // namespace cmkit

#endif
