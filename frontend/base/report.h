// Reports errors, warnings and notes of the front end's own.
#ifndef CMKIT_FRONTEND_BASE_REPORT_H
#define CMKIT_FRONTEND_BASE_REPORT_H

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticIDs.h>
#include <llvm/ADT/StringRef.h>

namespace cmkit
{

// -w and -Werror apply to these warnings as to Clang's: LLVM 19 does not do that for diagnostics of others.
inline void report(clang::DiagnosticsEngine &engine, clang::SourceLocation where, clang::DiagnosticsEngine::Level level,
                   llvm::StringRef text)
{
    if (level == clang::DiagnosticsEngine::Warning && engine.getIgnoreAllWarnings())
        return;
    if (level == clang::DiagnosticsEngine::Warning && engine.getWarningsAsErrors())
        level = clang::DiagnosticsEngine::Error;
    engine.Report(where, engine.getDiagnosticIDs()->getCustomDiagID(clang::DiagnosticIDs::Level(level), "%0")) << text;
}

// Reports an error, and a note with the correct form.
inline void refuse(clang::DiagnosticsEngine &engine, clang::SourceLocation where, llvm::StringRef text,
                   llvm::StringRef right)
{
    report(engine, where, clang::DiagnosticsEngine::Error, text);
    report(engine, where, clang::DiagnosticsEngine::Note, right);
}

// Reports a warning, and a note with the correct form.
inline void warn(clang::DiagnosticsEngine &engine, clang::SourceLocation where, llvm::StringRef text,
                 llvm::StringRef right)
{
    report(engine, where, clang::DiagnosticsEngine::Warning, text);
    if (!engine.getIgnoreAllWarnings())
        report(engine, where, clang::DiagnosticsEngine::Note, right);
}

} // namespace cmkit

#endif
