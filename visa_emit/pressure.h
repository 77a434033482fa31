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

/* The same, without the source lines, in less time: only the bytes of the highest pressure. */
bool pressure_find_bytes(const struct visa_program *program, const struct visa_kernel *kernel, unsigned *bytes);

/* A variable that is live where the pressure is highest. */
struct pressure_variable {
    unsigned number;     /* as visa_variable() takes it */
    unsigned bytes;      /* whole registers if it has one or more */
    unsigned file, line; /* of the instruction that writes it first; the kernel's if it is an input of the thread */
    const struct visa_instruction *first; /* that instruction; NULL: it is an input */
};

struct pressure_profile {
    unsigned *bytes;                     /* live at each instruction of the kernel; its stack functions are left out */
    size_t peak;                         /* the instruction with most */
    struct pressure_variable *variables; /* live there, the largest first */
    size_t count;
};

/* False: out of memory. Call pressure_profile_free() in either case. */
bool pressure_profile_find(const struct visa_program *program, const struct visa_kernel *kernel,
                           struct pressure_profile *out);
void pressure_profile_free(struct pressure_profile *profile);

#endif
