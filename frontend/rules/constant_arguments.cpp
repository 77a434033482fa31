#include "frontend/rules/constant_arguments.h"
#include "frontend/base/report.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

using namespace clang;

namespace cmkit
{
namespace
{

struct Rule {
    const char *function, *what;
    int64_t most;
    const char *right;
};

const Rule *rule_of(const CallExpr &call, const SourceManager &manager)
{
    static const Rule table[] = {
#define CONSTANT_ARGUMENT(FUNCTION, WHAT, MOST, RIGHT) {FUNCTION, WHAT, MOST, RIGHT},
#include "frontend/rules/constant_arguments.def"
#undef CONSTANT_ARGUMENT
    };
    const FunctionDecl *callee = call.getDirectCallee();
    if (!callee || !callee->getIdentifier() || call.getNumArgs() == 0 ||
        !manager.isInSystemHeader(manager.getExpansionLoc(callee->getLocation())))
        return nullptr;
    for (const Rule &rule : table)
        if (callee->getName() == rule.function)
            return &rule;
    return nullptr;
}

// Counts the uses of a parameter, and those that only read its value.
class Uses : public RecursiveASTVisitor<Uses>
{
  public:
    explicit Uses(const ValueDecl *parameter) : parameter_(parameter) {}
    bool VisitDeclRefExpr(DeclRefExpr *name)
    {
        all += name->getDecl() == parameter_;
        return true;
    }
    bool VisitImplicitCastExpr(ImplicitCastExpr *cast)
    {
        const auto *name = dyn_cast<DeclRefExpr>(cast->getSubExpr()->IgnoreParens());
        reads += cast->getCastKind() == CK_LValueToRValue && name && name->getDecl() == parameter_;
        return true;
    }
    unsigned all = 0, reads = 0;

  private:
    const ValueDecl *parameter_;
};

// True for a kernel's parameter that the kernel does not change.
bool is_of_launch(const ParmVarDecl *parameter, const std::vector<Kernel> &kernels)
{
    for (const Kernel &kernel : kernels)
        if (parameter->getDeclContext() == kernel.declaration) {
            Uses uses(parameter);
            uses.TraverseStmt(kernel.declaration->getBody());
            return uses.all == uses.reads;
        }
    return false;
}

bool depends_on_launch(const Stmt *expression, const std::vector<Kernel> &kernels)
{
    const auto *name = dyn_cast<DeclRefExpr>(expression);
    const auto *parameter = name ? dyn_cast<ParmVarDecl>(name->getDecl()) : nullptr;
    if (parameter && is_of_launch(parameter, kernels))
        return true;
    for (const Stmt *part : expression->children())
        if (part && depends_on_launch(part, kernels))
            return true;
    return false;
}

} // namespace

void check_constant_argument(const CallExpr &call, ASTContext &context, const std::vector<Kernel> &kernels)
{
    const Rule *rule = rule_of(call, context.getSourceManager());
    if (!rule || call.getArg(0)->isInstantiationDependent())
        return;
    const Expr *argument = call.getArg(0);
    Expr::EvalResult result;
    std::string text = std::string(rule->function) + ": the " + rule->what;
    if (argument->EvaluateAsInt(result, context)) {
        auto value = int32_t(result.Val.getInt().getExtValue()); // -1 that was converted to unsigned
        if (value >= 0 && value <= rule->most)
            return;
        text += " " + std::to_string(value);
    } else if (depends_on_launch(argument, kernels)) {
        text += " is not constant";
    } else {
        return;
    }
    refuse(context.getDiagnostics(), argument->getExprLoc(), text, "it is " + std::string(rule->right));
}

} // namespace cmkit
