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
    std::string surface;  // what a surface is, a word of argument_types.def; empty: neither type nor uses tell
    unsigned bytes;       // size of the argument
    unsigned alignment;   // of a vector, matrix or structure, which is passed as so many integers; 0: anything else
    clang::QualType record;
    unsigned rows = 0, columns = 0; // of a matrix of handles, each of which is an argument; a vector's have no rows
    bool is_handles() const { return columns != 0; }
    unsigned argument_count() const { return is_handles() ? bytes / alignment : 1; }
};

struct Kernel {
    const clang::FunctionDecl *declaration;
    std::string name;
    std::vector<Parameter> parameters;
    int float_control; // bits of CmFloatControl; -1: not stated
};

// A variable that _GENX_VOLATILE_BINDING_ puts at a byte of the space that such variables share.
struct Binding {
    const clang::VarDecl *variable;
    int64_t offset;
};

} // namespace cmkit

#endif
