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

// The name of the file that holds the command line's macros (headers.cpp).
constexpr char command_line_file[] = "/cmc-command-line";

// A position as text: `file:line` and `:column`, both empty without a location; and the columns of the diagnostic's
// ranges, in the format of frontend.h.
struct Place {
    std::string line, column, ranges;
};

// One diagnostic of Clang's, and the information from its notes.
struct Message {
    clang::DiagnosticsEngine::Level level = clang::DiagnosticsEngine::Error;
    unsigned id = 0;
    Place where;
    bool in_headers = false;                        // and no note has named the user's line yet
    bool placed = false;                            // a note has named it
    bool at_end = false;                            // of the error's file
    const clang::FunctionDecl *requested = nullptr; // the outermost function of the headers that the notes name
    std::string text;
    Refusal refusal;            // of a refused call
    bool filled = false;        // the placeholders of its text were looked up,
    bool has_values = false;    // and some were found
    std::string operands;       // of the function in the headers that refused them
    std::vector<Message> notes; // notes about the user's own files
};

// Prints `file:line:column: error: text`. An error inside the CM headers (mostly a static_assert) is reported at the
// line of the kernel file that caused it; Clang names that line in the notes after the error. Other notes about headers
// and template instantiation are dropped, and so are warnings for lines with an error. clang_errors.h describes how
// texts are changed.
class Diagnostics : public clang::DiagnosticConsumer
{
  public:
    // `instantiations`: those of the compiled file, or NULL. `marks_ranges`: the option mark_ranges of frontend.h.
    explicit Diagnostics(const Instantiations *instantiations = nullptr, bool marks_ranges = false)
        : instantiations_(instantiations), marks_ranges_(marks_ranges)
    {
    }

    void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic &info) override;
    void EndSourceFile() override { flush(); }

    // True after Clang rejected the precompiled headers. This is not printed; the caller then parses the headers.
    bool precompiled_is_stale() const { return stale_; }

    // Replaces the note about the template `candidate` of the refused call at `call`.
    void explain(const clang::SourceManager &manager, clang::SourceLocation call, clang::SourceLocation candidate,
                 const std::string &why);

    // Writes new messages to standard error. Before that, nothing is written: Clang may find late that the precompiled
    // headers are stale.
    void publish();

  private:
    void flush(); // emits the diagnostic that waits for its notes
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
    bool lacks_expression_ = false;      // an earlier error was about a missing expression
    std::set<std::string> error_places_; // file and line
    std::set<std::string> printed_;
};

} // namespace cmkit

#endif
