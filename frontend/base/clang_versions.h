// Hides the differences between the releases of Clang that the front end builds with: 19 and 21.
#ifndef CMKIT_FRONTEND_BASE_CLANG_VERSIONS_H
#define CMKIT_FRONTEND_BASE_CLANG_VERSIONS_H

#include <string>
#include <clang/AST/ASTContext.h>
#include <clang/AST/Stmt.h>
#include <clang/Basic/Version.h>
#include <clang/Frontend/CompilerInstance.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/Support/VirtualFileSystem.h>

namespace cmkit
{

// Makes the compiler's diagnostics engine, which the caller's consumer gets them from.
inline void create_diagnostics(clang::CompilerInstance &compiler, clang::DiagnosticConsumer *consumer)
{
#if CLANG_VERSION_MAJOR >= 20
    compiler.createDiagnostics(*llvm::vfs::getRealFileSystem(), consumer, /*ShouldOwnClient=*/false);
#else
    compiler.createDiagnostics(consumer, /*ShouldOwnClient=*/false);
#endif
}

// Applies the -W options to the engine, which was made before they were parsed.
inline void process_warning_options(clang::CompilerInstance &compiler)
{
#if CLANG_VERSION_MAJOR >= 20
    clang::ProcessWarningOptions(compiler.getDiagnostics(), compiler.getDiagnosticOpts(),
                                 *llvm::vfs::getRealFileSystem());
#else
    clang::ProcessWarningOptions(compiler.getDiagnostics(), compiler.getDiagnosticOpts());
#endif
}

// Appends to the text of an asm statement.
inline void append_to_assembly(clang::ASTContext &context, clang::GCCAsmStmt *assembly, const std::string &rest)
{
#if CLANG_VERSION_MAJOR >= 21
    const auto *old = llvm::cast<clang::StringLiteral>(assembly->getAsmStringExpr());
#else
    const clang::StringLiteral *old = assembly->getAsmString();
#endif
    std::string text = old->getString().str() + rest;
    clang::QualType type = context.getStringLiteralArrayType(context.CharTy, unsigned(text.size()));
#if CLANG_VERSION_MAJOR >= 21
    llvm::SmallVector<clang::SourceLocation> places(old->tokloc_begin(), old->tokloc_end());
    assembly->setAsmStringExpr(
        clang::StringLiteral::Create(context, text, old->getKind(), old->isPascal(), type, places));
#else
    assembly->setAsmString(clang::StringLiteral::Create(context, text, old->getKind(), old->isPascal(), type,
                                                        old->tokloc_begin(), old->getNumConcatenated()));
#endif
}

} // namespace cmkit

#endif
