#include "frontend/rules/unsupported_headers.h"
#include "frontend/diagnostics/clang_errors.h"
#include "frontend/base/report.h"

#include <llvm/ADT/STLExtras.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/PPCallbacks.h>

using namespace clang;

namespace cmkit
{
namespace
{

class Watcher : public PPCallbacks
{
  public:
    Watcher(Preprocessor &preprocessor, const std::string &folder) : preprocessor_(preprocessor), folder_(folder) {}

    void InclusionDirective(SourceLocation where, const Token &, StringRef name, bool, CharSourceRange written,
                            OptionalFileEntryRef, StringRef found_in, StringRef, const Module *, bool,
                            SrcMgr::CharacteristicKind) override
    {
        static const char *const taken[] = {"stdint.h", "stddef.h", "limits.h",   "float.h",      "stdbool.h",
                                            "stdarg.h", "iso646.h", "stdalign.h", "stdnoreturn.h"};
        if (found_in != folder_ || llvm::is_contained(taken, name) ||
            preprocessor_.getSourceManager().isInSystemHeader(where))
            return;
        DiagText words = refused_header(name); // fatal: the header is for another processor
        report(preprocessor_.getDiagnostics(), written.getBegin(), DiagnosticsEngine::Fatal, words.text);
        report(preprocessor_.getDiagnostics(), written.getBegin(), DiagnosticsEngine::Note, words.note);
    }

    void MacroDefined(const Token &name, const MacroDirective *definition) override
    {
        if (!name.getIdentifierInfo()->isStr("CM_PTRSIZE"))
            return;
        ArrayRef<Token> value = definition->getMacroInfo()->tokens();
        if (value.size() != 1 || preprocessor_.getSpelling(value[0]) != "64")
            refuse(preprocessor_.getDiagnostics(), name.getLocation(),
                   "CM_PTRSIZE: pointers have 64 bits on every platform", "svmptr_t holds one");
    }

  private:
    Preprocessor &preprocessor_;
    std::string folder_;
};

} // namespace

void refuse_unsupported_headers(Preprocessor &preprocessor, const std::string &folder)
{
    preprocessor.addPPCallbacks(std::make_unique<Watcher>(preprocessor, folder));
}

} // namespace cmkit
