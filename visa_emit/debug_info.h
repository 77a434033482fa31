/* Defines the description of a program's variables for debuggers: types, scopes, and where each variable is kept.
 *
 * Numbers of types and scopes count from 1; 0 is none. lower/ fills these structures, dwarf_variables.c writes them. */
#ifndef CMKIT_VISA_EMIT_DEBUG_INFO_H
#define CMKIT_VISA_EMIT_DEBUG_INFO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum debug_type_kind {
    DEBUG_TYPE_NUMBER,
    DEBUG_TYPE_ENUMERATION,
    DEBUG_TYPE_ARRAY,  /* `count` elements of type `of` */
    DEBUG_TYPE_STRUCT, /* and classes, unions */
    DEBUG_TYPE_NAME,   /* a typedef of `of` */
    DEBUG_TYPE_POINTER
};

struct debug_member {
    const char *name; /* of an enumerator too */
    unsigned type;
    uint64_t at; /* bytes from the struct's start; the value of an enumerator */
    bool is_base;
};

struct debug_type {
    enum debug_type_kind kind;
    const char *name;
    unsigned bytes, encoding; /* DW_ATE_... of numbers */
    unsigned of;
    uint64_t count;
    struct debug_member *members;
    size_t member_count;
};

/* A function of the source, a call of one that was inlined, or a block in braces. */
struct debug_scope {
    unsigned parent;  /* 0: the function whose text this is */
    const char *name; /* of a function; NULL: a block */
    unsigned file, line;
    unsigned call_file, call_line; /* of an inlined call */
};

struct debug_variable {
    const char *name;
    unsigned scope, type, file, line;
    bool is_parameter;
    bool is_shared; /* functions that are called may change it: its home is out of date while one runs */
    unsigned home;  /* the vISA variable that has its value from the first write on; 0: the value is not kept */
};

/* Of a kernel or stack function, with its subroutines. */
struct debug_unit {
    struct debug_scope *scopes; /* [0] is number 1 */
    size_t scope_count, scope_capacity;
    struct debug_variable *variables;
    size_t variable_count, variable_capacity;
    struct debug_type *types; /* [0] is number 1 */
    size_t type_count, type_capacity;
};

#endif
