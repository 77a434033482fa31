// Reports errors, warnings and notes of the front end's own.
#ifndef CMKIT_FRONTEND_BASE_REPORT_H
#define CMKIT_FRONTEND_BASE_REPORT_H

#include <clang/Basic/Diagnostic.h>
#include <clang/Basic/DiagnosticIDs.h>
#include <llvm/ADT/StringRef.h>

namespace cmkit
{

inline void report(clang::DiagnosticsEngine &engine, clang::SourceLocation where, clang::DiagnosticsEngine::Level level,
                   llvm::StringRef text)
{
    engine.Report(where, engine.getDiagnosticIDs()->getCustomDiagID(clang::DiagnosticIDs::Level(level), "%0")) << text;
}

// Reports an error, and a note with the correct form.
inline void refuse(clang::DiagnosticsEngine &engine, clang::SourceLocation where, llvm::StringRef text,
                   llvm::StringRef right)
{
    report(engine, where, clang::DiagnosticsEngine::Error, text);
    report(engine, where, clang::DiagnosticsEngine::Note, right);
}

} // namespace cmkit

#endif
