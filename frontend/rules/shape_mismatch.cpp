#include "frontend/rules/shape_mismatch.h"
#include "frontend/base/shapes.h"
#include "frontend/diagnostics/diag_text.h"

#include <map>
#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

using namespace clang;

namespace cmkit
{
namespace
{

// Returns the text between the angle brackets of `vector<T, N>` or `matrix<T, R, C>` for an operand of this shape.
std::vector<std::string> arguments_of(const Shape &shape)
{
    if (shape.is_matrix)
        return {name_of_type(shape.element), std::to_string(shape.rows), std::to_string(shape.columns)};
    return {name_of_type(shape.element), std::to_string(shape.columns)};
}

// Returns the template parameter that an argument of a type names; NULL if it names none.
const NamedDecl *parameter_named(const TemplateArgument &argument, const TemplateParameterList &parameters)
{
    if (argument.getKind() == TemplateArgument::Type) {
        const auto *type = argument.getAsType()->getAs<TemplateTypeParmType>();
        return type && type->getIndex() < parameters.size() ? parameters.getParam(type->getIndex()) : nullptr;
    }
    if (argument.getKind() != TemplateArgument::Expression)
        return nullptr;
    const auto *name = dyn_cast<DeclRefExpr>(argument.getAsExpr()->IgnoreParenImpCasts());
    return name ? dyn_cast<NonTypeTemplateParmDecl>(name->getDecl()) : nullptr;
}

// Returns the text of a template argument, a number or a type; empty for a template.
std::string value_of(const TemplateArgument &argument, const ASTContext &context)
{
    if (argument.getKind() == TemplateArgument::Type)
        return argument.getAsType()->isDependentType() ? "" : name_of_type(argument.getAsType());
    Expr::EvalResult result;
    if (argument.getKind() != TemplateArgument::Expression || argument.getAsExpr()->isValueDependent() ||
        !argument.getAsExpr()->EvaluateAsInt(result, context))
        return "";
    return std::to_string(result.Val.getInt().getExtValue());
}

// Explains the mismatch; empty if the operands agree, as far as is known.
std::string disagreement(const FunctionTemplateDecl &made_from, llvm::ArrayRef<Expr *> operands)
{
    const FunctionDecl &function = *made_from.getTemplatedDecl();
    std::map<const NamedDecl *, std::pair<std::string, std::string>> known; // value, and the type that determined it
    for (unsigned i = 0; i < function.getNumParams() && i < operands.size(); i++) {
        QualType wanted = function.getParamDecl(i)->getType().getNonReferenceType();
        const auto *written = wanted->getAs<TemplateSpecializationType>();
        const TemplateDecl *of = written ? written->getTemplateName().getAsTemplateDecl() : nullptr;
        llvm::StringRef kind = of ? of->getName() : "";
        bool is_matrix = kind == "matrix" || kind == "matrix_ref";
        if (!is_matrix && kind != "vector" && kind != "vector_ref")
            continue;
        QualType type = operands[i]->getType();
        std::string name = "'" + function.getParamDecl(i)->getNameAsString() + "' is a " + kind.str();
        if (type->isDependentType())
            return "";
        std::optional<Shape> shape = shape_of(type);
        if (!shape || shape->is_matrix != is_matrix)
            return name + ", here it gets " + with_article(name_of_type(type));
        std::vector<std::string> values = arguments_of(*shape);
        for (size_t k = 0; k < values.size() && k < written->template_arguments().size(); k++) {
            const TemplateArgument &argument = written->template_arguments()[k];
            std::string fixed = value_of(argument, function.getASTContext());
            if (!fixed.empty() && fixed != values[k])
                return "'" + function.getParamDecl(i)->getNameAsString() + "' is a " + wanted.getAsString() +
                       ", here it gets " + with_article(name_of_type(type));
            const NamedDecl *parameter = parameter_named(argument, *made_from.getTemplateParameters());
            if (!parameter)
                continue;
            auto [first, is_new] = known.try_emplace(parameter, values[k], name_of_type(type));
            const auto &[value, holder] = first->second;
            if (!is_new && value != values[k])
                return parameter->getNameAsString() + " is " + value + " of the " + holder + " and " + values[k] +
                       " of the " + name_of_type(type) + ": they must agree";
        }
    }
    return "";
}

class Finder : public RecursiveASTVisitor<Finder>
{
  public:
    Finder(Diagnostics &diagnostics, const SourceManager &manager) : diagnostics_(diagnostics), manager_(manager) {}

    bool shouldVisitTemplateInstantiations() const { return true; }

    // Clang leaves this expression for a refused call: it has the called name and the operands.
    bool VisitRecoveryExpr(RecoveryExpr *refused)
    {
        llvm::ArrayRef<Expr *> parts = refused->subExpressions();
        const auto *names = parts.empty() ? nullptr : dyn_cast<UnresolvedLookupExpr>(parts[0]->IgnoreParens());
        if (!names)
            return true;
        for (const NamedDecl *candidate : names->decls()) {
            const auto *made_from = dyn_cast<FunctionTemplateDecl>(candidate->getUnderlyingDecl());
            if (!made_from || manager_.isInSystemHeader(manager_.getExpansionLoc(made_from->getLocation())))
                continue;
            std::string why = disagreement(*made_from, parts.drop_front());
            if (!why.empty())
                diagnostics_.explain(manager_, refused->getBeginLoc(), made_from->getLocation(), why);
        }
        return true;
    }

  private:
    Diagnostics &diagnostics_;
    const SourceManager &manager_;
};

class Consumer : public ASTConsumer
{
  public:
    explicit Consumer(Diagnostics &diagnostics) : diagnostics_(diagnostics) {}

    bool HandleTopLevelDecl(DeclGroupRef group) override
    {
        declarations_.insert(declarations_.end(), group.begin(), group.end());
        return true;
    }

    void HandleTranslationUnit(ASTContext &context) override
    {
        const SourceManager &manager = context.getSourceManager();
        Finder finder(diagnostics_, manager);
        if (!context.getDiagnostics().hasErrorOccurred())
            return;
        for (size_t i = 0; i < declarations_.size(); i++) // the precompiled headers add more during the loop
            if (!manager.isInSystemHeader(manager.getExpansionLoc(declarations_[i]->getLocation())))
                finder.TraverseDecl(declarations_[i]);
    }

  private:
    Diagnostics &diagnostics_;
    std::vector<Decl *> declarations_;
};

} // namespace

std::unique_ptr<ASTConsumer> create_shape_mismatch_finder(Diagnostics &diagnostics)
{
    return std::make_unique<Consumer>(diagnostics);
}

} // namespace cmkit
