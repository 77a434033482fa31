/* Watches variables in registers and scratch memory for gdb: no message says when they change, so their bytes are
 * compared behind each instruction of their thread. */
#ifndef CMKIT_SIM_GDB_WATCH_H
#define CMKIT_SIM_GDB_WATCH_H

#include "sim/gdb/session.h"

/* Whether a point watches registers or scratch memory. */
bool gdb_watches_registers(const struct gdb_point *point);

/* Keeps the bytes that such a point watches as they are now, until gdb_point_end(). False: there are none, or no memory
 * for them. */
bool gdb_watch_begin(struct gdb_point *point);

/* Returns a point whose bytes the running thread has changed, and keeps the new ones. NULL: there is none. */
const struct gdb_point *gdb_watch_changed(void);

#endif
