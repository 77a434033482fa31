// Marks kernels in the LLVM module and gives them the parameters that frontend.h describes.
#ifndef CMKIT_FRONTEND_CODEGEN_CODEGEN_H
#define CMKIT_FRONTEND_CODEGEN_CODEGEN_H

#include <clang/CodeGen/ModuleBuilder.h>
#include <llvm/IR/Module.h>
#include "frontend/base/kernel.h"

namespace cmkit
{

// A kernel's vectors, matrices and structures arrive as LLVM vectors of integers as large as their alignment, on every
// target, bool as a byte, each element of a vector or matrix of handles as a parameter of its own: the function with
// such parameters instead of what the target's convention makes of them.
llvm::Function *take_records_by_value(llvm::Function *function, clang::CodeGenerator &generator, const Kernel &kernel);

// Whether it is a function with _GENX_STACKCALL_.
bool is_stack_call(const clang::Decl *declaration);

// A function with __attribute__((noinline)) or _GENX_STACKCALL_ is marked "cm-call"; false: it is neither, or has
// parameters that code generation left out.
bool mark_called(llvm::Function &function, const clang::Decl *declaration, clang::CodeGenerator &generator);

// The function of each kernel, in the same order, renamed to the kernel's plain name and marked; everything else
// becomes internal and, but for functions that are called on the GPU, is to be inlined. `keeps_calls`: the user's own
// functions are not, for debuggers.
std::vector<llvm::Function *> mark_kernels(llvm::Module &module, clang::CodeGenerator &generator,
                                           const std::vector<Kernel> &kernels, bool host, bool keeps_calls);

// Puts the bound variables into one.
void place_bindings(llvm::Module &module, clang::CodeGenerator &generator, const std::vector<Binding> &bindings);

} // namespace cmkit

#endif
