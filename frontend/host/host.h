// Turns a module into a kernel library for the CPU (tables/host_abi.h).
#ifndef CMKIT_FRONTEND_HOST_HOST_H
#define CMKIT_FRONTEND_HOST_HOST_H

#include <llvm/IR/Module.h>
#include "frontend/base/kernel.h"

namespace cmkit
{

// Returns the variable that points to the current cm_host_thread: host.h's, or a new one if no builtin uses it.
llvm::GlobalVariable *current_thread_on_host(llvm::Module &module);

// Adds null checks to calls through pointers. Must run before the entries are added: they set what the checks need.
void check_pointers_on_host(llvm::Module &module);

// Gives shifts, divisions and conversions of floats to integers the GPU's results for all operands.
void compute_as_gen_on_host(llvm::Module &module);

// Turns accesses to __local objects into accesses to the group's shared memory.
void share_memory_on_host(llvm::Module &module);

// Generates the entry and the descriptor of each kernel (tables/host_abi.h).
void add_host_entries(llvm::Module &module, const std::vector<Kernel> &kernels,
                      const std::vector<llvm::Function *> &functions);

} // namespace cmkit

#endif
