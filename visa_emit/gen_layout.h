/* Finds places in Gen code: where instructions begin, and where the load of the local ids ends. */
#ifndef CMKIT_VISA_EMIT_GEN_LAYOUT_H
#define CMKIT_VISA_EMIT_GEN_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

/* Gen instructions in the code; 0 if it does not end with one. */
unsigned gen_instruction_count(const uint8_t *code, size_t size);

/* Bytes of the block of instructions that loads a thread's local ids, which is the first one; 0 if the finalizer's
 * listing of this code has no such block. */
unsigned gen_local_id_load_bytes(const char *listing, const uint8_t *code, size_t size);

#endif
