/* Builds the section .debug_visa.KERNEL of a zebin: for each Gen instruction the vISA instruction that it was made
 * from. */
#ifndef CMKIT_VISA_EMIT_DEBUG_VISA_H
#define CMKIT_VISA_EMIT_DEBUG_VISA_H

#include "visa_emit/finalize.h"

/* Returns lines "OFFSET NUMBER TEXT": from the Gen instruction at byte OFFSET (hexadecimal) of the kernel's code on, up
 * to the next line's, the code comes from vISA instruction NUMBER, counted from 1 in the order of the vISA text. A line
 * "OFFSET" is of code that comes from none. Lines are in ascending order of offsets. The caller frees the text. NULL:
 * out of memory, or the listing does not match the code. */
char *debug_visa_build(const struct visa_program *program, const struct visa_kernel *kernel,
                       const struct gen_code *code, size_t *size);

#endif
