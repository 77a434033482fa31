// Defines the arithmetic on the CPU that C++ and LLVM leave undefined: the results are those of Gen's instructions. A
// division by zero does not end the process.
#include "frontend/host/host.h"

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InstIterator.h>

using namespace llvm;

namespace cmkit
{

// Shift counts are modulo the number of bits.
static void wrap_count(BinaryOperator *shift)
{
    unsigned bits = shift->getType()->getScalarSizeInBits();
    if (bits != 32 && bits != 64)
        return;
    IRBuilder<> builder(shift);
    shift->setOperand(1, builder.CreateAnd(shift->getOperand(1), ConstantInt::get(shift->getType(), bits - 1)));
}

// x / 0 and x % 0: up to 32 bits, the largest number of x's sign, or all ones; for 64 bits, the result of long
// division.
static Value *by_zero(IRBuilder<> &builder, const BinaryOperator &division, Value *x)
{
    Type *type = division.getType();
    unsigned bits = type->getScalarSizeInBits();
    bool has_sign = division.getOpcode() == Instruction::SDiv || division.getOpcode() == Instruction::SRem;
    bool is_rest = division.getOpcode() == Instruction::SRem || division.getOpcode() == Instruction::URem;
    if (bits > 32 && is_rest)
        return x;
    Constant *ones = Constant::getAllOnesValue(type);
    if (!has_sign)
        return ones;
    Value *negative = builder.CreateICmpSLT(x, Constant::getNullValue(type));
    if (bits > 32)
        return builder.CreateSelect(negative, ConstantInt::get(type, 1), ones);
    return builder.CreateSelect(negative, ConstantInt::get(type, APInt::getSignedMinValue(bits)),
                                ConstantInt::get(type, APInt::getSignedMaxValue(bits)));
}

// The CPU traps on a division by zero and on the least number / -1, which wraps on Gen.
static void guard_division(BinaryOperator *division)
{
    Value *x = division->getOperand(0), *y = division->getOperand(1);
    Type *type = division->getType();
    if (const auto *known = dyn_cast<ConstantInt>(y); known && !known->isZero() && !known->isMinusOne())
        return;
    IRBuilder<> builder(division);
    Constant *zero = Constant::getNullValue(type), *one = ConstantInt::get(type, 1);
    Value *is_zero = builder.CreateICmpEQ(y, zero), *special = is_zero;
    bool is_quotient = division->getOpcode() == Instruction::SDiv;
    Value *result = by_zero(builder, *division, x);
    if (is_quotient || division->getOpcode() == Instruction::SRem) {
        Value *is_minus_one = builder.CreateICmpEQ(y, Constant::getAllOnesValue(type));
        special = builder.CreateOr(is_zero, is_minus_one);
        result = builder.CreateSelect(is_zero, result, is_quotient ? builder.CreateSub(zero, x) : zero);
    }
    auto *safe = cast<BinaryOperator>(division->clone());
    safe->setOperand(1, builder.CreateSelect(special, one, y));
    builder.Insert(safe);
    division->replaceAllUsesWith(builder.CreateSelect(special, result, safe));
    division->eraseFromParent();
}

// Returns the nearest value of the integer type; 0 for NaN.
static void clamp_conversion(CastInst *conversion)
{
    IRBuilder<> builder(conversion);
    Intrinsic::ID id = isa<FPToSIInst>(conversion) ? Intrinsic::fptosi_sat : Intrinsic::fptoui_sat;
    Value *x = conversion->getOperand(0);
    conversion->replaceAllUsesWith(builder.CreateIntrinsic(id, {conversion->getType(), x->getType()}, {x}));
    conversion->eraseFromParent();
}

void compute_as_gen_on_host(Module &module)
{
    for (Function &function : module)
        for (Instruction &instruction : make_early_inc_range(instructions(function)))
            switch (instruction.getOpcode()) {
            case Instruction::Shl:
            case Instruction::LShr:
            case Instruction::AShr: wrap_count(cast<BinaryOperator>(&instruction)); break;
            case Instruction::SDiv:
            case Instruction::UDiv:
            case Instruction::SRem:
            case Instruction::URem: guard_division(cast<BinaryOperator>(&instruction)); break;
            case Instruction::FPToSI:
            case Instruction::FPToUI: clamp_conversion(cast<CastInst>(&instruction)); break;
            default: break;
            }
}

} // namespace cmkit
