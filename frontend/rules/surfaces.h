// Checks that each surface parameter is used as its type says: as a buffer or as an image.
#ifndef CMKIT_FRONTEND_RULES_SURFACES_H
#define CMKIT_FRONTEND_RULES_SURFACES_H

#include <memory>
#include <vector>
#include <clang/AST/ASTConsumer.h>
#include "frontend/base/kernel.h"

namespace cmkit
{

// Checks the surfaces at the end of the translation unit. Reports each SurfaceIndex parameter of a kernel that is used
// as an image although [[type("...")]] says buffer, or the other way around, or that is used as both. The uses are
// known from the builtins that receive it, also through the user's functions. Records the result in Parameter::surface.
std::unique_ptr<clang::ASTConsumer> create_surface_checker(std::vector<Kernel> &kernels);

} // namespace cmkit

#endif
