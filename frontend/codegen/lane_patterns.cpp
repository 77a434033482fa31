#include "frontend/codegen/lane_patterns.h"

#include <vector>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace cmkit
{

// Returns the integer template arguments of a function, in order.
static std::vector<int> integer_arguments(const clang::FunctionDecl *function)
{
    std::vector<int> values;
    for (const clang::TemplateArgument &argument : function->getTemplateSpecializationArgs()->asArray())
        if (argument.getKind() == clang::TemplateArgument::Integral)
            values.push_back(int(argument.getAsIntegral().getExtValue()));
    return values;
}

// Returns the element numbers of `count` lanes, starting at `first`.
static std::vector<int> numbers(int count, int first, int pitch, int width, int step)
{
    std::vector<int> result(count);
    for (int k = 0; k < count; k++)
        result[k] = first + k / width * pitch + k % width * step;
    return result;
}

static Value *expand_pattern(IRBuilder<> &builder, CallInst *, const std::vector<int> &n)
{
    std::vector<uint16_t> values;
    for (int number : numbers(n[0], 0, n[1], n[2], n[3]))
        values.push_back(uint16_t(number));
    return ConstantDataVector::get(builder.getContext(), values);
}

static Value *expand_pick(IRBuilder<> &builder, CallInst *call, const std::vector<int> &n)
{
    return builder.CreateShuffleVector(call->getArgOperand(0), numbers(n[0], n[2], n[3], n[4], n[5]));
}

// Builds a call of NAME with `pattern` as operands. The middle end folds it when the offsets are constant
// (lower/memory/ref_lanes.c).
static Value *call_later(IRBuilder<> &builder, CallInst *call, std::string name, ArrayRef<int> pattern)
{
    std::vector<Type *> types;
    std::vector<Value *> operands(call->arg_begin(), call->arg_end());
    for (int number : pattern)
        operands.push_back(builder.getInt32(number));
    for (Value *operand : operands)
        types.push_back(operand->getType());
    FunctionType *type = FunctionType::get(call->getType(), types, false);
    FunctionCallee callee = call->getModule()->getOrInsertFunction(name, type);
    auto *function = cast<Function>(callee.getCallee());
    function->setDoesNotAccessMemory();
    function->setDoesNotThrow();
    function->setWillReturn();
    return builder.CreateCall(callee, operands);
}

static Value *expand_distance(IRBuilder<> &builder, CallInst *call, const std::vector<int> &n)
{
    return call_later(builder, call, "cm.distance.v" + std::to_string(n[0] * n[1]), n);
}

static Value *expand_part(IRBuilder<> &builder, CallInst *call, const std::vector<int> &n)
{
    std::string name = "cm.part.v" + std::to_string(n[0]) + ".v" + std::to_string(n[1] * n[2]);
    return call_later(builder, call, name, ArrayRef<int>(n).drop_front());
}

void expand_lane_patterns(Module &module, clang::CodeGenerator &generator)
{
    static const struct {
        const char *name;
        Value *(*expand)(IRBuilder<> &, CallInst *, const std::vector<int> &);
    } table[] = {
        {"__lanes_pattern", expand_pattern},
        {"__lanes_pick", expand_pick},
        {"__lanes_distance", expand_distance},
        {"__lanes_part", expand_part},
    };
    for (Function &function : make_early_inc_range(module)) {
        if (!function.isDeclaration())
            continue;
        const auto *declaration =
            dyn_cast_or_null<clang::FunctionDecl>(generator.GetDeclForMangledName(function.getName()));
        if (!declaration || !declaration->getIdentifier())
            continue;
        for (const auto &row : table) {
            if (declaration->getName() != row.name)
                continue;
            std::vector<int> arguments = integer_arguments(declaration);
            for (User *user : make_early_inc_range(function.users())) {
                auto *call = cast<CallInst>(user);
                IRBuilder<> builder(call);
                call->replaceAllUsesWith(row.expand(builder, call, arguments));
                call->eraseFromParent();
            }
            function.eraseFromParent();
            break;
        }
    }
}

} // namespace cmkit
