/* Finds where Gen code has the values of source variables, in optimized code.
 *
 * Selection has left marks in the vISA text (debug_info.h): from a mark on, a vISA variable has a value, or a source
 * variable has that of a vISA variable. The finalizer moves, merges and removes instructions. A variable is shown at a
 * Gen instruction only if all of this is certain:
 *
 *   - its line's state names the assignment that reaches the vISA instruction, on all paths;
 *   - nothing has written the vISA variable since it got the value, nor another one that shares its registers;
 *   - each write of the vISA variable has become code that writes its registers, or, if the finalizer has spilled it,
 *     its bytes of scratch memory: the whole of them, or what it had read there before with new bytes in it;
 *   - code of its block is in order around the instruction: writes before it are done, and none behind it has begun. */
#ifndef CMKIT_VISA_EMIT_DEBUG_VALUES_H
#define CMKIT_VISA_EMIT_DEBUG_VALUES_H

#include "visa_emit/debug_places.h"

/* A part of a source variable: a value that is assigned has it, or no byte of it. */
struct debug_part {
    unsigned variable, at, bytes; /* number in the unit */
    unsigned *shown;              /* per instruction of the code: the number of the assignment that holds; 0: none */
};

struct debug_values {
    const struct visa_kernel *unit;
    struct debug_part *parts; /* of one variable: one after the other, by `at` */
    size_t count;
    struct debug_place *places; /* per value of the unit */
};

/* False: out of memory. A unit that would take too long has no parts. Call debug_values_free() in either case. */
bool debug_values_find(struct debug_values *v, const struct debug_code *code, const struct visa_kernel *kernel,
                       const struct visa_kernel *unit, const struct visa_program *program);
void debug_values_free(struct debug_values *v);

#endif
