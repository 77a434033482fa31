// Refuses headers and macros that have no meaning in kernels: Clang's headers for processor instructions, <stdatomic.h>
// and others, and pointers of 32 bits.
#ifndef CMKIT_FRONTEND_RULES_UNSUPPORTED_HEADERS_H
#define CMKIT_FRONTEND_RULES_UNSUPPORTED_HEADERS_H

#include <string>
#include <clang/Lex/Preprocessor.h>

namespace cmkit
{

// Refuses these headers of `folder` if a user's file includes one.
void refuse_unsupported_headers(clang::Preprocessor &preprocessor, const std::string &folder);

} // namespace cmkit

#endif
