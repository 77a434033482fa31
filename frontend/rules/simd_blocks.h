// Checks the nesting of SIMD control flow macros in the preprocessor.
#ifndef CMKIT_FRONTEND_RULES_SIMD_BLOCKS_H
#define CMKIT_FRONTEND_RULES_SIMD_BLOCKS_H

#include <functional>
#include <vector>
#include <clang/Basic/SourceLocation.h>
#include <clang/Lex/Preprocessor.h>

namespace cmkit
{

// The positions of SIMD control flow blocks in the files, outermost and inner ones.
using SimdBlocks = std::vector<clang::SourceRange>;

// Fills `blocks` during preprocessing; `blocks` must outlive it. A block without an end, or with the wrong one, is an
// error, and no more are reported: the braces inside the macros do not match after it. Returns a function that must see
// each token on its way to the parser.
std::function<void(const clang::Token &)> record_simd_blocks(clang::Preprocessor &preprocessor, SimdBlocks &blocks);

} // namespace cmkit

#endif
