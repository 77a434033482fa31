// Checks that functions and variables that a kernel uses are defined in its file.
#ifndef CMKIT_FRONTEND_RULES_DEFINITIONS_H
#define CMKIT_FRONTEND_RULES_DEFINITIONS_H

#include <memory>
#include <clang/AST/ASTConsumer.h>
#include "frontend/base/kernel.h"

namespace cmkit
{

// Reports at the end of the translation unit: used functions and variables without a definition, calls of kernels,
// virtual functions, and _GENX_MAIN_ on templates that are never instantiated. `kernels` is complete by then.
std::unique_ptr<clang::ASTConsumer> create_definition_checker(const std::vector<Kernel> &kernels);

} // namespace cmkit

#endif
