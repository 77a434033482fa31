/* Describes types of the source for debuggers. */
#ifndef CMKIT_LOWER_CODEGEN_EMIT_DEBUG_TYPES_H
#define CMKIT_LOWER_CODEGEN_EMIT_DEBUG_TYPES_H

#include "lower/ir/ir.h"
#include "visa_emit/visa.h"

struct cg_types {
    LLVMContextRef context;
    struct visa_program *program;
    struct debug_unit *unit;
    struct pointer_map numbers;           /* types of the metadata to unit->types */
    struct pointer_map member_references; /* C++ references to unit->types, as members are */
};

/* Returns the number of a type; 0: it has none that registers could hold. A C++ reference is the type that it refers
 * to; vector_ref and matrix_ref are structs that hold the elements. */
unsigned cg_debug_type(struct cg_types *t, LLVMMetadataRef type);

/* Appends to an array of the program's memory. */
void *cg_debug_grown(struct visa_program *program, void *array, size_t count, size_t *capacity, size_t element);

#endif
