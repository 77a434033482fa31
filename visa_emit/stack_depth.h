/* How deep the stack of a kernel gets that calls functions on it (_GENX_STACKCALL_). */
#ifndef CMKIT_VISA_EMIT_STACK_DEPTH_H
#define CMKIT_VISA_EMIT_STACK_DEPTH_H

#include <stdint.h>

/* Bytes of the frames that lie on the stack at the deepest, by the finalizer's listing; 0: there is no such function, or
 * one calls itself, also through others, and nothing is known. */
uint64_t stack_depth(const char *listing);

#endif
