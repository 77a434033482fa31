#include "frontend/rules/print_formats.h"
#include "frontend/diagnostics/diag_text.h"
#include "frontend/base/report.h"

#include <clang/AST/FormatString.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <llvm/ADT/StringExtras.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Basic/TargetInfo.h>

using namespace clang;
using analyze_format_string::LengthModifier;
using analyze_printf::PrintfConversionSpecifier;
using analyze_printf::PrintfSpecifier;

namespace cmkit
{

namespace
{

// True if a function advances a pointer of its own through a text.
class Steps : public RecursiveASTVisitor<Steps>
{
  public:
    explicit Steps(const VarDecl *variable) : variable_(variable) {}
    bool VisitUnaryOperator(UnaryOperator *step) { return look(step->isIncrementDecrementOp(), step->getSubExpr()); }
    bool VisitCompoundAssignOperator(CompoundAssignOperator *step) { return look(true, step->getLHS()); }
    bool found = false;

  private:
    bool look(bool steps, const Expr *what)
    {
        const auto *name = dyn_cast<DeclRefExpr>(what->IgnoreParens());
        found |= steps && name && name->getDecl() == variable_;
        return !found;
    }

    const VarDecl *variable_;
};

bool is_no_literal(const Expr *text, ASTContext &context);

// True for an array that is filled at run time or may be changed, and for a pointer that is advanced through a text or
// starts inside one.
bool is_changed(const VarDecl &variable, ASTContext &context)
{
    if (const ArrayType *array = variable.getType()->getAsArrayTypeUnsafe())
        return variable.hasLocalStorage() || !array->getElementType().isConstQualified();
    const auto *function = dyn_cast<FunctionDecl>(variable.getDeclContext());
    Steps steps(&variable);
    if (!function || !variable.getType()->isPointerType())
        return false;
    steps.TraverseStmt(function->getBody());
    const Expr *first = variable.getInit();
    const auto *itself = first ? dyn_cast<DeclRefExpr>(first->IgnoreParenImpCasts()) : nullptr;
    bool starts = first && !(itself && itself->getDecl() == &variable) && is_no_literal(first, context);
    return steps.found || starts;
}

// True if the format is certainly not a whole string literal, nor a choice of several. The CPU's C library would accept
// it; the driver finds texts in the kernel's binary by their addresses.
bool is_no_literal(const Expr *text, ASTContext &context)
{
    text = text->IgnoreParenImpCasts();
    Expr::EvalResult index;
    if (const auto *choice = dyn_cast<ConditionalOperator>(text))
        return is_no_literal(choice->getTrueExpr(), context) || is_no_literal(choice->getFalseExpr(), context);
    if (const auto *element = dyn_cast<ArraySubscriptExpr>(text))
        return !element->getIdx()->EvaluateAsInt(index, context);
    if (const auto *step = dyn_cast<UnaryOperator>(text))
        return step->isIncrementDecrementOp();
    if (const auto *sum = dyn_cast<BinaryOperator>(text))
        return sum->isAdditiveOp() || sum->isCompoundAssignmentOp();
    const auto *name = dyn_cast<DeclRefExpr>(text);
    const auto *variable = name ? dyn_cast<VarDecl>(name->getDecl()) : nullptr;
    return variable && is_changed(*variable, context);
}

constexpr char right_text[] = "use a string in quotes, or a const char * to one: the driver finds it in the "
                              "kernel's file";

class Handler : public analyze_format_string::FormatStringHandler
{
  public:
    Handler(const CallExpr &call, const StringLiteral &format, ASTContext &context)
        : call_(call), format_(format), context_(context), start_(format.getString().data())
    {
    }

    void HandleIncompleteSpecifier(const char *start, unsigned length) override
    {
        error(start, "printf: '" + std::string(start, length) + "' is no whole conversion", "a % is written %%");
    }

    bool HandleInvalidPrintfConversionSpecifier(const PrintfSpecifier &, const char *start, unsigned length) override
    {
        llvm::StringRef text(start, length);
        text = text.take_until([](char c) { return !llvm::isPrint(c) || c == ' '; });
        error(start, "printf: unknown conversion '" + text.str() + "'", kinds);
        return false;
    }

    bool HandlePrintfSpecifier(const PrintfSpecifier &conversion, const char *start, unsigned length,
                               const TargetInfo &) override
    {
        std::string text(start, length);
        PrintfConversionSpecifier::Kind kind = conversion.getConversionSpecifier().getKind();
        if (conversion.getFieldWidth().getHowSpecified() == analyze_format_string::OptionalAmount::Arg ||
            conversion.getPrecision().getHowSpecified() == analyze_format_string::OptionalAmount::Arg)
            return error(start, "printf: '" + text + "' takes its width from an argument",
                         "write widths and precisions as numbers in the format");
        if (kind == PrintfConversionSpecifier::nArg)
            return error(start, "printf: '" + text + "' would write to memory", kinds);
        if (!conversion.consumesDataArgument())
            return true;
        unsigned number = ++used_;
        if (number >= call_.getNumArgs())
            return error(start, "printf: '" + text + "' has no argument",
                         "the call has " + std::to_string(call_.getNumArgs() - 1) + " behind the format");
        return check_argument(conversion, text, start, number);
    }

