// Tells vectors, matrices and references to them from other types.
#ifndef CMKIT_FRONTEND_BASE_SHAPES_H
#define CMKIT_FRONTEND_BASE_SHAPES_H

#include <optional>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Type.h>

namespace cmkit
{

// The class of a vector, matrix or reference to one; nullptr for any other type.
const clang::ClassTemplateSpecializationDecl *operand_of(clang::QualType type);

// Rows and columns of a vector, matrix or reference; a vector is one row.
struct Shape {
    int64_t rows, columns;
    bool is_matrix, is_reference;
    clang::QualType element;
};

// None: the type is no vector, matrix or reference to one.
std::optional<Shape> shape_of(clang::QualType type);

} // namespace cmkit

#endif
