/* Finds names for code that the GPU knows by address only. Drivers keep the program binaries that they loaded in the
 * process's memory. When a report needs a name, that memory is searched for a binary whose kernel has exactly this
 * code. Nothing is guessed: without a binary there is no name. */
#ifndef CMKIT_SIM_NAMES_NAMES_H
#define CMKIT_SIM_NAMES_NAMES_H

#include "binaries/binaries.h"

/* A search for the source lines of many instructions at once: one search of memory costs more than all of them. */
struct kernel_source_list {
    const uint32_t *ips; /* offsets of instructions */
    size_t count;
    char (*source)[192]; /* for each "scale.cl:7", or "" */
    char (*visa)[192];   /* for each "12 mov (M1, 16) ...", or "" */
};

/* Searches this process's memory. 1: found. Slow (it reads all memory), so it is for reports only. */
int kernel_name_find(const struct kernel_code *code, struct kernel_name *name);

/* The same for the lines of many instructions; code->ip is one that has a line. */
int kernel_source_find_all(const struct kernel_code *code, struct kernel_source_list *sources);

/* Finds the ELF file of a kernel, for its debug information. `elf` is to be freed; NULL: there is none. The name is
 * found without one, too. */
int kernel_binary_find(const struct kernel_code *code, struct kernel_binary *binary);

/* Calls `found` for each binary in memory that has the kernel, as it lies there: 1, or 0 if there is none. */
int kernel_binary_each(const struct kernel_code *code, void (*found)(void *context, const uint8_t *bytes, size_t size),
                       void *context);

/* Returns the name of the kernel whose code has this hash, "" if none is found. Only the first call searches; the text
 * lives as long as the process. */
const char *kernel_name_of_hash(uint64_t hash, const uint8_t *code, size_t available);

#endif
