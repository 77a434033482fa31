// Passes vectors, matrices and structures to kernels by value. Handles in them become parameters of their own; bool is
// passed as a byte.
#include "frontend/codegen/codegen.h"

#include <clang/CodeGen/CodeGenABITypes.h>
#include <llvm/IR/IRBuilder.h>

using namespace llvm;

namespace cmkit
{

// Returns the type by which a parameter is passed.
static Type *passed_type(const Parameter &parameter, Argument *argument)
{
    if (argument->getType()->isIntegerTy(1))
        return Type::getInt8Ty(argument->getContext());
    if (!parameter.alignment)
        return argument->getType();
    unsigned bytes = std::min(parameter.alignment, 8u); // of an element: alignas may require more
    return FixedVectorType::get(Type::getIntNTy(argument->getContext(), 8 * bytes), parameter.bytes / bytes);
}

// Creates the body's replacement for the old parameter: a variable with the bytes, or one integer.
static Value *unpack(IRBuilder<> &builder, clang::CodeGenerator &generator, const Parameter &parameter,
                     Argument *old_argument, Value *argument)
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

// Returns the name of an element's argument: "v[2]", "m[1][2]".
static std::string name_of_element(const Parameter &parameter, StringRef name, unsigned element)
{
    std::string row = parameter.rows ? "[" + std::to_string(element / parameter.columns) + "]" : "";
    return name.str() + row + "[" + std::to_string(element % parameter.columns) + "]";
}

// Builds the vector of handles that begins with `argument`.
static Value *gather_handles(IRBuilder<> &builder, const Parameter &parameter, StringRef name, Argument *argument)
{
    unsigned count = parameter.argument_count();
    Value *handles = PoisonValue::get(FixedVectorType::get(argument->getType(), count));
    for (unsigned n = 0; n < count; n++, argument++) {
        argument->setName(name_of_element(parameter, name, n));
        handles = builder.CreateInsertElement(handles, argument, n);
    }
    return handles;
}

Function *take_records_by_value(Function *function, clang::CodeGenerator &generator, const Kernel &kernel)
{
    std::vector<Type *> types;
    for (size_t i = 0; i < kernel.parameters.size(); i++) {
        const Parameter &parameter = kernel.parameters[i];
        Type *passed = passed_type(parameter, function->getArg(i));
        if (parameter.is_handles())
            types.insert(types.end(), parameter.argument_count(), passed->getScalarType());
        else
            types.push_back(passed);
    }
    if (ArrayRef<Type *>(types) == function->getFunctionType()->params())
        return function;
    auto *type = FunctionType::get(function->getReturnType(), types, false);
    Function *replacement = Function::Create(type, function->getLinkage(), "", function->getParent());
    replacement->setAttributes(AttributeList().addFnAttributes(
        function->getContext(), AttrBuilder(function->getContext(), function->getAttributes().getFnAttrs())));
    replacement->setSubprogram(function->getSubprogram());
    replacement->splice(replacement->begin(), function);
    IRBuilder<> builder(&replacement->getEntryBlock(), replacement->getEntryBlock().begin());
    Argument *argument = replacement->arg_begin();
    for (size_t i = 0; i < kernel.parameters.size(); i++) {
        const Parameter &parameter = kernel.parameters[i];
        Argument *old_argument = function->getArg(i); // the calling convention may have renamed it
        StringRef name = kernel.declaration->getParamDecl(unsigned(i))->getName();
        Value *passed = argument;
        if (parameter.is_handles())
            passed = gather_handles(builder, parameter, name, argument);
        else
            argument->setName(name);
        argument += parameter.argument_count();
        old_argument->replaceAllUsesWith(unpack(builder, generator, parameter, old_argument, passed));
    }
    function->eraseFromParent();
    return replacement;
}

} // namespace cmkit
