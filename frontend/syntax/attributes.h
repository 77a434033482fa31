// Defines the attributes [[type("...")]] of kernel parameters and __local of variables.
#ifndef CMKIT_FRONTEND_SYNTAX_ATTRIBUTES_H
#define CMKIT_FRONTEND_SYNTAX_ATTRIBUTES_H

#include <clang/AST/Type.h>
#include <llvm/ADT/StringRef.h>

namespace cmkit
{

// The text of a [[type]] is kept on its parameter as an annotation with this prefix.
constexpr char type_annotation[] = "cm-type=";

// Returns the kind (frontend.h) for a parameter with this [[type]] text; NULL if the first word is not in
// argument_types.def.
const char *kind_of_argument_type(llvm::StringRef text);

// True for objects in the shared memory of a group.
bool is_shared(clang::QualType type);

// Makes the linker keep the attributes' registration.
void register_attributes();

} // namespace cmkit

#endif
