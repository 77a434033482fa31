// Checks arguments of CM functions that must be constants: sizes of shared memory, dimensions.
#ifndef CMKIT_FRONTEND_RULES_CONSTANT_ARGUMENTS_H
#define CMKIT_FRONTEND_RULES_CONSTANT_ARGUMENTS_H

#include <vector>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>
#include "frontend/base/kernel.h"

namespace cmkit
{

// Refuses, on every target, numbers out of range and values that depend on a kernel's parameter. Values that become
// constant by unrolling and inlining are checked by the middle end; the CPU accepts any number there.
void check_constant_argument(const clang::CallExpr &call, clang::ASTContext &context,
                             const std::vector<Kernel> &kernels);

} // namespace cmkit

#endif
