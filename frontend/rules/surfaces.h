// Checks that each surface parameter is used as its type says: as a buffer or as an image.
#ifndef CMKIT_FRONTEND_RULES_SURFACES_H
#define CMKIT_FRONTEND_RULES_SURFACES_H

#include <memory>
#include <vector>
#include <clang/AST/ASTConsumer.h>
#include "frontend/base/kernel.h"

namespace cmkit
{

// At the end of the translation unit: an error for each SurfaceIndex parameter of a kernel that a function of the CM
// headers takes for an image where [[type("...")]] says that it is a buffer, or the other way round, or that is used as
// both. What takes it for what is known from the builtins that it is handed on to, through the user's functions too.
// Notes what each is (Parameter::surface).
std::unique_ptr<clang::ASTConsumer> create_surface_checker(std::vector<Kernel> &kernels);

} // namespace cmkit

#endif
