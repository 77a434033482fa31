// Deduces template parameters where a vector or matrix is passed for a reference, or a reference for a vector.
#ifndef CMKIT_FRONTEND_SYNTAX_OVERLOADS_H
#define CMKIT_FRONTEND_SYNTAX_OVERLOADS_H

#include <functional>
#include <clang/AST/DeclTemplate.h>
#include <clang/Lex/Preprocessor.h>

namespace cmkit
{

// How many parameters of a function template the user wrote: overloads have more behind these.
unsigned users_parameters(const clang::TemplateParameterList &parameters);

// In CM a vector is an argument for `template <typename T, int N> void f(vector_ref<T, N> v)`, but C++ deduces T and N
// from vector_ref only. After each function template of the user's that has such parameters this puts an overload that
// takes anything with their element type and size, and calls the template:
//
//   template <typename T, int N, typename __cm_operand0>
//   void f(const cm_detail::row_operand<__cm_operand0, T, N> &v)
//   {
//       return f<T, N>(vector_ref<T, N>(static_cast<const __cm_operand0 &>(v)));
//   }
//
// References still prefer the template itself: there they need no conversion. In the same way a reference is an
// argument for `vector<T, N>` and `const vector<T, N> &`: the overload hands on a copy. Templates whose parameters have
// no names, and declarations without a body, stay alone. Before a template that is no member of a class (`in_class`
// asks the parser) the overload is declared already, for calls in the template's own body: inside a namespace C++ would
// not find it otherwise. The result is to be called with each token on its way to the parser; false: the token will
// come again.
std::function<bool(const clang::Token &)> add_reference_overloads(clang::Preprocessor &preprocessor,
                                                                  std::function<bool()> in_class);

} // namespace cmkit

#endif
