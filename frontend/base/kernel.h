// Describes a kernel and its parameters.
#ifndef CMKIT_FRONTEND_BASE_KERNEL_H
#define CMKIT_FRONTEND_BASE_KERNEL_H

#include <string>
#include <vector>
#include <clang/AST/Decl.h>

namespace cmkit
{

struct Parameter {
    std::string kind;     // surface, sampler, svmptr, pointer, local, value
    std::string type;     // text of [[type("...")]], or empty
    std::string declared; // the type as written
    std::string
        surface;    // buffer or image: a word of argument_types.def; empty if neither the type nor the uses say which
    unsigned bytes; // size of the argument
    unsigned alignment; // of a vector, matrix or structure, which is passed as integers of this size; 0: another kind
                        // of argument
    clang::QualType record;
    unsigned rows = 0, columns = 0; // of a matrix of handles: each handle is an argument; a vector has 0 rows
    bool is_handles() const { return columns != 0; }
    unsigned argument_count() const { return is_handles() ? bytes / alignment : 1; }
};

struct Kernel {
    const clang::FunctionDecl *declaration;
    std::string name;
    std::vector<Parameter> parameters;
    int float_control; // bits of CmFloatControl; -1: not stated
};

// A variable that _GENX_VOLATILE_BINDING_ binds to a byte offset. Bound variables share one space.
struct Binding {
    const clang::VarDecl *variable;
    int64_t offset;
};

} // namespace cmkit

#endif
