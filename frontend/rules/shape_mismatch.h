// Explains why a user's template with vector, matrix or reference parameters does not match a call.
#ifndef CMKIT_FRONTEND_RULES_SHAPE_MISMATCH_H
#define CMKIT_FRONTEND_RULES_SHAPE_MISMATCH_H

#include <memory>
#include <clang/AST/ASTConsumer.h>
#include "frontend/diagnostics/diagnostics.h"

namespace cmkit
{

// At the end of the translation unit, explains each refused call to `diagnostics`: in which operand a template
// parameter has another size or type than in an earlier operand. Clang does not compute this for derived classes.
std::unique_ptr<clang::ASTConsumer> create_shape_mismatch_finder(Diagnostics &diagnostics);

} // namespace cmkit

#endif
