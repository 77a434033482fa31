/* Reads from a line of the finalizer's listing which bytes of scratch memory it moves for a variable that is spilled.
 */
#ifndef CMKIT_VISA_EMIT_GEN_SPILLS_H
#define CMKIT_VISA_EMIT_GEN_SPILLS_H

#include <stdbool.h>
#include <stddef.h>

struct gen_spill {
    enum {
        GEN_SPILL_NONE,
        GEN_SPILL_WRITE, /* registers to memory */
        GEN_SPILL_READ   /* back: the finalizer calls it a fill */
    } kind;
    unsigned low, high; /* bytes of the thread's scratch memory, or of the frame */
    unsigned first;     /* of the registers */
    bool is_in_frame;   /* of a function on the stack, or of a kernel that calls such ones */
};

struct gen_spill gen_spill_of(const char *line, size_t length, unsigned register_bytes);

#endif
