// Deduces template parameters where a vector or matrix is passed for a reference, or a reference for a vector.
#ifndef CMKIT_FRONTEND_SYNTAX_OVERLOADS_H
#define CMKIT_FRONTEND_SYNTAX_OVERLOADS_H

#include <functional>
#include <clang/AST/DeclTemplate.h>
#include <clang/Lex/Preprocessor.h>

namespace cmkit
{

// The number of parameters of a function template that the user wrote; overloads have more after them.
unsigned users_parameters(const clang::TemplateParameterList &parameters);

// Adds an overload after each function template of the user's with reference parameters. In CM a vector is a valid
// argument for `template <typename T, int N> void f(vector_ref<T, N> v)`, but C++ deduces T and N from vector_ref only.
// The overload takes any operand with the element type and size, and calls the template:
//
//   template <typename T, int N, typename __cm_operand0>
//   void f(const cm_detail::row_operand<__cm_operand0, T, N> &v)
//   {
//       return f<T, N>(vector_ref<T, N>(static_cast<const __cm_operand0 &>(v)));
//   }
//
// References still prefer the template: they need no conversion there. In the same way a reference is a valid argument
// for `vector<T, N>` and `const vector<T, N> &`: the overload passes a copy. Templates with unnamed parameters, and
// declarations without a body, get no overload. For a template that is no class member (`in_class` asks the parser) the
// overload is declared before the template too, for calls in the template's own body: inside a namespace C++ would not
// find it otherwise. The returned function must be called with each token on its way to the parser; false: the token
// will come again.
std::function<bool(const clang::Token &)> add_reference_overloads(clang::Preprocessor &preprocessor,
                                                                  std::function<bool()> in_class);

} // namespace cmkit

#endif
