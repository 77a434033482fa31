// Rules of CM that the headers cannot express: found on the syntax tree of the user's functions.
#ifndef CMKIT_FRONTEND_RULES_H
#define CMKIT_FRONTEND_RULES_H

#include <memory>
#include <optional>
#include <clang/AST/ASTConsumer.h>
#include <clang/AST/Type.h>
#include "frontend/kernels.h"
#include "frontend/simd_blocks.h"

namespace cmkit
{

// Rows and columns of a vector, matrix or reference; a vector is one row.
struct Shape {
    int64_t rows, columns;
    bool is_matrix, is_reference;
    clang::QualType element;
};

// None: the type is no vector, matrix or reference to one.
std::optional<Shape> shape_of(clang::QualType type);

// Checks every function of the user's files at the end of the translation unit:
//   error    address of a vector, matrix or reference; negative constant offset; offset that is no integer; assignment
//            to a part of a constant; a string as a vector; scalar control flow inside SIMD control flow; a binding
//            outside the register file; formats of printf (print_formats.h);
//            Clang's builtins (clang_builtins.h); constant arguments (constant_arguments.h)
//   warning  constant offset beyond the object; integer mask of merge with fewer bits than lanes; select whose result
//   is not used
std::unique_ptr<clang::ASTConsumer> create_rule_checker(const std::vector<Kernel> &kernels, const SimdBlocks &blocks);

} // namespace cmkit

#endif
