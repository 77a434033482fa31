// Checks printf's format strings against its arguments.
#ifndef CMKIT_FRONTEND_RULES_PRINT_FORMATS_H
#define CMKIT_FRONTEND_RULES_PRINT_FORMATS_H

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

namespace cmkit
{

// A call of CM's printf with a literal as format; others are left alone.
//   error    conversions that there are not, arguments that are missing or of another kind than the conversion's
//   warning  arguments without conversion; numbers of 64 bits that are printed as 32, or the other way around
void check_print_format(const clang::CallExpr &call, clang::ASTContext &context);

} // namespace cmkit

#endif
