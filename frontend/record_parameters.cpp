// Vectors, matrices and structures as parameters of kernels, and bool, which is passed as a byte.
#include "frontend/kernels.h"

#include <clang/CodeGen/CodeGenABITypes.h>
#include <llvm/IR/IRBuilder.h>

using namespace llvm;

namespace cmkit
{

// The type by which a parameter is passed.
static Type *passed_type(const Parameter &parameter, Argument *argument)
{
    if (argument->getType()->isIntegerTy(1))
        return Type::getInt8Ty(argument->getContext());
    if (!parameter.alignment)
        return argument->getType();
    Type *element = Type::getIntNTy(argument->getContext(), 8 * parameter.alignment);
    return FixedVectorType::get(element, parameter.bytes / parameter.alignment);
}

// What stands in the body for the old parameter: the bytes in a variable of their own, or as one integer.
static Value *unpack(IRBuilder<> &builder, clang::CodeGenerator &generator, const Parameter &parameter,
                     Argument *old_argument, Argument *argument)
{
    if (old_argument->getType()->isIntegerTy(1))
        return builder.CreateIsNotNull(argument);
    if (!parameter.alignment)
        return argument;
    if (!old_argument->getType()->isPointerTy())
        return builder.CreateBitCast(argument, old_argument->getType());
    AllocaInst *copy =
        builder.CreateAlloca(clang::CodeGen::convertTypeForMemory(generator.CGM(), parameter.record), nullptr);
    copy->setAlignment(Align(parameter.alignment));
    builder.CreateAlignedStore(argument, copy, Align(parameter.alignment));
    return copy;
}

Function *take_records_by_value(Function *function, clang::CodeGenerator &generator, const Kernel &kernel)
{
    std::vector<Type *> types;
    for (size_t i = 0; i < kernel.parameters.size(); i++)
        types.push_back(passed_type(kernel.parameters[i], function->getArg(i)));
    if (ArrayRef<Type *>(types) == function->getFunctionType()->params())
        return function;
    auto *type = FunctionType::get(function->getReturnType(), types, false);
    Function *replacement = Function::Create(type, function->getLinkage(), "", function->getParent());
    replacement->setAttributes(AttributeList().addFnAttributes(
        function->getContext(), AttrBuilder(function->getContext(), function->getAttributes().getFnAttrs())));
    replacement->setSubprogram(function->getSubprogram());
    replacement->splice(replacement->begin(), function);
    IRBuilder<> builder(&replacement->getEntryBlock(), replacement->getEntryBlock().begin());
    for (size_t i = 0; i < kernel.parameters.size(); i++) {
        Argument *argument = replacement->getArg(i), *old_argument = function->getArg(i);
        argument->takeName(old_argument);
        old_argument->replaceAllUsesWith(unpack(builder, generator, kernel.parameters[i], old_argument, argument));
    }
    function->eraseFromParent();
    return replacement;
}

} // namespace cmkit
