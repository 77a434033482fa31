// Merges global variables that are bound to a byte offset (_GENX_VOLATILE_BINDING_) into one variable.
#include "frontend/codegen/codegen.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

using namespace llvm;

namespace cmkit
{

void place_bindings(Module &module, clang::CodeGenerator &generator, const std::vector<Binding> &bindings)
{
    std::vector<std::pair<GlobalVariable *, int64_t>> bound;
    uint64_t bytes = 0;
    for (GlobalVariable &variable : module.globals()) {
        const clang::Decl *declaration = generator.GetDeclForMangledName(variable.getName());
        for (const Binding &binding : bindings)
            if (declaration && binding.variable->getCanonicalDecl() == declaration->getCanonicalDecl()) {
                bound.push_back({&variable, binding.offset});
                uint64_t end =
                    (uint64_t)binding.offset + module.getDataLayout().getTypeAllocSize(variable.getValueType());
                bytes = std::max(bytes, end);
            }
    }
    if (bound.empty())
        return;
    if (GlobalVariable *annotations = module.getGlobalVariable("llvm.global.annotations"))
        annotations->eraseFromParent();
    auto *type = ArrayType::get(Type::getInt32Ty(module.getContext()), (bytes + 3) / 4);
    auto *space =
        new GlobalVariable(module, type, false, GlobalValue::InternalLinkage, UndefValue::get(type), "cm.bound",
                           nullptr, GlobalValue::NotThreadLocal, bound.front().first->getAddressSpace());
    space->setAlignment(Align(64));
    for (auto [variable, offset] : bound) {
        Constant *place =
            ConstantExpr::getGetElementPtr(Type::getInt8Ty(module.getContext()), space,
                                           ConstantInt::get(Type::getInt64Ty(module.getContext()), offset));
        variable->replaceAllUsesWith(place);
        variable->eraseFromParent();
    }
}

} // namespace cmkit
