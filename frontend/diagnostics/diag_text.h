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

// A type as kernel writers spell it: `vector<uchar, 8>`, `half`.
std::string name_of_type(clang::QualType type);

// A function as errors call it: `'down<3>'`, `'walker::walk'`, `a lambda`; of NULL `a function`.
std::string name_of_function(const clang::FunctionDecl *function);

// Where `text` has the type with sizes that the headers compute (vector<int, lane_count<...>>), their numbers.
void name_sizes(std::string &text, clang::QualType type);

// "an int", "a uint"
std::string with_article(const std::string &name);

// Fills the placeholders of a static_assert's text from the template arguments of the function or class that it stands
// in, `owner`: {X} is the argument of the parameter X; {X.count} and {X.bytes} are those of a vector or matrix or
// element type; {this} is the vector or matrix around; {X*Y} is a product in which a type stands for its size in bytes.
std::string fill_placeholders(const std::string &text, const clang::Decl *owner);

// "vector<int, 8> and vector<float, 8>": the operands among the template arguments of `owner`, or empty.
std::string operands_of(const clang::Decl *owner);

// Removes the prefix of a failed static_assert, and what names the inside of the CM headers.
std::string in_cm_words(const std::string &text);

// Of assembly on the CPU.
inline constexpr char no_assembly[] = "asm holds vISA, which the CPU has not",
                      no_assembly_note[] = "#ifdef CM_GENX is true for GPUs only: the CPU needs the same in C++";

// What Clang refuses for GPUs, and is refused for the CPU likewise.
inline constexpr char varying_array[] = "an array of a size that is not constant",
                      constant_sizes_note[] = "arrays, vectors and matrices have constant sizes",
                      thread_variable[] = "thread_local: there is nothing else",
                      thread_variable_note[] = "every variable belongs to one thread of the kernel";

// Of what other languages have on one number.
inline constexpr char atomics_note[] = "cm_svm_atomic<ATOMIC_ADD>(addresses, old, x) is on memory, "
                                       "write_atomic<ATOMIC_ADD>(S, offsets, x) on a buffer, cm_slm_atomic on shared "
                                       "memory";
inline constexpr char block_note[] = "read(S, offset, v) and write(S, offset, v) move blocks of buffers, "
                                     "cm_svm_block_read(p, v) and cm_svm_block_write(p, v) of memory";
inline constexpr char lanes_note[] = "a thread has no sub-groups: the lanes of a vector are side by side, cm_sum<T>(v) "
                                     "and the like make one number of them";
inline constexpr char access_note[] = "an image is a SurfaceIndex parameter with [[type(\"image2d_t read_write\")]]";

} // namespace cmkit

#endif
