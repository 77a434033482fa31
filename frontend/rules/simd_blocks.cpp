#include "frontend/rules/simd_blocks.h"
#include "frontend/base/report.h"

#include <cstring>
#include <set>
#include <clang/Basic/SourceManager.h>
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

// The forms of a block, and which keywords have conditions.
constexpr char written_if[] = "SIMD_IF_BEGIN(v > 0) { ... } SIMD_ELSEIF(v < 0) { ... } SIMD_ELSE { ... } SIMD_IF_END;",
               written_loop[] = "SIMD_DO_WHILE_BEGIN { ... } SIMD_DO_WHILE_END(v > 0);";

class SimdBlockRecorder : public PPCallbacks
{
  public:
    SimdBlockRecorder(Preprocessor &preprocessor, SimdBlocks &blocks) : preprocessor_(preprocessor), blocks_(blocks) {}

    void MacroExpands(const Token &token, const MacroDefinition &, SourceRange range, const MacroArgs *) override
    {
        llvm::StringRef name = token.getIdentifierInfo()->getName();
        if (!name.starts_with("SIMD_"))
            return;
        for (const auto &word : words)
            if (name == word.name)
                record(range.getBegin(), word.name, word.role, word.is_loop);
    }

    void EndOfMainFile() override
    {
        if (!open_.empty() && !failed_)
            error(open_.back().begin, unended(open_.back().is_loop));
    }

    // Receives each token on its way to the parser; some come twice (overloads.cpp looks ahead).
    void see(const Token &token)
    {
        if (failed_)
            return;
        see_condition(token);
        if (failed_)
            return;
        if (token.isOneOf(tok::l_brace, tok::r_brace))
            see_brace(token.getLocation(), token.is(tok::l_brace));
        else if (token.is(tok::identifier) && token.getIdentifierInfo()->hasMacroDefinition())
            see_unexpanded(token);
    }

  private:
    struct Open {
        SourceLocation begin;
        bool is_loop;
        size_t braces; // depth of braces around it
    };

    static const char *begin_of(bool is_loop) { return is_loop ? "SIMD_DO_WHILE_BEGIN" : "SIMD_IF_BEGIN"; }
    static std::string unended(bool is_loop)
    {
        return begin_of(is_loop) + std::string(" without ") + (is_loop ? "SIMD_DO_WHILE_END" : "SIMD_IF_END");
    }

    void see_brace(SourceLocation where, bool opens)
    {
        const SourceManager &manager = preprocessor_.getSourceManager();
        if (manager.isInSystemHeader(manager.getSpellingLoc(where)) || !seen_.insert(where).second)
            return;
        if (opens) {
            braces_.push_back(where);
        } else if (!braces_.empty()) {
            braces_.pop_back();
            if (!open_.empty() && braces_.size() < open_.back().braces) {
                error(open_.back().begin, unended(open_.back().is_loop));
                note(where, "before this }, which closes the block around it");
            }
        }
    }

    // Detects SIMD_ELSE (v < 0) { and SIMD_DO_WHILE_BEGIN (v > 0) {. These keywords take no condition; a ( directly
    // after the keyword and a { after its ) look like one.
    void see_condition(const Token &token)
    {
        const SourceManager &manager = preprocessor_.getSourceManager();
        if (!plain_ || manager.isInSystemHeader(manager.getSpellingLoc(token.getLocation())))
            return;
        if (parentheses_ == 0 && condition_.isValid() && token.is(tok::l_brace)) {
            error(condition_, std::string(plain_) + " takes no condition");
            note(condition_, plain_is_loop_ ? written_loop : written_if);
        } else if (token.is(tok::l_paren) && (parentheses_ > 0 || condition_.isInvalid())) {
            if (parentheses_++ == 0)
                condition_ = token.getLocation();
            return;
        } else if (parentheses_ > 0) {
            parentheses_ -= token.is(tok::r_paren);
            return;
        }
        plain_ = nullptr;
    }

    // Handles a macro with parameters that no parenthesis follows.
    void see_unexpanded(const Token &token)
    {
        llvm::StringRef name = token.getIdentifierInfo()->getName();
        for (const auto &word : words)
            if (name == word.name) {
                error(token.getLocation(), std::string(word.name) + ": its condition goes in parentheses");
                note(token.getLocation(), word.is_loop ? written_loop : written_if);
            }
    }

    void record(SourceLocation where, const char *word, Role role, bool is_loop)
    {
        if (failed_)
            return;
        bool has_condition = is_loop ? role == ENDS : role != ENDS && std::strcmp(word, "SIMD_ELSE") != 0;
        plain_ = has_condition || role == ENDS ? nullptr : word;
        plain_is_loop_ = is_loop;
        parentheses_ = 0;
        condition_ = SourceLocation();
        if (role == BEGINS) {
            open_.push_back({where, is_loop, braces_.size()});
        } else if (open_.empty()) {
            error(where, std::string(word) + " without " + begin_of(is_loop));
        } else if (open_.back().is_loop != is_loop) {
            error(where, std::string(word) + " inside a block that " + begin_of(!is_loop) + " begins");
        } else if (braces_.size() > open_.back().braces) {
            error(where, std::string(word) + ": a } is missing before it");
            note(braces_.back(), "this { is not closed");
        } else if (role == ENDS) {
            blocks_.push_back({open_.back().begin, where});
            open_.pop_back();
        }
    }

    void error(SourceLocation where, const std::string &text)
    {
        report(preprocessor_.getDiagnostics(), where, DiagnosticsEngine::Fatal, text);
        failed_ = true;
    }

    void note(SourceLocation where, const char *text)
    {
        report(preprocessor_.getDiagnostics(), where, DiagnosticsEngine::Note, text);
    }

    Preprocessor &preprocessor_;
    SimdBlocks &blocks_;
    std::vector<Open> open_;
    std::vector<SourceLocation> braces_; // open braces that do not belong to the macros
    std::set<SourceLocation> seen_;
    const char *plain_ = nullptr; // a keyword without condition, if it was the last token before
    SourceLocation condition_;    // this (,
    unsigned parentheses_ = 0;    // and the number of open parentheses
    bool plain_is_loop_ = false;
    bool failed_ = false;
};

} // namespace

std::function<void(const Token &)> record_simd_blocks(Preprocessor &preprocessor, SimdBlocks &blocks)
{
    auto recorder = std::make_unique<SimdBlockRecorder>(preprocessor, blocks);
    SimdBlockRecorder *watcher = recorder.get();
    preprocessor.addPPCallbacks(std::move(recorder));
    return [watcher](const Token &token) { watcher->see(token); };
}

} // namespace cmkit
