/* Makes the ELF files by which gdb learns of kernels: their debug information with final addresses, and call frames.
 *
 * gdb reads a file for each kernel over the connection, as it reads shared libraries. The code itself is not in it, as
 * gdb reads that from memory. */
#ifndef CMKIT_SIM_GDB_SYMBOLS_H
#define CMKIT_SIM_GDB_SYMBOLS_H

#include <stddef.h>
#include <stdint.h>
#include "sim/eu/eu.h"

/* Code that threads execute. */
struct gdb_code {
    uint64_t address;     /* GPU address of the first byte at `bytes` */
    const uint8_t *bytes; /* code, of which `available` bytes may be read */
    size_t available;
    const struct eu_program *program; /* decoded from the first byte */
    unsigned register_bytes;          /* of a general register */
    uint32_t prolog_most;             /* bytes of prolog that may stand before the code of the binary, 0: none */
};

struct gdb_symbols {
    struct gdb_symbols *next;
    char name[192]; /* of the file, as gdb sees it */
    char kernel[128];
    uint64_t address, size; /* of the code */
    uint8_t *file;
    size_t bytes;
    int has_debug; /* the binary has debug information */
};

/* Finds the kernel's name and debug information in the process's memory, and makes the file. NULL: no memory. */
struct gdb_symbols *gdb_symbols_create(const struct gdb_code *code);
void gdb_symbols_destroy(struct gdb_symbols *symbols);

#endif
