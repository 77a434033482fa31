// Finds recursive functions. Only functions marked _GENX_STACKCALL_ have a stack on the GPU.
#ifndef CMKIT_FRONTEND_CODEGEN_RECURSION_H
#define CMKIT_FRONTEND_CODEGEN_RECURSION_H

#include <vector>
#include <clang/CodeGen/ModuleBuilder.h>
#include <llvm/IR/Module.h>
#include "frontend/base/kernel.h"

namespace cmkit
{

// Reports an error at a recursive call if a kernel reaches the called function and it lacks _GENX_STACKCALL_. Must run
// before mark_kernels(), which renames functions. Returns false after an error.
bool check_recursion(llvm::Module &module, clang::CodeGenerator &generator, const std::vector<Kernel> &kernels,
                     clang::DiagnosticsEngine &diagnostics);

} // namespace cmkit

#endif
