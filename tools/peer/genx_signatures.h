/* Declares the signatures that Intel's vc-intrinsics gives llvm.genx.* intrinsics, from the tables of the package
 * intel-vc-intrinsics-dev. Our modules and tables/genx_intrinsics.def are compared with them. */
#ifndef CMKIT_PEER_GENX_SIGNATURES_H
#define CMKIT_PEER_GENX_SIGNATURES_H

#include <stdbool.h>

enum signature_kind { SIG_VOID, SIG_INTEGER, SIG_FLOAT, SIG_OVERLOAD, SIG_STRUCT, SIG_UNKNOWN };

/* The types that an overloaded type may have. */
enum genx_class { CLASS_ANY, CLASS_INTEGER, CLASS_FLOAT, CLASS_VECTOR, CLASS_POINTER, CLASS_SAME = 7 };

struct genx_type {
    enum signature_kind kind;
    unsigned bits;     /* of an element */
    unsigned lanes;    /* 0: scalar */
    unsigned overload; /* its number: equal numbers are equal types; CLASS_SAME refers to an earlier one */
    enum genx_class class;
    unsigned members; /* of a struct: the types that follow */
};

enum { SIG_TYPES = 48 };

struct genx_signature {
    struct genx_type types[SIG_TYPES]; /* result, then operands; a struct's members follow it */
    unsigned count;
};

/* Finds "rdregioni" and so on; false if vc-intrinsics has no such intrinsic. */
bool genx_signature_find(const char *name, struct genx_signature *out);

#endif
