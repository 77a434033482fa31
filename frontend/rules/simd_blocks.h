// Checks the nesting of SIMD control flow macros in the preprocessor.
#ifndef CMKIT_FRONTEND_RULES_SIMD_BLOCKS_H
#define CMKIT_FRONTEND_RULES_SIMD_BLOCKS_H

#include <functional>
#include <vector>
#include <clang/Basic/SourceLocation.h>
#include <clang/Lex/Preprocessor.h>

namespace cmkit
{

// Where the blocks of SIMD control flow are in the files, outermost and inner ones.
using SimdBlocks = std::vector<clang::SourceRange>;

// Fills `blocks` while the file is preprocessed; they must outlive it. A block that is not ended, or ended by another
// word, is an error, and the last one: the braces inside the macros make no sense any more. Returns what is to see
// every token on its way to the parser.
std::function<void(const clang::Token &)> record_simd_blocks(clang::Preprocessor &preprocessor, SimdBlocks &blocks);

} // namespace cmkit

#endif
