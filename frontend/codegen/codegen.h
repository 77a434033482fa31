// Marks kernels in the LLVM module and gives them the parameters that frontend.h describes.
#ifndef CMKIT_FRONTEND_CODEGEN_CODEGEN_H
#define CMKIT_FRONTEND_CODEGEN_CODEGEN_H

#include <clang/CodeGen/ModuleBuilder.h>
#include <llvm/IR/Module.h>
#include "frontend/base/kernel.h"

namespace cmkit
{

// Generates code for the kernels' parameters. Vectors, matrices and structures arrive as LLVM vectors of integers as
// large as their alignment, on every target. bool arrives as a byte. Each element of a vector or matrix of handles is a
// parameter of its own. The target's calling convention is not used.
llvm::Function *take_records_by_value(llvm::Function *function, clang::CodeGenerator &generator, const Kernel &kernel);

// True for a function with _GENX_STACKCALL_.
bool is_stack_call(const clang::Decl *declaration);

// Marks a function with __attribute__((noinline)) or _GENX_STACKCALL_ as "cm-call". Returns false if it has neither, or
// has parameters that code generation dropped.
bool mark_called(llvm::Function &function, const clang::Decl *declaration, clang::CodeGenerator &generator);

// Returns the function of each kernel, in the same order, renamed to the kernel's plain name and marked. All other
// functions become internal and are marked for inlining, except functions that are called on the GPU. `keeps_calls`:
// the user's own functions are not inlined, for debuggers.
std::vector<llvm::Function *> mark_kernels(llvm::Module &module, clang::CodeGenerator &generator,
                                           const std::vector<Kernel> &kernels, bool host, bool keeps_calls);

// Merges the bound variables into one.
void place_bindings(llvm::Module &module, clang::CodeGenerator &generator, const std::vector<Binding> &bindings);

} // namespace cmkit

#endif
