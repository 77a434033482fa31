/* Describes the registers of an EU thread to gdb, and reads and writes them.
 *
 * gdb has no architecture for Intel GPUs, and Debian's gdb knows x86 only. So threads look like x86-64 threads with
 * further registers: rip is the GPU address of the instruction, rsp points to the return addresses of calls
 * (GDB_WINDOW_CALLS), rcx is the lane whose values of variables gdb shows, rbx points to a window of memory that shows
 * the general registers (GDB_WINDOW_REGISTERS), by which debug information describes variables, and scratch memory. r8
 * to r15 are the general registers of that name. The other registers of x86 are unavailable. */
#ifndef CMKIT_SIM_GDB_REGISTERS_H
#define CMKIT_SIM_GDB_REGISTERS_H

#include <stddef.h>
#include <stdint.h>
#include "sim/eu/eu.h"

/* Addresses that no GPU memory has: windows of each thread, and the group's shared local memory. */
#define GDB_WINDOW_REGISTERS UINT64_C(0x4000000000000000) /* + gdb_window_of() */
#define GDB_WINDOW_LOCAL     UINT64_C(0x0a00000000000000) /* + offset in shared local memory; IGC marks it so */
#define GDB_WINDOW_MASK      UINT64_C(0xff00000000000000)
enum {
    GDB_WINDOW_SHIFT = 20,
    GDB_WINDOW_FRAME_SHIFT = 48, /* of the number of the frame: callers have windows of their own (frames.h) */
    GDB_WINDOW_BYTES = 1 << 20,
    GDB_WINDOW_REGISTERS_END = 0x40000, /* return addresses follow */
    GDB_WINDOW_CALLS = 0x80000,         /* where rsp points outside of calls */
    GDB_WINDOW_SCRATCH = 0x90000        /* scratch memory, up to the window's end */
};

/* The first address of a thread's window. Numbers that are far apart may have the same. */
static inline uint64_t gdb_window_of(uint32_t thread)
{
    enum { NUMBERS = 1 << (GDB_WINDOW_FRAME_SHIFT - GDB_WINDOW_SHIFT) };
    return GDB_WINDOW_REGISTERS + ((uint64_t)(thread % NUMBERS) << GDB_WINDOW_SHIFT);
}

/* What a register's value depends on. */
struct gdb_registers {
    struct eu_thread *thread;
    const struct platform *platform;
    uint64_t pc, window; /* GPU address of the next instruction; first address of the thread's window */
    unsigned depth;      /* calls that it is in */
    unsigned *lane;      /* that is shown */
    uint32_t ip;         /* as register ip */
};

/* Returns the target description (XML) for the platform, which lives as long as the process. NULL: no memory. */
const char *gdb_registers_description(const struct platform *platform);

/* Number of registers, and bytes of one. */
unsigned gdb_registers_count(const struct platform *platform);
size_t gdb_register_bytes(const struct platform *platform, unsigned number);

/* Copies a register's value. False: there is none. */
bool gdb_register_read(const struct gdb_registers *from, unsigned number, uint8_t *value);

/* Changes a register of gdb_register_bytes(). False: this one cannot be changed. rip moves the thread. */
bool gdb_register_write(const struct gdb_registers *to, unsigned number, const uint8_t *value);

#endif
