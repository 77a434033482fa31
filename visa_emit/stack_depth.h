/* Computes the stack depth of a kernel that calls stack functions (_GENX_STACKCALL_). */
#ifndef CMKIT_VISA_EMIT_STACK_DEPTH_H
#define CMKIT_VISA_EMIT_STACK_DEPTH_H

#include <stdint.h>
#include "tables/platforms.h"

/* Returns the bytes that the pointers to the stack and to its frames count. */
unsigned stack_depth_unit(const struct platform *platform);

/* Returns the bytes of the frames on the stack at its deepest, from the finalizer's listing. `unit`: what the
 * stack pointer counts, in bytes. 0: there are no stack functions, or the depth is not known because of recursion. */
uint64_t stack_depth(const char *listing, unsigned unit);

#endif
