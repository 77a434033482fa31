// Tracks SIMD_DO_WHILE loops for SIMD_BREAK and SIMD_CONTINUE.
#ifndef CMKIT_FRONTEND_SYNTAX_SIMD_PRAGMAS_H
#define CMKIT_FRONTEND_SYNTAX_SIMD_PRAGMAS_H

#include <clang/Lex/Preprocessor.h>

namespace cmkit
{

// Registers the pragmas that the macros of cm/detail/core/simdcf.h expand to.
//   cm_simd loop      a SIMD_DO_WHILE begins
//   cm_simd loop_end  it ends
//   cm_simd jump      a SIMD_BREAK or SIMD_CONTINUE: an error outside a loop
//   cm_simd join      a SIMD_IF ends; in a loop on the CPU target, this inserts `if (no lane is left) break;`
void add_simd_pragmas(clang::Preprocessor &preprocessor, bool host);

} // namespace cmkit

#endif
