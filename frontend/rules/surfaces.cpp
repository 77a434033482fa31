#include "frontend/rules/surfaces.h"
#include "frontend/diagnostics/diag_text.h"
#include "frontend/base/report.h"

#include <map>
#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>

using namespace clang;

namespace cmkit
{
namespace
{

// A use of a surface: the call of a headers' function in a user's file.
struct Use {
    bool found = false;
    SourceLocation where;
    std::string function;
};

struct Uses {
    Use as_image, as_buffer;
    bool texels = false; // as an image, by texels
};

// READS or WRITES, _BLOCKS or _TEXELS; empty if the message is for buffers.
llvm::StringRef use_of_image(llvm::StringRef genx)
{
#define IMAGE_MESSAGE(GENX, SURFACE, USES)                                                                             \
    if (genx == #GENX)                                                                                                 \
        return #USES;
#include "tables/image_messages.def"
#undef IMAGE_MESSAGE
    return "";
}

// Returns the use that a builtin makes of its operand `number`.
Uses uses_by_builtin(llvm::StringRef name, unsigned number)
{
    static const struct {
        const char *name, *operands, *genx;
    } builtins[] = {
#define CM_BUILTIN(NAME, OPERANDS, RESULT, MASK, FEATURE, LOWER, GENX, DOC) {"__cm_" #NAME, OPERANDS, #GENX},
#include "tables/builtins.def"
#undef CM_BUILTIN
    };
    Uses uses;
    for (const auto &row : builtins)
        if (name == row.name && number < strlen(row.operands) && row.operands[number] == 's') {
            llvm::StringRef use = use_of_image(row.genx);
            (use.empty() ? uses.as_buffer : uses.as_image).found = true;
            uses.texels = use.ends_with("TEXELS");
        }
    return uses;
}

// Returns the parameter that an argument is: itself, or an element or row of a vector or matrix of handles; nullptr:
// none.
const ParmVarDecl *parameter_of(const Expr *argument)
{
    argument = argument->IgnoreParenImpCasts();
    if (const auto *copy = dyn_cast<CXXConstructExpr>(argument); copy && copy->getNumArgs() == 1)
        return parameter_of(copy->getArg(0));
    const Expr *whole = nullptr;
    if (const auto *element = dyn_cast<CXXOperatorCallExpr>(argument))
        whole = element->getArg(0);
    else if (const auto *row = dyn_cast<CXXMemberCallExpr>(argument))
        whole = row->getImplicitObjectArgument();
    if (whole) {
        const ParmVarDecl *parameter = parameter_of(whole);
        return parameter && operand_of(parameter->getType().getNonReferenceType()) ? parameter : nullptr;
    }
    const auto *name = dyn_cast<DeclRefExpr>(argument);
    return name ? dyn_cast<ParmVarDecl>(name->getDecl()) : nullptr;
}

class Follower
{
  public:
    explicit Follower(const SourceManager &manager) : manager_(manager) {}

    const Uses &uses_of(const ParmVarDecl *parameter)
    {
        auto [known, is_new] = uses_.try_emplace(parameter);
        if (is_new) { // a recursive function finds nothing in itself; its other calls add it
            Uses uses = look(parameter);
            uses_[parameter] = uses;
        }
        return uses_[parameter];
    }

  private:
    // Collects the calls that get the parameter, or a part of it.
    class Visitor : public RecursiveASTVisitor<Visitor>
    {
      public:
        Visitor(Follower &follower, const ParmVarDecl *parameter) : follower_(follower), parameter_(parameter) {}
        bool shouldVisitImplicitCode() const { return true; }
        bool VisitCallExpr(CallExpr *call)
        {
            for (unsigned i = 0; i < call->getNumArgs(); i++)
                if (parameter_of(call->getArg(i)) == parameter_)
                    follower_.add(uses, call, i);
            return true;
        }
        // The calls in a template are known only in its instances.
        bool VisitLambdaExpr(LambdaExpr *lambda)
        {
            if (const FunctionTemplateDecl *generic = lambda->getDependentCallOperator())
                for (FunctionDecl *instance : generic->specializations())
                    TraverseStmt(instance->getBody());
            return true;
        }
        Uses uses;

      private:
        Follower &follower_;
        const ParmVarDecl *parameter_;
    };

    Uses look(const ParmVarDecl *parameter)
    {
        const auto *function = dyn_cast<FunctionDecl>(parameter->getDeclContext());
        Visitor visitor(*this, parameter);
        if (function && function->doesThisDeclarationHaveABody())
            visitor.TraverseStmt(function->getBody());
        return visitor.uses;
    }

    void add(Uses &uses, const CallExpr *call, unsigned argument)
    {
        const FunctionDecl *callee = call->getDirectCallee(), *definition = nullptr;
        if (!callee || isa<CXXMethodDecl>(callee) || !callee->getIdentifier() || argument >= callee->getNumParams())
            return;
        Uses more;
        if (callee->getName().starts_with("__cm_"))
            more = uses_by_builtin(callee->getName(), argument);
        else if (callee->isDefined(definition))
            more = uses_of(definition->getParamDecl(argument));
        add(uses.as_image, more.as_image, call, callee);
        add(uses.as_buffer, more.as_buffer, call, callee);
        uses.texels |= more.texels;
    }

    void add(Use &use, Use more, const CallExpr *call, const FunctionDecl *callee)
    {
        if (use.found || !more.found)
            return;
        use = more;
        if (use.where.isValid() || manager_.isInSystemHeader(manager_.getExpansionLoc(call->getExprLoc())))
            return;
        use.where = call->getExprLoc();
        use.function = callee->getName().str();
    }

    const SourceManager &manager_;
    std::map<const ParmVarDecl *, Uses> uses_;
};

// Determines what a surface is from its [[type]] and its uses. Images are accessed in blocks unless a use by texels is
// found: a launch on the CPU then gives them plain bytes (runtime/host.c).
std::string surface_of(const std::string &type, const Uses &uses)
{
    if (llvm::StringRef(type).starts_with("image") || (type.empty() && uses.as_image.found))
        return !uses.texels ? "image2d_media_block_t" : type.empty() ? "image2d_t" : type;
    return type.empty() && uses.as_buffer.found ? "buffer_t" : type;
}

class SurfaceChecker : public ASTConsumer
{
  public:
    explicit SurfaceChecker(std::vector<Kernel> &kernels) : kernels_(kernels) {}

    void HandleTranslationUnit(ASTContext &context) override
    {
        if (context.getDiagnostics().hasErrorOccurred())
            return;
        Follower follower(context.getSourceManager());
        for (Kernel &kernel : kernels_)
            for (size_t i = 0; i < kernel.parameters.size(); i++) {
                Parameter &parameter = kernel.parameters[i];
                if (parameter.kind != "surface")
                    continue;
                const ParmVarDecl *declaration = kernel.declaration->getParamDecl(unsigned(i));
                check(context, declaration, parameter.type, follower);
                parameter.surface = surface_of(parameter.type, follower.uses_of(declaration));
            }
    }

  private:
    static void check(ASTContext &context, const ParmVarDecl *parameter, const std::string &type, Follower &follower)
    {
        const Uses &uses = follower.uses_of(parameter);
        std::string name = "'" + parameter->getNameAsString() + "'";
        bool is_image = llvm::StringRef(type).starts_with("image");
        const Use &wrong = is_image ? uses.as_buffer : uses.as_image;
        if (!wrong.found || wrong.where.isInvalid() || (type.empty() && !uses.as_buffer.found))
            return;
        if (type.empty()) {
            report(context.getDiagnostics(), wrong.where, DiagnosticsEngine::Error,
                   wrong.function + ": " + name + " is an image here and a buffer elsewhere");
            report(context.getDiagnostics(), uses.as_buffer.where, DiagnosticsEngine::Note,
                   "here it is a buffer: a surface is either");
            return;
        }
        report(context.getDiagnostics(), wrong.where, DiagnosticsEngine::Error,
               wrong.function + ": " + name + " is " + with_article(type) + ", this form is for " +
                   (is_image ? "buffers" : "images"));
        report(context.getDiagnostics(), parameter->getLocation(), DiagnosticsEngine::Note,
               std::string("[[type(\"") + (is_image ? "buffer_t" : "image2d_t") + "\")]] makes it " +
                   (is_image ? "a buffer" : "an image"));
    }

    std::vector<Kernel> &kernels_;
};

} // namespace

std::unique_ptr<ASTConsumer> create_surface_checker(std::vector<Kernel> &kernels)
{
    return std::make_unique<SurfaceChecker>(kernels);
}

} // namespace cmkit
