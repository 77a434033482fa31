// Defines the attributes [[type("...")]] of kernel parameters and __local of variables.
#ifndef CMKIT_FRONTEND_SYNTAX_ATTRIBUTES_H
#define CMKIT_FRONTEND_SYNTAX_ATTRIBUTES_H

#include <clang/AST/Type.h>
#include <llvm/ADT/StringRef.h>

namespace cmkit
{

// The text of a [[type]] is kept on its parameter as an annotation that starts so.
constexpr char type_annotation[] = "cm-type=";

// The kind (frontend.h) that a parameter with this [[type]] text must have; NULL when the text's first word is not in
// argument_types.def.
const char *kind_of_argument_type(llvm::StringRef text);

// Whether objects of this type are in memory that the threads of a group share.
bool is_shared(clang::QualType type);

// Makes sure that the linker keeps the attributes' registration.
void register_attributes();

} // namespace cmkit

#endif
