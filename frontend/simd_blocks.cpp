#include "frontend/simd_blocks.h"

#include <clang/Lex/PPCallbacks.h>

using namespace clang;

namespace cmkit
{

namespace
{

enum Role { BEGINS, CONTINUES, ENDS };

constexpr struct {
    const char *name;
    Role role;
    bool is_loop;
} words[] = {
    {"SIMD_IF_BEGIN", BEGINS, false}, {"SIMD_ELSEIF", CONTINUES, false},     {"SIMD_ELSE", CONTINUES, false},
    {"SIMD_IF_END", ENDS, false},     {"SIMD_DO_WHILE_BEGIN", BEGINS, true}, {"SIMD_DO_WHILE_END", ENDS, true},
};

class SimdBlockRecorder : public PPCallbacks
{
  public:
    SimdBlockRecorder(Preprocessor &preprocessor, SimdBlocks &blocks) : preprocessor_(preprocessor), blocks_(blocks) {}

    void MacroExpands(const Token &token, const MacroDefinition &, SourceRange range, const MacroArgs *) override
    {
        llvm::StringRef name = token.getIdentifierInfo()->getName();
        if (!range.getBegin().isFileID() || !name.starts_with("SIMD_"))
            return;
        for (const auto &word : words)
            if (name == word.name)
                record(range.getBegin(), word.name, word.role, word.is_loop);
    }

    void EndOfMainFile() override
    {
        if (!open_.empty() && !failed_)
            error(open_.back().begin, begin_of(open_.back().is_loop) + std::string(" without ") +
                                          (open_.back().is_loop ? "SIMD_DO_WHILE_END" : "SIMD_IF_END"));
    }

  private:
    struct Open {
        SourceLocation begin;
        bool is_loop;
    };

    static const char *begin_of(bool is_loop) { return is_loop ? "SIMD_DO_WHILE_BEGIN" : "SIMD_IF_BEGIN"; }

    void record(SourceLocation where, const char *word, Role role, bool is_loop)
    {
        if (role == BEGINS) {
            open_.push_back({where, is_loop});
        } else if (open_.empty()) {
            error(where, std::string(word) + " without " + begin_of(is_loop));
        } else if (open_.back().is_loop != is_loop) {
            error(where, std::string(word) + " inside a block that " + begin_of(!is_loop) + " begins");
        } else if (role == ENDS) {
            blocks_.push_back({open_.back().begin, where});
            open_.pop_back();
        }
    }

    void error(SourceLocation where, const std::string &text)
    {
        DiagnosticsEngine &engine = preprocessor_.getDiagnostics();
        engine.Report(where, engine.getCustomDiagID(DiagnosticsEngine::Fatal, "%0")) << text;
        failed_ = true;
    }

    Preprocessor &preprocessor_;
    SimdBlocks &blocks_;
    std::vector<Open> open_;
    bool failed_ = false;
};

} // namespace

void record_simd_blocks(Preprocessor &preprocessor, SimdBlocks &blocks)
{
    preprocessor.addPPCallbacks(std::make_unique<SimdBlockRecorder>(preprocessor, blocks));
}

} // namespace cmkit
