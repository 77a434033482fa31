// Diagnostics for kernel writers: one line each, at a line of theirs.
#ifndef CMKIT_FRONTEND_DIAGNOSTICS_H
#define CMKIT_FRONTEND_DIAGNOSTICS_H

#include <set>
#include <string>
#include <clang/Basic/Diagnostic.h>

namespace cmkit
{

// The file that command-line macros are put in (headers.cpp).
constexpr char command_line_file[] = "/cmc-command-line";

// `file:line` and `:column`, both empty without a location.
struct Place {
    std::string line, column;
};

// Prints `file:line:column: error: text`. An error that Clang finds inside the CM headers (a static_assert, mostly) is
// reported at the line of the kernel file that led there, which Clang names in the notes that follow it; other notes
// about headers and template instantiation are dropped.
class Diagnostics : public clang::DiagnosticConsumer
{
  public:
    void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) override;
    void EndSourceFile() override { flush(); }

    // True after Clang refused the precompiled headers; that is not printed, the caller parses them instead.
    bool precompiled_is_stale() const { return stale_; }

    // Prints an error that still waits for the note with its line.
    void flush();

  private:
    void print(const Place &where, clang::DiagnosticsEngine::Level level, const std::string &text);

    bool waiting_ = false; // for a note that places `text_` in the user's file
    bool stale_ = false;
    bool drop_notes_ = false; // the last error was in a header, or dropped
    clang::DiagnosticsEngine::Level level_ = clang::DiagnosticsEngine::Error;
    std::string text_;
    Place fallback_;      // where in the headers it happened
    unsigned errors_ = 0; // printed
    std::set<std::string> printed_;
};

} // namespace cmkit

#endif
