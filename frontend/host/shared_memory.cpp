// Lowers __local variables and pointers for the CPU to offsets in the memory of the thread's group.
#include "frontend/host/host.h"
#include "tables/host_abi.h"

#include <cstddef>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace cmkit
{

enum { SHARED_ADDRESS_SPACE = 3, SHARED_BYTES = 128 * 1024 /* host_abi.h */ };

// Allocates from the end backwards: cm_slm_alloc, and kernels that number bytes themselves, start at 0.
static void place_variables(Module &module)
{
    uint64_t next = SHARED_BYTES;
    for (GlobalVariable &variable : make_early_inc_range(module.globals())) {
        if (variable.getAddressSpace() != SHARED_ADDRESS_SPACE)
            continue;
        uint64_t bytes = module.getDataLayout().getTypeAllocSize(variable.getValueType());
        if (bytes > next)
            module.getContext().emitError("__local variables: more than the 128 KB of shared memory");
        next =
            alignDown(next - std::min(bytes, next), std::max<uint64_t>(variable.getAlign().valueOrOne().value(), 16));
        Constant *number = ConstantInt::get(Type::getInt64Ty(module.getContext()), next);
        variable.replaceAllUsesWith(ConstantExpr::getIntToPtr(number, variable.getType()));
        variable.eraseFromParent();
    }
}

// Returns the address in this process that a __local pointer stands for.
static Value *address_of(IRBuilder<> &builder, GlobalVariable *current, Value *pointer)
{
    constexpr size_t base = offsetof(cm_host_thread, shared) + offsetof(cm_host_surface, base);
    Type *flat = builder.getPtrTy(), *number = builder.getInt64Ty();
    Value *thread = builder.CreateLoad(flat, builder.CreateThreadLocalAddress(current));
    Value *memory = builder.CreateLoad(flat, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), thread, base));
    return builder.CreateGEP(builder.getInt8Ty(), memory, builder.CreatePtrToInt(pointer, number));
}

void share_memory_on_host(Module &module)
{
    std::vector<Instruction *> accesses;
    place_variables(module);
    for (Function &function : module)
        for (Instruction &instruction : instructions(function)) {
            const Value *pointer = getLoadStorePointerOperand(&instruction);
            if (pointer && pointer->getType()->getPointerAddressSpace() == SHARED_ADDRESS_SPACE)
                accesses.push_back(&instruction);
        }
    if (accesses.empty())
        return;
    GlobalVariable *current = current_thread_on_host(module);
    for (Instruction *access : accesses) {
        IRBuilder<> builder(access);
        unsigned operand =
            isa<StoreInst>(access) ? StoreInst::getPointerOperandIndex() : LoadInst::getPointerOperandIndex();
        access->setOperand(operand, address_of(builder, current, access->getOperand(operand)));
    }
}

} // namespace cmkit
