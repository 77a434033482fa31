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

// What stands between the text of an asm and a letter for each of its operands, outputs first: U without sign, S other.
constexpr llvm::StringRef assembly_signs = CMKIT_ASSEMBLY_SIGNS;

// Is to be called with each token on its way to the parser: puts calls of cm/detail/core/assembly.h around operands of
// asm.
std::function<void(const clang::Token &)> wrap_assembly_operands(clang::Preprocessor &preprocessor);

// Checks the operands of every asm and notes their signs; must see functions before the code generator does. `host`:
// refuses asm instead.
std::unique_ptr<clang::ASTConsumer> create_assembly_checker(bool host);

} // namespace cmkit

#endif
