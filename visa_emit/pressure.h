/* Where a kernel holds most registers at once, and what for. */
#ifndef CMKIT_VISA_EMIT_PRESSURE_H
#define CMKIT_VISA_EMIT_PRESSURE_H

#include "visa_emit/visa.h"

enum { PRESSURE_LINES = 3 };

struct pressure {
    const struct visa_instruction *at; /* there */
    unsigned bytes;                    /* of the variables that are live then */
    struct pressure_line {
        unsigned file, line,
            bytes; /* of those that this line writes first; the kernel's own line: what the thread starts with */
    } lines[PRESSURE_LINES]; /* those with most */
    unsigned count;
};

/* Of the kernel or one of its functions on the stack, whichever needs most. False: out of memory, or no instructions.
 */
bool pressure_find(const struct visa_program *program, const struct visa_kernel *kernel, struct pressure *out);

#endif
