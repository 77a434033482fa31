// Inline assembly: vISA text with vectors and matrices as operands.
#ifndef CMKIT_FRONTEND_ASSEMBLY_H
#define CMKIT_FRONTEND_ASSEMBLY_H

#include <memory>
#include <clang/AST/ASTConsumer.h>
#include <llvm/ADT/StringRef.h>
#include "tables/assembly.h"

namespace cmkit
{

// What stands between the text of an asm and a letter for each of its operands, outputs first: U without sign, S other.
constexpr llvm::StringRef assembly_signs = CMKIT_ASSEMBLY_SIGNS;

// Rewrites the operands of every asm; must see functions before the code generator does. `host`: refuses asm instead.
std::unique_ptr<clang::ASTConsumer> create_assembly_rewriter(bool host);

} // namespace cmkit

#endif
