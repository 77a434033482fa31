// Writes types and texts of diagnostics in the terms of CM.
#ifndef CMKIT_FRONTEND_DIAGNOSTICS_DIAG_TEXT_H
#define CMKIT_FRONTEND_DIAGNOSTICS_DIAG_TEXT_H

#include <string>
#include "frontend/base/shapes.h"
#include <clang/AST/DeclBase.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/Type.h>

namespace cmkit
{

// Returns a type as kernel writers spell it: `vector<uchar, 8>`, `half`.
std::string name_of_type(clang::QualType type);

// Returns a function's name for errors: `'down<3>'`, `'walker::walk'`, `a lambda`; `a function` for NULL.
std::string name_of_function(const clang::FunctionDecl *function);

// Replaces sizes that the headers compute (vector<int, lane_count<...>>) by their numbers.
void name_sizes(std::string &text, clang::QualType type);

// "an int", "a uint"
std::string with_article(const std::string &name);

// Fills the placeholders of a static_assert's text from the template arguments of `owner`, the function or class around
// it. {X} is the argument of parameter X. {X.count} and {X.bytes} are the count and size of a vector, matrix or element
// type. {this} is the vector or matrix around. {X*Y} is a product, where a type stands for its size in bytes.
std::string fill_placeholders(const std::string &text, const clang::Decl *owner);

// Returns "vector<int, 8> and vector<float, 8>": the operands among the template arguments of `owner`; may be empty.
std::string operands_of(const clang::Decl *owner);

// Removes the prefix of a failed static_assert, and names that are internal to the CM headers.
std::string in_cm_terms(const std::string &text);

// Texts about assembly on the CPU.
inline constexpr char no_assembly[] = "asm contains vISA, which the CPU does not have",
                      no_assembly_note[] = "#ifdef CM_GENX is true for GPUs only: the CPU needs the same in C++";

// Texts about features that Clang refuses for GPUs; cmkit refuses them for the CPU too.
inline constexpr char varying_array[] = "an array of a size that is not constant",
                      constant_sizes_note[] = "arrays, vectors and matrices have constant sizes",
                      thread_variable[] = "all variables are thread_local already",
                      thread_variable_note[] = "every variable belongs to one thread of the kernel";

// Texts about functions that other languages have for single numbers.
inline constexpr char atomics_note[] = "cm_svm_atomic<ATOMIC_ADD>(addresses, old, x) is on memory, "
                                       "write_atomic<ATOMIC_ADD>(S, offsets, x) on a buffer, cm_slm_atomic on shared "
                                       "memory";
inline constexpr char block_note[] = "read(S, offset, v) and write(S, offset, v) move blocks of buffers, "
                                     "cm_svm_block_read(p, v) and cm_svm_block_write(p, v) of memory";
inline constexpr char lanes_note[] = "a thread has no sub-groups: the lanes of a vector are side by side, cm_sum<T>(v) "
                                     "and the like reduce them to one number";
inline constexpr char access_note[] = "an image is a SurfaceIndex parameter with [[type(\"image2d_t read_write\")]]";

} // namespace cmkit

#endif
