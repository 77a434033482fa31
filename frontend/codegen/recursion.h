// Finds recursive functions. Only functions marked _GENX_STACKCALL_ have a stack on the GPU.
#ifndef CMKIT_FRONTEND_CODEGEN_RECURSION_H
#define CMKIT_FRONTEND_CODEGEN_RECURSION_H

#include <vector>
#include <clang/CodeGen/ModuleBuilder.h>
#include <llvm/IR/Module.h>
#include "frontend/base/kernel.h"

namespace cmkit
{

// An error at the call that leads back to a function without _GENX_STACKCALL_ that a kernel reaches. Before
// mark_kernels(), which renames functions. False: there was one.
bool check_recursion(llvm::Module &module, clang::CodeGenerator &generator, const std::vector<Kernel> &kernels,
                     clang::DiagnosticsEngine &diagnostics);

} // namespace cmkit

#endif
