/* Writes entries of types, scopes and variables into a unit of .debug_info. */
#ifndef CMKIT_VISA_EMIT_DWARF_VARIABLES_H
#define CMKIT_VISA_EMIT_DWARF_VARIABLES_H

#include "visa_emit/debug_values.h"
#include "visa_emit/dwarf_writer.h"

/* Numbers of abbreviations. */
enum dwarf_entry {
    DWARF_UNIT = 1,
    DWARF_KERNEL,
    DWARF_FUNCTION,
    DWARF_NUMBER,
    DWARF_ENUMERATION,
    DWARF_ENUMERATOR,
    DWARF_ARRAY,
    DWARF_DIMENSION,
    DWARF_STRUCT,
    DWARF_STRUCT_WITHOUT_NAME,
    DWARF_UNION,
    DWARF_UNION_WITHOUT_NAME,
    DWARF_MEMBER,
    DWARF_BIT_FIELD,
    DWARF_BASE,
    DWARF_NAME_OF_TYPE,
    DWARF_POINTER,
    DWARF_POINTER_TO,
    DWARF_REFERENCE_TO,
    DWARF_PARAMETER,
    DWARF_PARAMETER_ELSEWHERE, /* its value is nowhere: "optimized out" */
    DWARF_VARIABLE,
    DWARF_VARIABLE_ELSEWHERE,
    DWARF_BLOCK,
    DWARF_INLINED,
    DWARF_ORIGIN /* a function that is inlined */
};

/* The sections that describe variables, and the unit that is being written. */
struct dwarf_variables {
    struct dwarf_writer *info, *locations, *ranges;
    const struct visa_program *program;
    const struct visa_kernel *kernel;
    struct debug_code code;
    size_t unit_start; /* in .debug_info */
    struct dwarf_type_place {
        const struct visa_kernel *unit;
        size_t *places; /* of its types */
    } *types;
    size_t type_units;
    struct debug_values *values; /* of the units, like `types` */
    struct dwarf_origin_place {
        const struct debug_scope *scope;
        size_t place;
    } *origins;
    size_t origin_count;
    struct dwarf_entry_place {
        const struct visa_kernel *unit;
        unsigned variable;
        size_t place; /* of its entry; or in .debug_loc, where that is needed */
    } *entries, *needed;
    size_t entry_count, entry_capacity, needed_count, needed_capacity;
};

/* Begins the kernel's unit: writes its types and the functions that are inlined. False: there is nothing to say. */
bool dwarf_variables_begin(struct dwarf_variables *v, const struct visa_program *program,
                           const struct visa_kernel *kernel, const struct gen_code *code, size_t unit_start);

/* Writes what is in the function whose code is between two offsets, inside its entry. */
void dwarf_variables_put(struct dwarf_variables *v, size_t from, size_t to);

void dwarf_variables_end(struct dwarf_variables *v);

#endif