    // Warns of arguments without a conversion.
    void finish()
    {
        if (good_ && used_ + 1 < call_.getNumArgs())
            report(call_.getArg(used_ + 1)->getExprLoc(), DiagnosticsEngine::Warning,
                   "printf: the format has no conversion for argument " + std::to_string(used_ + 1));
    }

  private:
    static constexpr char kinds[] = "%d %i %u %o %x %X %c take integers, %f %e %g %a (and their capitals) floats, "
                                    "%s string literals, %p addresses";

    void report(SourceLocation where, DiagnosticsEngine::Level level, const std::string &text)
    {
        cmkit::report(context_.getDiagnostics(), where, level, text);
    }

    bool error(const char *at, const std::string &text, const std::string &right)
    {
        SourceLocation where = format_.getLocationOfByte(unsigned(at - start_), context_.getSourceManager(),
                                                         context_.getLangOpts(), context_.getTargetInfo());
        refuse(context_.getDiagnostics(), where, text, right);
        return good_ = false;
    }

    static bool fits(const PrintfConversionSpecifier &conversion, QualType type)
    {
        if (conversion.isIntArg() || conversion.isUIntArg() || conversion.getKind() == PrintfConversionSpecifier::cArg)
            return type->isIntegralOrEnumerationType();
        if (conversion.isDoubleArg())
            return type->isRealFloatingType();
        if (conversion.getKind() == PrintfConversionSpecifier::sArg)
            return type->isPointerType() && type->getPointeeType()->isCharType();
        return conversion.getKind() == PrintfConversionSpecifier::pArg && type->isPointerType();
    }

    bool check_argument(const PrintfSpecifier &conversion, const std::string &text, const char *start, unsigned number)
    {
        const Expr *argument = call_.getArg(number)->IgnoreParenImpCasts();
        QualType type = call_.getArg(number)->getType();
        if (type->isRecordType() || type->isDependentType()) // the headers report it
            return true;
        std::string name = name_of_type(argument->getType()->isArrayType() ? type : argument->getType());
        if (!fits(conversion.getConversionSpecifier(), type))
            return error(start,
                         "printf: '" + text + "' for argument " + std::to_string(number) + ", " + with_article(name),
                         kinds);
        if (conversion.getConversionSpecifier().getKind() == PrintfConversionSpecifier::sArg &&
            is_no_literal(argument, context_)) {
            refuse(context_.getDiagnostics(), argument->getExprLoc(),
                   "printf: argument " + std::to_string(number) + " for '" + text + "' is no string literal",
                   right_text);
            return good_ = false;
        }
        if (!type->isIntegralOrEnumerationType())
            return true;
        LengthModifier::Kind length = conversion.getLengthModifier().getKind();
        bool wide = length == LengthModifier::AsLong || length == LengthModifier::AsLongLong ||
                    length == LengthModifier::AsIntMax || length == LengthModifier::AsSizeT ||
                    length == LengthModifier::AsPtrDiff || length == LengthModifier::AsQuad;
        if (wide != (context_.getTypeSize(type) == 64))
            report(call_.getArg(number)->getExprLoc(), DiagnosticsEngine::Warning,
                   "printf: '" + text + "' prints " + (wide ? "64" : "32") + " bits of argument " +
                       std::to_string(number) + ", which has " + std::to_string(context_.getTypeSize(type)));
        return true;
    }

    const CallExpr &call_;
    const StringLiteral &format_;
    ASTContext &context_;
    const char *start_;
    unsigned used_ = 0; // arguments after the format
    bool good_ = true;
};

} // namespace

void check_print_format(const CallExpr &call, ASTContext &context)
{
    const FunctionDecl *callee = call.getDirectCallee();
    if (!callee || !callee->getIdentifier() || callee->getName() != "printf" || call.getNumArgs() == 0 ||
        call.isInstantiationDependent() || !context.getSourceManager().isInSystemHeader(callee->getLocation()))
        return;
    const Expr *written = call.getArg(0)->IgnoreParenImpCasts();
    if (is_no_literal(written, context))
        return refuse(context.getDiagnostics(), written->getExprLoc(), "printf: the format is no string literal",
                      right_text);
    const auto *format = dyn_cast<StringLiteral>(written);
    if (!format || format->getCharByteWidth() != 1)
        return;
    Handler handler(call, *format, context);
    llvm::StringRef text = format->getString();
    if (!analyze_format_string::ParsePrintfString(handler, text.begin(), text.end(), context.getLangOpts(),
                                                  context.getTargetInfo(), /*isFreeBSDKPrintf=*/false))
        handler.finish();
}

} // namespace cmkit
