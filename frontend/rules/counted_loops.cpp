#include "frontend/rules/counted_loops.h"

#include <algorithm>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>

namespace cmkit
{

using namespace clang;

bool CountedLoops::is_known(const Expr *value) const
{
    Expr::EvalResult result;
    if (value->isInstantiationDependent() || value->EvaluateAsRValue(result, context_))
        return true;
    if (const auto *name = dyn_cast<DeclRefExpr>(value)) {
        const auto *variable = dyn_cast<VarDecl>(name->getDecl());
        return variable && std::find(counters_.begin(), counters_.end(), variable) != counters_.end();
    }
    if (isa<CallExpr>(value) || isa<MemberExpr>(value) || isa<CXXThisExpr>(value) || value->children().empty())
        return false;
    for (const Stmt *child : value->children())
        if (!child || !isa<Expr>(child) || !is_known(cast<Expr>(child)))
            return false;
    return true;
}

// Reads int i = 0, j = 3; or i = 0, j = 3;. Returns false if a number is unknown.
bool CountedLoops::add_counters(const Stmt *init)
{
    if (const auto *declarations = dyn_cast_or_null<DeclStmt>(init)) {
        for (const Decl *declaration : declarations->decls()) {
            const auto *variable = dyn_cast<VarDecl>(declaration);
            if (!variable || !variable->getInit() || !is_known(variable->getInit()))
                return false;
            counters_.push_back(variable);
        }
        return true;
    }
    const auto *operation = dyn_cast_or_null<BinaryOperator>(init);
    if (operation && operation->getOpcode() == BO_Comma)
        return add_counters(operation->getLHS()) && add_counters(operation->getRHS());
    if (!operation || operation->getOpcode() != BO_Assign || !is_known(operation->getRHS()))
        return false;
    const auto *name = dyn_cast<DeclRefExpr>(operation->getLHS()->IgnoreParens());
    const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    if (variable)
        counters_.push_back(variable);
    return variable;
}

bool CountedLoops::is_counted(const ForStmt &loop)
{
    size_t outer = counters_.size();
    bool counted = add_counters(loop.getInit()) && loop.getCond() && is_known(loop.getCond()) &&
                   (!loop.getInc() || is_known(loop.getInc()));
    counters_.resize(outer);
    return counted;
}

void CountedLoops::enter(const ForStmt &loop)
{
    outer_.push_back(counters_.size());
    if (is_counted(loop))
        add_counters(loop.getInit());
}

void CountedLoops::leave()
{
    counters_.resize(outer_.back());
    outer_.pop_back();
}

} // namespace cmkit
