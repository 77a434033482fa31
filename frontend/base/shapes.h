// Distinguishes vectors, matrices and references to them from other types.
#ifndef CMKIT_FRONTEND_BASE_SHAPES_H
#define CMKIT_FRONTEND_BASE_SHAPES_H

#include <optional>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Type.h>

namespace cmkit
{

// Returns the class of a vector, matrix or reference to one; nullptr for any other type.
const clang::ClassTemplateSpecializationDecl *operand_of(clang::QualType type);

// The rows and columns of a vector, matrix or reference. A vector has one row.
struct Shape {
    int64_t rows, columns;
    bool is_matrix, is_reference;
    clang::QualType element;
};

// Returns the shape; none if the type is no vector, matrix or reference to one.
std::optional<Shape> shape_of(clang::QualType type);

} // namespace cmkit

#endif
