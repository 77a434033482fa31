// Headers of Clang's own that kernels cannot use: those of processors' instructions, <stdatomic.h> ...
#ifndef CMKIT_FRONTEND_INCLUDED_H
#define CMKIT_FRONTEND_INCLUDED_H

#include <string>
#include <clang/Lex/Preprocessor.h>

namespace cmkit
{

// Refuses them where a file of the user's includes one from `folder`.
void refuse_other_headers(clang::Preprocessor &preprocessor, const std::string &folder);

} // namespace cmkit

#endif
