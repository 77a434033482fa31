// Checks rules of CM that the headers cannot express, on the AST of the user's functions.
#ifndef CMKIT_FRONTEND_RULES_RULES_H
#define CMKIT_FRONTEND_RULES_RULES_H

#include <memory>
#include <optional>
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/Type.h>
#include "frontend/base/kernel.h"
#include "frontend/rules/simd_blocks.h"

namespace cmkit
{

// Checks every function of the user's files at the end of the translation unit.
//   error    address of a vector, matrix or reference; negative constant offset; offset that is no integer; assignment
//            to a part of a constant; a string as a vector; scalar control flow inside SIMD control flow; a binding
//            outside the register file; printf formats (print_formats.h); Clang's builtins (clang_builtins.h); constant
//            arguments (constant_arguments.h)
//   warning  constant offset beyond the object; integer mask of merge with fewer bits than lanes; unused result of
//            select
std::unique_ptr<clang::ASTConsumer> create_rule_checker(const std::vector<Kernel> &kernels, const SimdBlocks &blocks);

} // namespace cmkit

#endif
