// Accepts the word `template` before a member that is not a template: v.template any().
#ifndef CMKIT_FRONTEND_SYNTAX_TEMPLATE_KEYWORD_H
#define CMKIT_FRONTEND_SYNTAX_TEMPLATE_KEYWORD_H

#include <functional>
#include <clang/Lex/Preprocessor.h>

namespace cmkit
{

// Kernels write `template` before members of objects that depend on a template parameter; C++ refuses it before members
// that are no templates. Returns a function that must see each token on its way to the parser; false means that nobody
// else sees this token now. The keyword is replaced by the name after it.
std::function<bool(const clang::Token &)> drop_template_keywords(clang::Preprocessor &preprocessor);

} // namespace cmkit

#endif
