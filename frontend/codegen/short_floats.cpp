#include "frontend/codegen/short_floats.h"

#include <algorithm>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>

using namespace llvm;

namespace cmkit
{

void enable_short_floats(clang::TargetInfo &target)
{
    struct Access : clang::TargetInfo { // gives access to members that targets set
        using clang::TargetInfo::BFloat16Align;
        using clang::TargetInfo::BFloat16Format;
        using clang::TargetInfo::BFloat16Width;
        using clang::TargetInfo::HasBFloat16;
    };
    target.*(&Access::HasBFloat16) = true;
    target.*(&Access::BFloat16Width) = target.*(&Access::BFloat16Align) = 16;
    target.*(&Access::BFloat16Format) = &APFloat::BFloat();
}

// Returns the type with i16 instead of bfloat.
static Type *stored(Type *type)
{
    LLVMContext &context = type->getContext();
    if (type->isBFloatTy())
        return Type::getInt16Ty(context);
    if (auto *vector = dyn_cast<FixedVectorType>(type))
        return FixedVectorType::get(stored(vector->getElementType()), vector->getNumElements());
    if (auto *array = dyn_cast<ArrayType>(type))
        return ArrayType::get(stored(array->getElementType()), array->getNumElements());
    if (auto *function = dyn_cast<FunctionType>(type)) {
        std::vector<Type *> parameters;
        for (Type *parameter : function->params())
            parameters.push_back(stored(parameter));
        return FunctionType::get(stored(function->getReturnType()), parameters, function->isVarArg());
    }
    if (auto *structure = dyn_cast<StructType>(type); structure && !structure->isOpaque()) {
        std::vector<Type *> members;
        bool changed = false;
        for (Type *member : structure->elements()) {
            members.push_back(stored(member));
            changed |= members.back() != member;
        }
        if (changed)
            return StructType::get(context, members, structure->isPacked());
    }
    return type;
}

static bool is_short(Type *type)
{
    return type->getScalarType()->isBFloatTy();
}

static Constant *stored(Constant *constant)
{
    Type *type = constant->getType(), *wanted = stored(type);
    if (type == wanted)
        return constant;
    if (isa<PoisonValue>(constant))
        return PoisonValue::get(wanted);
    if (isa<UndefValue>(constant))
        return UndefValue::get(wanted);
    if (constant->isNullValue())
        return Constant::getNullValue(wanted);
    if (auto *number = dyn_cast<ConstantFP>(constant))
        return ConstantInt::get(wanted, number->getValueAPF().bitcastToAPInt());
    std::vector<Constant *> elements;
    for (unsigned i = 0; Constant *element = constant->getAggregateElement(i); i++)
        elements.push_back(stored(element));
    if (auto *array = dyn_cast<ArrayType>(wanted))
        return ConstantArray::get(array, elements);
    if (auto *structure = dyn_cast<StructType>(wanted))
        return ConstantStruct::get(structure, elements);
    return ConstantVector::get(elements);
}

static Type *like(Type *type, Type *element)
{
    auto *vector = dyn_cast<FixedVectorType>(type);
    return vector ? FixedVectorType::get(element, vector->getNumElements()) : element;
}

// Converts a bfloat to float, and a float to the nearest bfloat, ties to even; NaN stays NaN.
static Value *widened(IRBuilder<> &b, Value *x)
{
    Type *word = like(x->getType(), b.getInt32Ty());
    Value *bits = b.CreateZExt(b.CreateBitCast(x, like(x->getType(), b.getInt16Ty())), word);
    return b.CreateBitCast(b.CreateShl(bits, 16), like(x->getType(), b.getFloatTy()));
}
static Value *rounded(IRBuilder<> &b, Value *x)
{
    Type *word = like(x->getType(), b.getInt32Ty());
    Value *bits = b.CreateBitCast(x, word), *odd = b.CreateAnd(b.CreateLShr(bits, 16), 1);
    Value *nearest = b.CreateAdd(bits, b.CreateAdd(odd, ConstantInt::get(word, 0x7fff)));
    Value *quiet = b.CreateOr(bits, ConstantInt::get(word, 0x400000));
    Value *chosen = b.CreateSelect(b.CreateFCmpUNO(x, x), quiet, nearest);
    Value *upper = b.CreateTrunc(b.CreateLShr(chosen, 16), like(x->getType(), b.getInt16Ty()));
    return b.CreateBitCast(upper, like(x->getType(), b.getBFloatTy()));
}

// Converts x of any numeric type to floats.
static Value *as_float(IRBuilder<> &b, Value *x, bool is_signed)
{
    Type *type = like(x->getType(), b.getFloatTy());
    if (is_short(x->getType()))
        return widened(b, x);
    if (x->getType()->isIntOrIntVectorTy())
        return is_signed ? b.CreateSIToFP(x, type) : b.CreateUIToFP(x, type);
    return b.CreateFPCast(x, type);
}

static Value *converted(IRBuilder<> &b, CastInst *cast)
{
    Value *x = as_float(b, cast->getOperand(0), cast->getOpcode() == Instruction::SIToFP);
    Type *type = cast->getType();
    if (is_short(type))
        return rounded(b, x);
    if (!type->isIntOrIntVectorTy())
        return b.CreateFPCast(x, type);
    return cast->getOpcode() == Instruction::FPToSI ? b.CreateFPToSI(x, type) : b.CreateFPToUI(x, type);
}

// Computes an instruction on bfloat in floats; nullptr if it only moves the value.
static Value *computed(Instruction *i)
{
    IRBuilder<> b(i);
    auto has_short = [](Value *x) { return is_short(x->getType()); };
    if (!has_short(i) && none_of(i->operand_values(), has_short))
        return nullptr;
    if (isa<FPMathOperator>(i))
        b.setFastMathFlags(i->getFastMathFlags());
    if (auto *cast = dyn_cast<CastInst>(i))
        return isa<BitCastInst>(i) ? nullptr : converted(b, cast);
    if (auto *compare = dyn_cast<FCmpInst>(i))
        return b.CreateFCmp(compare->getPredicate(), widened(b, i->getOperand(0)), widened(b, i->getOperand(1)));
    if (i->getOpcode() == Instruction::FNeg) // also for NaN: it only changes the sign
        return rounded(b, b.CreateFNeg(widened(b, i->getOperand(0))));
    if (auto *operation = dyn_cast<BinaryOperator>(i))
        return rounded(
            b, b.CreateBinOp(operation->getOpcode(), widened(b, i->getOperand(0)), widened(b, i->getOperand(1))));
    if (auto *call = dyn_cast<IntrinsicInst>(i)) {
        std::vector<Value *> operands;
        for (Value *operand : call->args())
            operands.push_back(has_short(operand) ? widened(b, operand) : operand);
        Type *type = like(i->getType(), b.getFloatTy());
        Value *result = b.CreateIntrinsic(has_short(i) ? type : i->getType(), call->getIntrinsicID(), operands);
        return has_short(i) ? rounded(b, result) : result;
    }
    return nullptr;
}

// Rewrites attributes that hold the types of parameters in memory.
static AttributeList stored(LLVMContext &context, AttributeList list)
{
    static const Attribute::AttrKind kinds[] = {Attribute::StructRet, Attribute::ByVal};
    for (unsigned index : list.indexes())
        for (Attribute::AttrKind kind : kinds)
            if (Attribute attribute = list.getAttributeAtIndex(index, kind); attribute.isValid())
                list = list.replaceAttributeTypeAtIndex(context, index, kind, stored(attribute.getValueAsType()));
    return list;
}

// Rewrites the types of an instruction that moves values.
static void retype(Instruction &i)
{
    for (Use &use : i.operands())
        if (auto *constant = dyn_cast<Constant>(use); constant && !isa<GlobalValue>(constant))
            use.set(stored(constant));
    i.mutateType(stored(i.getType()));
    if (auto *variable = dyn_cast<AllocaInst>(&i))
        variable->setAllocatedType(stored(variable->getAllocatedType()));
    if (auto *address = dyn_cast<GetElementPtrInst>(&i)) {
        address->setSourceElementType(stored(address->getSourceElementType()));
        address->setResultElementType(stored(address->getResultElementType()));
    }
    if (auto *call = dyn_cast<CallBase>(&i)) {
        call->mutateFunctionType(cast<FunctionType>(stored(call->getFunctionType())));
        call->setAttributes(stored(i.getContext(), call->getAttributes()));
    }
}

// Creates a function of the new type with the old function's name, attributes and body.
static Function *replaced(Function *old)
{
    auto *type = cast<FunctionType>(stored(old->getFunctionType()));
    if (type == old->getFunctionType())
        return old;
    Function *function = Function::Create(type, old->getLinkage(), old->getAddressSpace());
    old->getParent()->getFunctionList().insert(old->getIterator(), function);
    function->takeName(old);
    function->copyAttributesFrom(old);
    function->copyMetadata(old, 0);
    function->splice(function->begin(), old);
    for (unsigned k = 0; k < function->arg_size(); k++) {
        Argument *from = old->getArg(k), *to = function->getArg(k);
        to->takeName(from);
        from->mutateType(to->getType());
        from->replaceAllUsesWith(to);
    }
    old->replaceAllUsesWith(function);
    old->eraseFromParent();
    return function;
}

static void replace_variable(GlobalVariable &old)
{
    Type *type = stored(old.getValueType());
    if (type == old.getValueType())
        return;
    auto *variable = new GlobalVariable(*old.getParent(), type, old.isConstant(), old.getLinkage(),
                                        old.hasInitializer() ? stored(old.getInitializer()) : nullptr, "", &old,
                                        old.getThreadLocalMode(), old.getAddressSpace());
    variable->copyAttributesFrom(&old);
    variable->copyMetadata(&old, 0);
    variable->takeName(&old);
    old.replaceAllUsesWith(variable);
    old.eraseFromParent();
}

void lower_short_floats(Module &module, std::vector<Function *> &functions)
{
    for (Function &function : module)
        for (Instruction &i : make_early_inc_range(instructions(function)))
            if (Value *value = computed(&i)) {
                i.replaceAllUsesWith(value);
                i.eraseFromParent();
            }
    for (GlobalVariable &variable : make_early_inc_range(module.globals()))
        replace_variable(variable);
    for (Function &function : make_early_inc_range(module)) {
        for (Instruction &i : instructions(function))
            retype(i);
        function.setAttributes(stored(module.getContext(), function.getAttributes()));
        Function *other = replaced(&function);
        std::replace(functions.begin(), functions.end(), &function, other);
    }
    for (Function &function : module)
        for (Instruction &i : make_early_inc_range(instructions(function)))
            if (isa<BitCastInst>(i) && i.getType() == i.getOperand(0)->getType()) {
                i.replaceAllUsesWith(i.getOperand(0));
                i.eraseFromParent();
            }
}

} // namespace cmkit
