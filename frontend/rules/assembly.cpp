// Wraps vector and matrix operands of `asm` on their way to the parser, because Clang sees them as classes and not as
// registers.
//
// Each such operand is wrapped in a function of cm/detail/core/assembly.h, so that Clang sees an LLVM vector. LLVM's
// integers have no sign but vISA's variables do: the operands' signs are appended to the text (assembly_signs), and
// lower/ removes them.
#include "frontend/base/clang_versions.h"
#include "frontend/rules/assembly.h"
#include "frontend/diagnostics/diag_text.h"
#include "frontend/base/report.h"

#include <memory>
#include <string>
#include <clang/AST/ASTContext.h>
#include <clang/AST/RecursiveASTVisitor.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Frontend/CompilerInstance.h>

using namespace clang;

namespace cmkit
{

namespace
{

// Recognizes asm ( "text" : [name] "constraint" ( operand ) , ... : ... ) and puts tokens before and after each
// operand.
class OperandWatcher
{
  public:
    explicit OperandWatcher(Preprocessor &preprocessor) : preprocessor_(preprocessor) {}

    void see(const Token &token)
    {
        if (token.is(tok::kw_asm)) {
            begun_ = true;
            wrapped_ = false;
            depth_ = 0;
            section_ = TEXT;
        } else if (begun_) {
            step(token);
        }
    }

  private:
    enum Section { TEXT, OUTPUTS, INPUTS, CLOBBERS };

    // Depth 1 is inside the parentheses of the asm.
    void step(const Token &token)
    {
        if (token.is(tok::l_paren)) {
            if (depth_++ == 1)
                open(token.getLocation());
        } else if (token.is(tok::r_paren)) {
            if (--depth_ == 1)
                close(token.getLocation());
            begun_ = depth_ > 0;
        } else if (depth_ == 1) {
            if (token.isOneOf(tok::colon, tok::coloncolon))
                section_ += token.is(tok::colon) ? 1 : 2;
            if (token.is(tok::string_literal))
                see_constraint(token);
            else
                constraint_.clear();
        } else if (depth_ == 0) {
            begun_ = token.isOneOf(tok::kw_volatile, tok::kw_inline, tok::kw_goto);
        }
    }

    // Clang needs a letter that means a register in each output, and `a` does not: "=a" becomes "=a" "r".
    void see_constraint(const Token &token)
    {
        std::string spelling = preprocessor_.getSpelling(token);
        constraint_ += spelling;
        if (section_ == OUTPUTS && llvm::StringRef(spelling).trim("\"=+&^") == "a")
            put({{tok::string_literal, "\"r\""}}, token.getLocation());
    }

    // Constants (i, n, F) are not in registers.
    void open(SourceLocation where)
    {
        bool registers = constraint_.find_first_of("inF") == std::string::npos;
        wrapped_ = section_ == OUTPUTS || (section_ == INPUTS && registers);
        if (where.isFileID())
            where = where.getLocWithOffset(1); // position of the operand
        if (wrapped_)
            put({{tok::coloncolon, ""},
                 {tok::identifier, "cm_detail"},
                 {tok::coloncolon, ""},
                 {tok::identifier, section_ == OUTPUTS ? "assembly_output" : "assembly_input"},
                 {tok::l_paren, ""}},
                where);
        constraint_.clear();
    }

    // The operand's own parenthesis closes the call.
    void close(SourceLocation where)
    {
        if (wrapped_ && section_ == OUTPUTS)
            put({{tok::period, ""},
                 {tok::identifier, "place"},
                 {tok::l_paren, ""},
                 {tok::r_paren, ""},
                 {tok::r_paren, ""}},
                where);
        else if (wrapped_)
            put({{tok::r_paren, ""}}, where);
        wrapped_ = false;
    }

    struct Word {
        tok::TokenKind kind;
        llvm::StringRef spelling; // of identifiers and strings
    };

    void put(std::initializer_list<Word> words, SourceLocation where)
    {
        auto tokens = std::make_unique<Token[]>(words.size());
        Token *next = tokens.get();
        for (const Word &word : words) {
            next->startToken();
            next->setKind(word.kind);
            next->setLocation(where);
            if (word.kind == tok::string_literal) {
                next->setLiteralData(word.spelling.begin()); // its length follows
                next->setLength(unsigned(word.spelling.size()));
            } else if (!word.spelling.empty()) {
                next->setIdentifierInfo(preprocessor_.getIdentifierInfo(word.spelling));
            }
            next++;
        }
        preprocessor_.EnterTokenStream(std::move(tokens), words.size(), /*DisableMacroExpansion=*/true,
                                       /*IsReinject=*/true);
    }

    Preprocessor &preprocessor_;
    bool begun_ = false, wrapped_ = false;
    int depth_ = 0, section_ = TEXT;
    std::string constraint_;
};

// Checks the operands and records their signs.
class OperandVisitor : public RecursiveASTVisitor<OperandVisitor>
{
  public:
    OperandVisitor(ASTContext &context, bool host) : context_(context), host_(host) {}

    // A template is visited again for each instance.
    bool TraverseFunctionTemplateDecl(FunctionTemplateDecl *) { return true; }
    bool TraverseClassTemplateDecl(ClassTemplateDecl *) { return true; }

    bool VisitGCCAsmStmt(GCCAsmStmt *assembly)
    {
        if (host_) {
            error(assembly->getAsmLoc(), no_assembly, no_assembly_note);
            return true;
        }
        if (assembly->isAsmGoto())
            error(assembly->getAsmLoc(), "asm goto: assembly cannot jump to labels of C++",
                  "labels and jumps inside the text are allowed");
        std::string signs(assembly_signs);
        for (const Stmt *operand : assembly->children())
            signs += sign_of(*cast<Expr>(operand));
        std::string tied; // "+r" adds an input after the others
        for (unsigned k = 0; k < assembly->getNumOutputs(); k++)
            if (assembly->isOutputPlusConstraint(k))
                tied += signs[assembly_signs.size() + k];
        append(assembly, signs + tied);
        return true;
    }

  private:
    void error(SourceLocation where, const std::string &text, const std::string &right)
    {
        refuse(context_.getDiagnostics(), where, text, right);
    }

    char sign_of(const Expr &operand)
    {
        QualType type = operand.getType();
        if (type->isRecordType())
            error(operand.getExprLoc(), "an operand of asm is a " + name_of_type(type),
                  "operands are numbers, vectors, matrices and parts of them");
        if (const auto *lanes = type->getAs<ExtVectorType>())
            type = lanes->getElementType();
        return type->isUnsignedIntegerOrEnumerationType() || type->isPointerType() ? 'U' : 'S';
    }

    // The appended text has no position in the source, so it cannot contain a line break.
    void append(GCCAsmStmt *assembly, const std::string &rest) { append_to_assembly(context_, assembly, rest); }

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
            OperandVisitor(*context_, host_).TraverseDecl(declaration);
    }

    bool host_;
    ASTContext *context_ = nullptr;
};

} // namespace

std::function<void(const Token &)> wrap_assembly_operands(Preprocessor &preprocessor)
{
    auto watcher = std::make_shared<OperandWatcher>(preprocessor);
    return [watcher](const Token &token) { watcher->see(token); };
}

std::unique_ptr<ASTConsumer> create_assembly_checker(bool host)
{
    return std::make_unique<AssemblyConsumer>(host);
}

} // namespace cmkit
