// Accepts the word `template` before a member that is not a template: v.template any().
#ifndef CMKIT_FRONTEND_SYNTAX_TEMPLATE_WORDS_H
#define CMKIT_FRONTEND_SYNTAX_TEMPLATE_WORDS_H

#include <functional>
#include <clang/Lex/Preprocessor.h>

namespace cmkit
{

// Kernels write it before every member of what depends on a template's parameters; to C++ it is an error before those
// that are no templates. Returns what is to see each token on its way to the parser: false: nobody else is to see this
// one now. A token that is such a word becomes the name behind it.
std::function<bool(const clang::Token &)> drop_template_words(clang::Preprocessor &preprocessor);

} // namespace cmkit

#endif
