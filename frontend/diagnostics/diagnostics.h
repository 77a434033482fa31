// Reports errors to kernel writers: one error at a line of the kernel file, in the terms of CM, and a note with the
// correct form.
#ifndef CMKIT_FRONTEND_DIAGNOSTICS_DIAGNOSTICS_H
#define CMKIT_FRONTEND_DIAGNOSTICS_DIAGNOSTICS_H

#include <optional>
#include <set>
#include <string>
#include <vector>
#include <clang/Basic/Diagnostic.h>
#include "frontend/diagnostics/clang_errors.h"
#include "frontend/diagnostics/instantiations.h"

namespace cmkit
{

// The file that command-line macros are put in (headers.cpp).
constexpr char command_line_file[] = "/cmc-command-line";

// `file:line` and `:column`, both empty without a location; the columns that the diagnostic is about, as frontend.h
// says.
struct Place {
    std::string line, column, ranges;
};

// One diagnostic of Clang's with what its notes told about it.
struct Message {
    clang::DiagnosticsEngine::Level level = clang::DiagnosticsEngine::Error;
    unsigned id = 0;
    Place where;
    bool in_headers = false;                        // and no note has named the user's line yet
    bool placed = false;                            // a note has
    bool at_end = false;                            // of its file
    const clang::FunctionDecl *requested = nullptr; // the outermost function of the headers that the notes name
    std::string text;
    Refusal refusal;            // of a call
    bool filled = false;        // the placeholders of its text were looked up,
    bool has_values = false;    // and there were any
    std::string operands;       // of the function in the headers that refused them
    std::vector<Message> notes; // those about the user's own files
};

// Prints `file:line:column: error: text`. An error that Clang finds inside the CM headers (a static_assert, mostly) is
// reported at the line of the kernel file that led there, which Clang names in the notes that follow it; other notes
// about headers and template instantiation are dropped, as are warnings of lines with an error. clang_errors.h says how
// texts are changed.
class Diagnostics : public clang::DiagnosticConsumer
{
  public:
    // `instantiations`: of the file that is compiled, or NULL. `marks_ranges`: the option mark_ranges of frontend.h.
    explicit Diagnostics(const Instantiations *instantiations = nullptr, bool marks_ranges = false)
        : instantiations_(instantiations), marks_ranges_(marks_ranges)
    {
    }

    void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) override;
    void EndSourceFile() override { flush(); }

    // True after Clang refused the precompiled headers; that is not printed, the caller parses them instead.
    bool precompiled_is_stale() const { return stale_; }

    // Replaces the note about the template `candidate` of the refused call at `call`.
    void explain(const clang::SourceManager &manager, clang::SourceLocation call, clang::SourceLocation candidate,
                 const std::string &why);

    // Writes to standard error what was found since the last time. Until then nothing appears: Clang may find late that
    // the precompiled headers are stale.
    void publish();

  private:
    void flush(); // the diagnostic that still waits for its notes
    void add_note(const clang::Diagnostic &info);
    void add_header_note(const clang::Diagnostic &info);
    void find_place(Message &message);
    void print(const Place &where, clang::DiagnosticsEngine::Level level, const std::string &text);
    void print_with_notes(const Message &message, const DiagText &words);
    bool is_new(const Message &message);

    const Instantiations *instantiations_;
    bool marks_ranges_;
    bool stale_ = false;
    std::optional<Message> waiting_, of_overload_;
    unsigned errors_ = 0; // printed
    struct Line {
        std::string place; // file and line
        bool is_error, is_note;
        std::string text;
    };
    std::vector<Line> output_;
    bool fatal_ = false;                 // simd_blocks.h
    bool lacks_expression_ = false;      // an error before was this
    std::set<std::string> error_places_; // file and line
    std::set<std::string> printed_;
};

} // namespace cmkit

#endif
