// Checks printf's format strings against its arguments.
#ifndef CMKIT_FRONTEND_RULES_PRINT_FORMATS_H
#define CMKIT_FRONTEND_RULES_PRINT_FORMATS_H

#include <clang/AST/ASTContext.h>
#include <clang/AST/Expr.h>

namespace cmkit
{

// Checks a call of CM's printf with a literal as format; ignores others.
//   error    unknown conversions; arguments that are missing or do not match their conversion
//   warning  arguments without conversion; 64-bit numbers printed as 32 bits, or the other way around
void check_print_format(const clang::CallExpr &call, clang::ASTContext &context);

} // namespace cmkit

#endif
