/* Finds the functions in a kernel's code: subroutines, and functions on the stack. */
#ifndef CMKIT_VISA_EMIT_CODE_FUNCTIONS_H
#define CMKIT_VISA_EMIT_CODE_FUNCTIONS_H

#include "visa_emit/finalize.h"

/* The code of a function, [start, end) in bytes behind the kernel's first. File and line as in struct
 * visa_instruction, where it is defined; name "": not known. */
struct code_function {
    const char *name;
    unsigned file, line;
    size_t start, end;
};

/* Returns the functions in the order of the code, the kernel itself first. The caller frees *functions. 0 and NULL: the
 * listing has no numbers, or out of memory. */
size_t code_functions_find(const struct visa_program *program, const struct visa_kernel *kernel,
                           const struct gen_code *code, struct code_function **functions);

#endif
