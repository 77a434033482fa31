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
    DEBUG_TYPE_POINTER /* to `of`; 0: not known */
};

struct debug_member {
    const char *name; /* of an enumerator too */
    unsigned type;
    uint64_t at;   /* bytes from the struct's start, bits of a bit-field; the value of an enumerator */
    unsigned bits; /* of a bit-field; 0: it is none */
    bool is_base;
};

struct debug_type {
    enum debug_type_kind kind;
    const char *name;
    unsigned bytes, encoding; /* DW_ATE_... of numbers */
    unsigned of;
    uint64_t count;
    bool is_union;
    bool is_reference; /* a pointer that is a C++ reference */
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

enum { DEBUG_TARGET_BIAS = 1 << 16 }; /* a pointer may be a little in front of its variable */

/* A pointer in a structure or an array, into a variable of the unit: `target` and the home's first dword there are as
 * those of a pointer that is a variable. */
struct debug_pointer {
    unsigned at, target;
    struct debug_pointer *next;
};

struct debug_variable {
    const char *name;
    unsigned scope, type, file, line;
    bool is_parameter;
    bool is_shared;  /* functions that it is given to may change it: its home is out of date while one runs */
    bool is_changed; /* the same of functions that are called, not inlined */
    unsigned home;   /* the vISA variable that has its value from the first write on; 0: the value is not kept */
    unsigned target; /* the variable of the unit that a pointer is into: its home has where, + DEBUG_TARGET_BIAS, or 0
                        for null; 0: the home has the value itself */
    struct debug_pointer *pointers; /* in it */
};

/* A value of optimized code that source variables have: the first bytes of a vISA variable, from a mark on. */
struct debug_value {
    unsigned variable; /* 0: not known */
    unsigned bytes;
};

/* What a source variable, or a part of it, has from a mark on. */
struct debug_assignment {
    unsigned record;   /* in struct visa_line_state: copies of an assignment have the same */
    unsigned variable; /* number in the unit */
    unsigned at, bytes;
    unsigned value;          /* number in the unit; 0: a constant, or not known */
    const uint8_t *constant; /* its bytes; NULL: none */
};

/* What begins behind a vISA instruction. */
struct debug_mark {
    enum { DEBUG_MARK_VALUE, DEBUG_MARK_ASSIGNMENT } kind;
    unsigned number; /* of the value or assignment */
    unsigned next;   /* mark of the same instruction; 0: none */
};

/* Of a kernel or stack function, with its subroutines. */
struct debug_unit {
    struct debug_scope *scopes; /* [0] is number 1 */
    size_t scope_count, scope_capacity;
    struct debug_variable *variables;
    size_t variable_count, variable_capacity;
    struct debug_type *types; /* [0] is number 1 */
    size_t type_count, type_capacity;
    /* Of optimized code; [0] is number 1. */
    struct debug_value *values;
    size_t value_count, value_capacity;
    struct debug_assignment *assignments;
    size_t assignment_count, assignment_capacity;
    struct debug_mark *marks;
    size_t mark_count, mark_capacity;
};

#endif
