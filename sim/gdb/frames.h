/* Keeps the general registers that callers had when they called, for gdb's outer frames: a function that is called on
 * the stack uses its caller's registers for something else, and where it has saved them, its code does not say. */
#ifndef CMKIT_SIM_GDB_FRAMES_H
#define CMKIT_SIM_GDB_FRAMES_H

#include "sim/eu/eu.h"

/* For the threads of a group. */
void gdb_frames_begin(uint32_t count);
void gdb_frames_end(void);

/* Looks whether a thread has called or returned, before each of its instructions. */
void gdb_frames_follow(uint32_t index, struct eu_thread *thread);

/* Returns the general registers of a thread as frame `frame` has them: 0 is the innermost one. NULL: not known. */
uint8_t *gdb_frames_registers(uint32_t index, unsigned frame);

#endif
