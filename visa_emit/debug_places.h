/* Finds where the homes of source variables are in Gen code, and which code belongs to which scope. */
#ifndef CMKIT_VISA_EMIT_DEBUG_PLACES_H
#define CMKIT_VISA_EMIT_DEBUG_PLACES_H

#include "visa_emit/finalize.h"

/* Code, [start, end) in bytes from the kernel's first on. */
struct debug_range {
    size_t start, end;
};

/* One Gen instruction. */
struct debug_point {
    size_t offset;
    const struct visa_kernel *unit;
    unsigned subroutine;
    unsigned scope; /* in unit->debug; an instruction that has none gets that of the one before */
    const struct visa_instruction *from;
    const char *text; /* in the listing, to the end of the line; NULL: behind the last */
};

/* The instructions of a kernel's code, with a last one behind it. */
struct debug_code {
    const char *listing;
    struct debug_point *points;
    size_t count, capacity;
    bool failed;
};

bool debug_code_read(struct debug_code *code, const struct visa_program *program, const struct visa_kernel *kernel,
                     const struct gen_code *gen);
void debug_code_free(struct debug_code *code);

/* Returns the scope without parent of the function that begins at an offset. 0: not known. */
unsigned debug_function_scope(const struct debug_code *code, size_t offset);

/* Returns the unit whose code is at an offset. */
const struct visa_kernel *debug_unit_at(const struct debug_code *code, size_t offset);

/* Returns the code between two offsets that is in a scope, or in scopes inside it. The caller frees *ranges. */
size_t debug_scope_ranges(const struct debug_code *code, const struct visa_kernel *unit, unsigned scope, size_t from,
                          size_t to, struct debug_range **ranges);

/* Where a home is: at a byte of the registers, counted from r0, or of the thread's scratch memory, counted from its
 * start or from that of the function's frame. */
struct debug_place {
    bool is_in_scratch; /* the finalizer has spilled it */
    unsigned byte;
    unsigned frame;      /* the byte of the registers where the dword is that says where the frame starts; 0: none */
    unsigned frame_unit; /* bytes that it counts */
};

/* Returns the code between two offsets at which a variable's home, `bytes` at a place, has its value. The caller frees
 * *ranges. */
size_t debug_home_ranges(const struct debug_code *code, const struct visa_kernel *unit,
                         const struct debug_variable *variable, const struct debug_place *place, unsigned bytes,
                         unsigned register_bytes, size_t from, size_t to, struct debug_range **ranges);

/* Replaces a list of ranges by what it has in common with another one, of which there are `other_count`. */
size_t debug_ranges_meet(struct debug_range **ranges, size_t count, const struct debug_range *others,
                         size_t other_count);

/* Clears the marks of bytes of a home that the unit's code writes. */
void debug_home_written(const struct visa_kernel *unit, unsigned home, bool *marks, unsigned bytes);

/* The same of one instruction, which writes the home. */
void debug_home_written_by(const struct visa_instruction *i, bool *marks, unsigned bytes);

/* Finds where a vISA variable of the unit lies. False: it is not known. */
bool debug_home_place(const struct debug_code *code, const struct visa_kernel *kernel, const struct visa_kernel *unit,
                      unsigned home, const struct platform *platform, struct debug_place *place);

#endif
