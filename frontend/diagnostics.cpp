#include "frontend/diagnostics.h"

#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/raw_ostream.h>

using namespace clang;

namespace cmkit
{

// Inside a macro this is where the macro was used.
static Place place_of(const Diagnostic &info)
{
    if (!info.getLocation().isValid() || !info.hasSourceManager())
        return {};
    const SourceManager &manager = info.getSourceManager();
    PresumedLoc place = manager.getPresumedLoc(manager.getExpansionLoc(info.getLocation()));
    if (place.isInvalid())
        return {};
    if (llvm::StringRef(place.getFilename()) == command_line_file)
        return {"cmc: -D option " + std::to_string(place.getLine()), ""};
    return {std::string(place.getFilename()) + ":" + std::to_string(place.getLine()),
            ":" + std::to_string(place.getColumn())};
}

static bool in_headers(const Diagnostic &info)
{
    if (!info.getLocation().isValid() || !info.hasSourceManager())
        return false;
    const SourceManager &manager = info.getSourceManager();
    return manager.isInSystemHeader(manager.getExpansionLoc(info.getLocation()));
}

// A failed static_assert of the headers speaks for itself: without Clang's preface.
static std::string text_of(const Diagnostic &info)
{
    llvm::SmallString<256> formatted;
    info.FormatDiagnostic(formatted);
    llvm::StringRef text = formatted.str();
    if (text.consume_front("static assertion failed due to requirement ")) {
        size_t colon = text.find("': ");
        if (colon != llvm::StringRef::npos)
            text = text.substr(colon + 3);
    }
    text.consume_front("static assertion failed: ");
    return text.str();
}

void Diagnostics::print(const Place &where, DiagnosticsEngine::Level level, const std::string &text)
{
    const char *kind = level >= DiagnosticsEngine::Error     ? "error"
                       : level == DiagnosticsEngine::Warning ? "warning"
                                                             : "note";
    // the first error of a line explains it; what follows there is mostly its consequence
    bool is_error = level >= DiagnosticsEngine::Error;
    if (!printed_.insert(kind + where.line + (is_error && !where.line.empty() ? "" : where.column + text)).second)
        return;
    errors_ += is_error;
    llvm::errs() << (where.line.empty() ? "cmc" : where.line) << where.column << ": " << kind << ": " << text << "\n";
}

void Diagnostics::flush()
{
    // an error in the headers with no way from the user's file is a consequence, unless it is all there is
    if (waiting_ && errors_ == 0)
        print(fallback_, level_, text_);
    waiting_ = false;
}

void Diagnostics::HandleDiagnostic(DiagnosticsEngine::Level level, const Diagnostic &info)
{
    DiagnosticConsumer::HandleDiagnostic(level, info);
    unsigned id = info.getID();
    if (id >= diag::DIAG_START_SERIALIZATION && id < diag::DIAG_START_SERIALIZATION + diag::DIAG_SIZE_SERIALIZATION)
        stale_ = true;
    if (stale_)
        return;
    Place where = place_of(info);
    if (level <= DiagnosticsEngine::Note) {
        if (waiting_ && !where.line.empty() && !in_headers(info)) {
            print(where, level_, text_);
            waiting_ = false;
        } else if (!drop_notes_ && !in_headers(info)) {
            print(where, level, text_of(info));
        }
        return;
    }
    flush();
    if (in_headers(info)) {
        waiting_ = drop_notes_ = true;
        level_ = level;
        text_ = text_of(info);
        fallback_ = where;
    } else {
        drop_notes_ = false;
        print(where, level, text_of(info));
    }
}

} // namespace cmkit
