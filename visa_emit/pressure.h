/* Finds the instruction of a kernel with the highest register pressure, and the source lines that cause it. */
#ifndef CMKIT_VISA_EMIT_PRESSURE_H
#define CMKIT_VISA_EMIT_PRESSURE_H

#include "visa_emit/visa.h"

enum { PRESSURE_LINES = 3 };

struct pressure {
    const struct visa_instruction *at; /* there */
    unsigned bytes;                    /* of the variables that are live then */
    struct pressure_line {
        unsigned file, line,
            bytes; /* of variables that this line writes first; the line of the kernel's name: the thread's inputs */
    } lines[PRESSURE_LINES]; /* the lines with most bytes */
    unsigned count;
};

/* Takes the kernel or one of its stack functions, whichever has the highest pressure. False: out of memory, or no
 * instructions. */
bool pressure_find(const struct visa_program *program, const struct visa_kernel *kernel, struct pressure *out);

#endif
