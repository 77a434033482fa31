#include "frontend/lanes.h"

#include <vector>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <llvm/IR/Constants.h>
#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>

using namespace llvm;

namespace cmkit
{

// The integer template arguments of a function, in order.
static std::vector<int> integer_arguments(const clang::FunctionDecl *function)
{
    std::vector<int> values;
    for (const clang::TemplateArgument &argument : function->getTemplateSpecializationArgs()->asArray())
        if (argument.getKind() == clang::TemplateArgument::Integral)
            values.push_back(int(argument.getAsIntegral().getExtValue()));
    return values;
}

// Element numbers of `count` lanes from `first` on.
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

static Value *expand_look_up(IRBuilder<> &builder, CallInst *call, const std::vector<int> &n)
{
    Value *result = PoisonValue::get(call->getType());
    std::vector<int> distance = numbers(n[0], 0, n[2], n[3], n[4]);
    for (int k = 0; k < n[0]; k++) {
        Value *at = builder.CreateAdd(call->getArgOperand(1), builder.getInt32(distance[k]));
        result =
            builder.CreateInsertElement(result, builder.CreateExtractElement(call->getArgOperand(0), at), uint64_t(k));
    }
    return result;
}

void expand_lane_patterns(Module &module, clang::CodeGenerator &generator)
{
    static const struct {
        const char *name;
        Value *(*expand)(IRBuilder<> &, CallInst *, const std::vector<int> &);
    } table[] = {
        {"__lanes_pattern", expand_pattern},
        {"__lanes_pick", expand_pick},
        {"__lanes_look_up", expand_look_up},
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
