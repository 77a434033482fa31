// Refuses headers and macros that have no meaning in kernels: Clang's headers for processor instructions,
// <stdatomic.h> ..., pointers of 32 bits.
#ifndef CMKIT_FRONTEND_RULES_INCLUDED_H
#define CMKIT_FRONTEND_RULES_INCLUDED_H

#include <string>
#include <clang/Lex/Preprocessor.h>

namespace cmkit
{

// Refuses them where a file of the user's includes one from `folder`.
void refuse_other_headers(clang::Preprocessor &preprocessor, const std::string &folder);

} // namespace cmkit

#endif
