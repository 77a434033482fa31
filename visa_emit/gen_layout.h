/* Finds positions in Gen code: where instructions begin, and where the load of the local ids ends. */
#ifndef CMKIT_VISA_EMIT_GEN_LAYOUT_H
#define CMKIT_VISA_EMIT_GEN_LAYOUT_H

#include <stddef.h>
#include <stdint.h>

/* Counts the Gen instructions in the code. 0: the code ends inside an instruction. */
unsigned gen_instruction_count(const uint8_t *code, size_t size);

/* Returns the size in bytes of the first block of instructions, which loads a thread's local ids. 0: the finalizer's
 * listing of this code has no such block. */
unsigned gen_local_id_load_bytes(const char *listing, const uint8_t *code, size_t size);

#endif
