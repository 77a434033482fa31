/* Names for code that the GPU knows by address only. Drivers keep the program binaries that they loaded in the
 * process's memory; when a report needs a name, that memory is searched for a binary whose kernel has exactly the code
 * in question. Nothing is guessed: no binary, no name. */
#ifndef CMKIT_SIM_NAMES_NAMES_H
#define CMKIT_SIM_NAMES_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct kernel_name {
    char name[128];   /* "" if not known */
    char source[192]; /* "scale.cl:7", where the binary has debug lines; "" if not */
};

/* What to look for: `available` bytes of memory from the kernel's first instruction on, and the offset of the
 * instruction at work. */
struct kernel_code {
    const uint8_t *bytes;
    size_t available;
    uint32_t ip;
    int wants_line; /* go on from a binary without lines, for the driver keeps some of them apart */
};

/* Searches this process's memory. 1 if the kernel was found. Slow (it reads all memory): for reports only. */
int kernel_name_find(const struct kernel_code *code, struct kernel_name *name);

/* The name of the kernel whose code has this hash, "" if there is none to be found. Searches the first time only; the
 * text lives as long as the process. */
const char *kernel_name_of_hash(uint64_t hash, const uint8_t *code, size_t available);

/* Memory that starts where a binary may: `available` bytes, read piece by piece, for they are many and mostly no
 * binary. `read` is 0 where the bytes cannot be read. */
struct binary_memory {
    int (*read)(const struct binary_memory *memory, uint64_t offset, void *to, size_t size);
    uint64_t available;
};

/* Bytes of the binary at the start of the memory, as its headers tell: what the readers below need. 0 if the headers
 * are of no binary, contradict each other or tell more than is available. */
uint64_t zebin_size(const struct binary_memory *memory);
uint64_t patch_tokens_size(const struct binary_memory *memory);
uint64_t debug_data_size(const struct binary_memory *memory);

/* The binary formats: whether the binary at the start of bytes[0..size) has the kernel. Nothing outside of these bytes
 * is read, whatever they say; a binary that is cut or wrong has no kernels. */
int kernel_name_in_zebin(const uint8_t *bytes, size_t size, const struct kernel_code *code, struct kernel_name *name);
int kernel_name_in_patch_tokens(const uint8_t *bytes, size_t size, const struct kernel_code *code,
                                struct kernel_name *name);

/* Debug data, which the driver's compiler makes beside binaries of the older format: the name, and the source line too.
 * The ELF file of one kernel in it: its source line; 0 if the file is not of that code. */
int kernel_name_in_debug_data(const uint8_t *bytes, size_t size, const struct kernel_code *code,
                              struct kernel_name *name);
int kernel_source_in_elf(const uint8_t *bytes, size_t size, const struct kernel_code *code, struct kernel_name *name);

/* One section of DWARF line programs, and where its addresses come from. */
struct debug_lines {
    const uint8_t *bytes;
    size_t size;
    /* The section that the address at `offset` of `bytes` is relative to, by number; 0 if there is none. */
    uint32_t (*section_of)(const void *context, uint64_t offset);
    const void *context;
};

/* Writes "FILE:LINE" for the byte at `address` of section `section`, or "". */
void kernel_source_line(const struct debug_lines *lines, uint32_t section, uint64_t address, char *text, size_t size);

#endif
