#include "frontend/rules/definitions.h"
#include "frontend/base/report.h"

#include <set>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/STLExtras.h>

using namespace clang;

namespace cmkit
{

namespace
{

class DefinitionChecker : public RecursiveASTVisitor<DefinitionChecker>
{
  public:
    DefinitionChecker(ASTContext &context, const std::vector<Kernel> &kernels) : context_(context), kernels_(kernels) {}

    bool shouldVisitTemplateInstantiations() const { return true; }

    bool VisitDeclRefExpr(DeclRefExpr *name)
    {
        check_use(name->getDecl(), name->getLocation());
        return true;
    }
    bool VisitMemberExpr(MemberExpr *name)
    {
        check_use(name->getMemberDecl(), name->getMemberLoc());
        return true;
    }

    bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *)
    {
        return true;
    } // operands of sizeof are not evaluated
    bool TraverseDecltypeTypeLoc(DecltypeTypeLoc) { return true; }

    bool VisitVarDecl(VarDecl *variable)
    {
        if (is_marked(variable))
            error(variable->getLocation(), "'" + variable->getNameAsString() + "' is no function", no_kernel);
        return true;
    }

    bool VisitCXXMethodDecl(CXXMethodDecl *method)
    {
        if (is_marked(method))
            error(method->getLocation(), "'" + method->getNameAsString() + "' belongs to a class", no_kernel);
        if (method->isVirtual() && method->size_overridden_methods() == 0 && !method->isImplicit())
            error(method->getLocation(), "a virtual function: kernels have no tables of functions",
                  "a template parameter chooses a class where the kernel is compiled");
        return true;
    }

    bool VisitFunctionTemplateDecl(FunctionTemplateDecl *function)
    {
        if (is_marked(function->getTemplatedDecl()) && kernels_.empty() && function->specializations().empty())
            error(function->getLocation(), "kernel '" + function->getNameAsString() + "' is a template",
                  "template void " + function->getNameAsString() + "<...>(...); makes a kernel of it");
        return true;
    }

  private:
    static bool is_marked(const Decl *declaration)
    {
        return llvm::any_of(declaration->specific_attrs<AnnotateAttr>(),
                            [](const auto *mark) { return mark->getAnnotation() == "cm-kernel"; });
    }

    void check_use(const ValueDecl *named, SourceLocation where)
    {
        const SourceManager &manager = context_.getSourceManager();
        if (manager.isInSystemHeader(manager.getExpansionLoc(named->getLocation())))
            return;
        if (const auto *variable = dyn_cast<VarDecl>(named)) {
            if (variable->hasGlobalStorage() && variable->isThisDeclarationADefinition() != VarDecl::Definition &&
                !variable->getDefinition() && !variable->getActingDefinition() && !variable->isInline())
                error(where, "'" + variable->getNameAsString() + "' is declared but defined nowhere", whole_program);
        } else if (const auto *function = dyn_cast<FunctionDecl>(named)) {
            check_call(*function, where);
        }
    }

    // A template names an instance of another one, and nothing has instantiated either: the instance has no body yet.
    static bool has_pattern(const FunctionDecl &function)
    {
        const FunctionDecl *pattern = function.getTemplateInstantiationPattern();
        return pattern && pattern->isDefined();
    }

    void check_call(const FunctionDecl &function, SourceLocation where)
    {
        const FunctionDecl *definition = nullptr;
        bool has_body = function.isDefined(definition) || has_pattern(function);
        bool is_kernel =
            definition && llvm::any_of(kernels_, [&](const Kernel &k) { return k.declaration == definition; });
        const auto *method = dyn_cast<CXXMethodDecl>(&function);
        if (is_kernel)
            error(where, "kernel '" + function.getNameAsString() + "' is called: kernels are launched",
                  "kernels share functions without _GENX_MAIN_");
        else if (!has_body && !function.getBuiltinID() && !function.isImplicit() && !(method && method->isVirtual()))
            error(where, "'" + function.getNameAsString() + "' is declared but defined nowhere", whole_program);
    }

    // Reports each position once: a template is visited for each instance.
    void error(SourceLocation where, const std::string &text, const std::string &right)
    {
        if (!reported_.insert(where).second)
            return;
        refuse(context_.getDiagnostics(), where, text, right);
    }

    static constexpr char no_kernel[] = "_GENX_MAIN_ makes kernels of functions outside of classes";
    static constexpr char whole_program[] =
        "everything that a kernel uses must be defined in its file or in a file that it includes";

    ASTContext &context_;
    const std::vector<Kernel> &kernels_;
    std::set<SourceLocation> reported_;
};

class DefinitionConsumer : public ASTConsumer
{
  public:
    explicit DefinitionConsumer(const std::vector<Kernel> &kernels) : kernels_(kernels) {}

    bool HandleTopLevelDecl(DeclGroupRef group) override
    {
        declarations_.insert(declarations_.end(), group.begin(), group.end());
        return true;
    }

    void HandleTranslationUnit(ASTContext &context) override
    {
        if (context.getDiagnostics().hasErrorOccurred())
            return; // a refused definition is missing too
        DefinitionChecker checker(context, kernels_);
        const SourceManager &manager = context.getSourceManager();
        for (size_t i = 0; i < declarations_.size(); i++) // the precompiled headers add more during the loop
            if (!manager.isInSystemHeader(manager.getExpansionLoc(declarations_[i]->getLocation())))
                checker.TraverseDecl(declarations_[i]);
    }

  private:
    const std::vector<Kernel> &kernels_;
    std::vector<Decl *> declarations_;
};

} // namespace

std::unique_ptr<ASTConsumer> create_definition_checker(const std::vector<Kernel> &kernels)
{
    return std::make_unique<DefinitionConsumer>(kernels);
}

} // namespace cmkit
