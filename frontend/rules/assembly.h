// Checks inline assembly: vISA text with vectors, matrices and references as operands.
#ifndef CMKIT_FRONTEND_RULES_ASSEMBLY_H
#define CMKIT_FRONTEND_RULES_ASSEMBLY_H

#include <functional>
#include <memory>
#include <clang/AST/ASTConsumer.h>
#include <clang/Lex/Preprocessor.h>
#include <llvm/ADT/StringRef.h>
#include "tables/assembly.h"

namespace cmkit
{

// Separates the asm text from one letter per operand, outputs first: U unsigned, S other.
constexpr llvm::StringRef assembly_signs = CMKIT_ASSEMBLY_SIGNS;

// Returns a function to call with each token on its way to the parser; it wraps operands of asm in calls of
// cm/detail/core/assembly.h.
std::function<void(const clang::Token &)> wrap_assembly_operands(clang::Preprocessor &preprocessor);

// Checks the operands of every asm and records their signs. Must see functions before the code generator. `host`:
// refuses asm instead.
std::unique_ptr<clang::ASTConsumer> create_assembly_checker(bool host);

} // namespace cmkit

#endif
