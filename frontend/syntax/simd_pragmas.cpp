#include "frontend/syntax/simd_pragmas.h"
#include "frontend/base/report.h"

#include <clang/Basic/IdentifierTable.h>
#include <clang/Lex/LexDiagnostic.h>
#include <clang/Lex/Pragma.h>

using namespace clang;

namespace cmkit
{
namespace
{

class SimdPragma : public PragmaHandler
{
  public:
    explicit SimdPragma(bool host) : PragmaHandler("cm_simd"), host_(host) {}

    void HandlePragma(Preprocessor &preprocessor, PragmaIntroducer introducer, Token &token) override
    {
        preprocessor.Lex(token);
        llvm::StringRef word = token.is(tok::identifier) ? token.getIdentifierInfo()->getName() : "";
        Token rest;
        do
            preprocessor.Lex(rest);
        while (rest.isNot(tok::eod));

        if (word == "loop")
            depth_++;
        else if (word == "loop_end")
            depth_ -= depth_ > 0;
        else if (word == "jump" && depth_ == 0)
            error(preprocessor, introducer.Loc, "SIMD_BREAK and SIMD_CONTINUE belong inside a SIMD_DO_WHILE");
        else if (word == "join" && host_ && depth_ > 0)
            put_break(preprocessor, introducer.Loc);
    }

  private:
    static void error(Preprocessor &preprocessor, SourceLocation where, const char *text)
    {
        report(preprocessor.getDiagnostics(), where, DiagnosticsEngine::Error, text);
    }

    // The macro that holds the statement; the preprocessor reads it as if it were in the file.
    static void put_break(Preprocessor &preprocessor, SourceLocation where)
    {
        auto tokens = std::make_unique<Token[]>(1);
        tokens[0].startToken();
        tokens[0].setKind(tok::identifier);
        tokens[0].setLocation(where);
        tokens[0].setIdentifierInfo(preprocessor.getIdentifierInfo("CM_DETAIL_LEAVE_IF_DEAD"));
        preprocessor.EnterTokenStream(std::move(tokens), 1, /*DisableMacroExpansion=*/false, /*IsReinject=*/false);
    }

    bool host_;
    unsigned depth_ = 0; // nesting of SIMD_DO_WHILE around the current token
};

} // namespace

void add_simd_pragmas(Preprocessor &preprocessor, bool host)
{
    preprocessor.AddPragmaHandler(new SimdPragma(host));
}

} // namespace cmkit
