// Turns a module into a kernel library for the CPU (tables/host_abi.h).
#ifndef CMKIT_FRONTEND_HOST_HOST_H
#define CMKIT_FRONTEND_HOST_HOST_H

#include <llvm/IR/Module.h>
#include "frontend/base/kernel.h"

namespace cmkit
{

// The pointer to the cm_host_thread that runs: host.h's, or a new one where no builtin asks for it.
llvm::GlobalVariable *current_thread_on_host(llvm::Module &module);

// Calls through pointers ask whether they are null. Before the entries are added, which set what that needs.
void check_pointers_on_host(llvm::Module &module);

// Shifts, divisions and conversions of floats to integers, whatever their operands are, as on the GPU.
void compute_as_gen_on_host(llvm::Module &module);

// Accesses of what is __local to accesses of the memory that a group's threads share.
void share_memory_on_host(llvm::Module &module);

// The entry and the descriptor of each kernel (tables/host_abi.h).
void add_host_entries(llvm::Module &module, const std::vector<Kernel> &kernels,
                      const std::vector<llvm::Function *> &functions);

} // namespace cmkit

#endif
