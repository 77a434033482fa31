// Inline assembly: vectors and matrices as operands of `asm`, which Clang knows as classes and not as registers.
//
// A vector or matrix becomes the LLVM vector that has its bits, before code is generated. LLVM's integers have no sign,
// the variables of vISA do: what the operands had is said at the end of the text (assembly_signs), where lower/ takes
// it off.
#include "frontend/assembly.h"
#include "frontend/rules.h"
#include "frontend/wording.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>

using namespace clang;

namespace cmkit
{

namespace
{

class OperandRewriter : public RecursiveASTVisitor<OperandRewriter>
{
  public:
    OperandRewriter(ASTContext &context, bool host) : context_(context), host_(host) {}

    // Templates come once more for each of their instances.
    bool TraverseFunctionTemplateDecl(FunctionTemplateDecl *) { return true; }
    bool TraverseClassTemplateDecl(ClassTemplateDecl *) { return true; }

    bool VisitGCCAsmStmt(GCCAsmStmt *assembly)
    {
        if (host_) {
            error(assembly->getAsmLoc(), no_assembly, no_assembly_note);
            return true;
        }
        if (assembly->isAsmGoto())
            error(assembly->getAsmLoc(), "asm goto: assembly cannot leave its place",
                  "labels and jumps inside the text are allowed");
        std::string signs(assembly_signs);
        for (Stmt *&operand : assembly->children())
            operand = rewrite(cast<Expr>(operand), signs);
        std::string tied; // "+r" has an input behind the others
        for (unsigned k = 0; k < assembly->getNumOutputs(); k++)
            if (assembly->isOutputPlusConstraint(k))
                tied += signs[assembly_signs.size() + k];
        append(assembly, signs + tied);
        return true;
    }

  private:
    void error(SourceLocation where, const std::string &text, const std::string &right)
    {
        DiagnosticsEngine &engine = context_.getDiagnostics();
        engine.Report(where, engine.getCustomDiagID(DiagnosticsEngine::Error, "%0")) << text;
        engine.Report(where, engine.getCustomDiagID(DiagnosticsEngine::Note, "%0")) << right;
    }

    // The operand in registers; adds the letter of its elements to `signs`.
    Expr *rewrite(Expr *operand, std::string &signs)
    {
        QualType type = operand->getType();
        std::optional<Shape> shape = shape_of(type);
        QualType element = shape ? shape->element : type;
        signs += element->isUnsignedIntegerOrEnumerationType() || element->isPointerType() ? 'U' : 'S';
        if (!shape && !type->isRecordType())
            return operand;
        if (!shape || shape->is_reference) {
            error(operand->getExprLoc(), "an operand of asm is a " + name_of_type(type),
                  "operands are numbers, vectors and matrices: a part of one is copied into a vector, and back");
            return operand;
        }
        QualType lanes =
            context_.getExtVectorType(element.getUnqualifiedType(), unsigned(shape->rows * shape->columns));
        bool is_input = operand->isPRValue();
        if (is_input)
            operand = new (context_) MaterializeTemporaryExpr(type, operand, /*BoundToLvalueReference=*/false);
        QualType written = context_.getLValueReferenceType(lanes);
        return CStyleCastExpr::Create(context_, lanes, VK_LValue, CK_LValueBitCast, operand, /*BasePath=*/nullptr,
                                      FPOptionsOverride(), context_.getTrivialTypeSourceInfo(written),
                                      operand->getBeginLoc(), operand->getEndLoc());
    }

    // A line's end would have a place in the source, which what is appended has not.
    void append(GCCAsmStmt *assembly, const std::string &rest)
    {
        const StringLiteral *old = assembly->getAsmString();
        std::string text = old->getString().str() + rest;
        QualType type = context_.getStringLiteralArrayType(context_.CharTy, unsigned(text.size()));
        assembly->setAsmString(StringLiteral::Create(context_, text, old->getKind(), old->isPascal(), type,
                                                     old->tokloc_begin(), old->getNumConcatenated()));
    }

    ASTContext &context_;
    bool host_;
};

class AssemblyConsumer : public ASTConsumer
{
  public:
    explicit AssemblyConsumer(bool host) : host_(host) {}

    void Initialize(ASTContext &context) override { context_ = &context; }
    bool HandleTopLevelDecl(DeclGroupRef group) override
    {
        for (Decl *declaration : group)
            visit(declaration);
        return true;
    }
    void HandleInlineFunctionDefinition(FunctionDecl *function) override { visit(function); }

  private:
    void visit(Decl *declaration)
    {
        const SourceManager &manager = context_->getSourceManager();
        if (!manager.isInSystemHeader(manager.getExpansionLoc(declaration->getLocation())))
            OperandRewriter(*context_, host_).TraverseDecl(declaration);
    }

    bool host_;
    ASTContext *context_ = nullptr;
};

} // namespace

std::unique_ptr<ASTConsumer> create_assembly_rewriter(bool host)
{
    return std::make_unique<AssemblyConsumer>(host);
}

} // namespace cmkit
