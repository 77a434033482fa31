// Guards calls through pointers on the CPU: a null pointer ends the launch with an error, not the process.
#include "frontend/host/host.h"
#include "tables/host_abi.h"

#include <cstddef>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>

using namespace llvm;

namespace cmkit
{

GlobalVariable *current_thread_on_host(Module &module)
{
    if (GlobalVariable *current = module.getNamedGlobal("cm_host_current"))
        return current;
    Type *pointer = PointerType::getUnqual(module.getContext());
    auto *current = new GlobalVariable(module, pointer, false, GlobalValue::InternalLinkage,
                                       Constant::getNullValue(pointer), "cm_host_current");
    current->setThreadLocal(true);
    return current;
}

static void check_pointer(CallInst *call, GlobalVariable *current)
{
    IRBuilder<> builder(call);
    Value *is_null = builder.CreateIsNull(call->getCalledOperand());
    builder.SetInsertPoint(SplitBlockAndInsertIfThen(is_null, call, /*Unreachable=*/true));
    Type *pointer = builder.getPtrTy();
    Value *thread = builder.CreateLoad(pointer, builder.CreateThreadLocalAddress(current));
    auto field = [&](size_t offset) {
        return builder.CreateLoad(pointer, builder.CreateConstInBoundsGEP1_64(builder.getInt8Ty(), thread, offset));
    };
    Value *reason = builder.CreateGlobalString("a call through a null pointer to a function", "", 0, call->getModule());
    builder.CreateCall(FunctionType::get(builder.getVoidTy(), {pointer, pointer}, false),
                       field(offsetof(cm_host_thread, fail)), {field(offsetof(cm_host_thread, context)), reason});
}

void check_pointers_on_host(Module &module)
{
    std::vector<CallInst *> calls;
    for (Function &function : module)
        for (Instruction &instruction : instructions(function))
            if (auto *call = dyn_cast<CallInst>(&instruction); call && call->isIndirectCall())
                calls.push_back(call);
    for (CallInst *call : calls)
        check_pointer(call, current_thread_on_host(module));
}

} // namespace cmkit
