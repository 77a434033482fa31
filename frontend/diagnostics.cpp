#include "frontend/diagnostics.h"

#include <clang/Basic/SourceManager.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/raw_ostream.h>

using namespace clang;

namespace cmkit
{

// `file:line:column` of a location, "" if it has none. Inside a macro this is where the macro was used.
static std::string place_of(const Diagnostic &info)
{
    if (!info.getLocation().isValid() || !info.hasSourceManager())
        return "";
    const SourceManager &manager = info.getSourceManager();
    PresumedLoc place = manager.getPresumedLoc(manager.getExpansionLoc(info.getLocation()));
    if (place.isInvalid())
        return "";
    return std::string(place.getFilename()) + ":" + std::to_string(place.getLine()) + ":" +
           std::to_string(place.getColumn());
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

void Diagnostics::print(const std::string &where, DiagnosticsEngine::Level level, const std::string &text)
{
    const char *kind = level >= DiagnosticsEngine::Error     ? "error"
                       : level == DiagnosticsEngine::Warning ? "warning"
                                                             : "note";
    std::string line = (where.empty() ? "cmc" : where) + ": " + kind + ": " + text + "\n";
    if (printed_.insert(line).second)
        llvm::errs() << line;
}

void Diagnostics::flush()
{
    if (waiting_)
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
    std::string where = place_of(info);
    if (level <= DiagnosticsEngine::Note) {
        if (waiting_ && !where.empty() && !in_headers(info)) {
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
