// Checks that functions and variables that a kernel uses are defined in its file.
#ifndef CMKIT_FRONTEND_RULES_DEFINITIONS_H
#define CMKIT_FRONTEND_RULES_DEFINITIONS_H

#include <memory>
#include <clang/AST/ASTConsumer.h>
#include "frontend/base/kernel.h"

namespace cmkit
{

// Errors at the end of the translation unit: functions and variables that are used and have no definition, kernels that
// are called, virtual functions, and marks of kernels that make none (of templates that nobody instantiates). `kernels`
// is filled by then.
std::unique_ptr<clang::ASTConsumer> create_definition_checker(const std::vector<Kernel> &kernels);

} // namespace cmkit

#endif
