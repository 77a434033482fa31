#include "frontend/diagnostics/instantiations.h"

#include <set>
#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

using namespace clang;

namespace cmkit
{
namespace
{

class Recorder : public ASTConsumer
{
  public:
    explicit Recorder(std::vector<const FunctionDecl *> &functions) : functions_(functions) {}

    bool HandleTopLevelDecl(DeclGroupRef group) override
    {
        for (const Decl *declaration : group)
            if (const auto *function = dyn_cast<FunctionDecl>(declaration);
                function && function->isTemplateInstantiation())
                functions_.push_back(function);
        return true;
    }

  private:
    std::vector<const FunctionDecl *> &functions_;
};

class Finder : public RecursiveASTVisitor<Finder>
{
  public:
    explicit Finder(const FunctionDecl *sought) : sought_(sought) {}
    bool VisitDeclRefExpr(DeclRefExpr *name) { return check(name->getDecl()); }
    bool VisitMemberExpr(MemberExpr *name) { return check(name->getMemberDecl()); }
    bool VisitCXXConstructExpr(CXXConstructExpr *construction) { return check(construction->getConstructor()); }
    bool found = false;

  private:
    bool check(const Decl *named)
    {
        found = found || named->getCanonicalDecl() == sought_->getCanonicalDecl();
        return !found;
    }

    const FunctionDecl *sought_;
};

bool calls(const FunctionDecl *caller, const FunctionDecl *callee)
{
    Finder finder(callee);
    if (caller->doesThisDeclarationHaveABody())
        finder.TraverseStmt(caller->getBody());
    return finder.found;
}

} // namespace

std::unique_ptr<ASTConsumer> Instantiations::create_recorder()
{
    return std::make_unique<Recorder>(functions_);
}

SourceLocation Instantiations::user_call(const FunctionDecl *callee) const
{
    const SourceManager &manager = callee->getASTContext().getSourceManager();
    std::set<const FunctionDecl *> seen = {callee};
    std::vector<const FunctionDecl *> waiting = {callee};
    while (!waiting.empty()) {
        const FunctionDecl *function = waiting.back();
        waiting.pop_back();
        SourceLocation where = function->getPointOfInstantiation();
        if (where.isValid() && !manager.isInSystemHeader(manager.getExpansionLoc(where)))
            return where;
        for (size_t i = 0; i < functions_.size(); i++) // the precompiled headers add more during the loop
            if (!seen.count(functions_[i]) && calls(functions_[i], function)) {
                seen.insert(functions_[i]);
                waiting.push_back(functions_[i]);
            }
    }
    return SourceLocation();
}

} // namespace cmkit
