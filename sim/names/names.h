/* Finds names for code that the GPU knows by address only. Drivers keep the program binaries that they loaded in the
 * process's memory. When a report needs a name, that memory is searched for a binary whose kernel has exactly this
 * code. Nothing is guessed: without a binary there is no name. */
#ifndef CMKIT_SIM_NAMES_NAMES_H
#define CMKIT_SIM_NAMES_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct kernel_name {
    char name[128];     /* "" if not known */
    char source[192];   /* "scale.cl:7", where the binary has debug lines; "" if not */
    char visa[192];     /* "12 mov (M1, 16) ...": number and text, where the binary has them (cmc -g); "" if not */
    const uint8_t *elf; /* the ELF file with the kernel and debug lines, in the memory that was read; NULL: none */
    size_t elf_bytes;
    uint32_t section; /* of the code, in the ELF file */
};

/* The code to search for: `available` bytes from the kernel's first instruction on, and the offset of the current
 * instruction. */
struct kernel_code {
    const uint8_t *bytes;
    size_t available;
    uint32_t ip;
    int wants_line; /* go on from a binary without lines, for the driver keeps some of them apart */
    int wants_elf;  /* kernel_binary_find() */
};

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
struct kernel_binary {
    char name[128];
    uint8_t *elf;
    size_t bytes;
    uint32_t section; /* of the code */
};
int kernel_binary_find(const struct kernel_code *code, struct kernel_binary *binary);

/* Calls `found` for each binary in memory that has the kernel, as it lies there: 1, or 0 if there is none. */
int kernel_binary_each(const struct kernel_code *code, void (*found)(void *context, const uint8_t *bytes, size_t size),
                       void *context);

/* What the ELF file says of a section that holds debug information. `name` "" ends the list. Relocations are applied:
 * addresses of the section `code` begin at `address`, addresses of other code are 0. The contents are to be freed. */
struct kernel_section {
    char name[32];
    uint8_t *bytes;
    size_t size;
    int is_relocated; /* the file has relocations for it; without them addresses count from the code's start */
};
size_t kernel_debug_sections(const struct kernel_binary *binary, uint64_t address, struct kernel_section *sections,
                             size_t room);

/* Returns the name of the kernel whose code has this hash, "" if none is found. Only the first call searches; the text
 * lives as long as the process. */
const char *kernel_name_of_hash(uint64_t hash, const uint8_t *code, size_t available);

/* Memory at a possible start of a binary: `available` bytes, read piece by piece, because there are many such places
 * and few binaries. `read` returns 0 if the bytes cannot be read. */
struct binary_memory {
    int (*read)(const struct binary_memory *memory, uint64_t offset, void *to, size_t size);
    uint64_t available;
};

/* Returns the size of the binary at the start of the memory, according to its headers; the readers below need it. 0:
 * the headers are not those of a binary, contradict each other, or claim more than is available. */
uint64_t zebin_size(const struct binary_memory *memory);
uint64_t patch_tokens_size(const struct binary_memory *memory);
uint64_t debug_data_size(const struct binary_memory *memory);

/* Readers of the binary formats: 1 if the binary at the start of bytes[0..size) has the kernel. They read nothing
 * outside these bytes, whatever the headers say; a truncated or wrong binary has no kernels. */
int kernel_name_in_zebin(const uint8_t *bytes, size_t size, const struct kernel_code *code, struct kernel_name *name);
int kernel_name_in_patch_tokens(const uint8_t *bytes, size_t size, const struct kernel_code *code,
                                struct kernel_name *name);

/* Readers of debug data, which the driver's compiler puts beside binaries of the older format: the first finds the name
 * and the source line, the second the source line in one kernel's ELF file (0: the file is for other code). */
int kernel_name_in_debug_data(const uint8_t *bytes, size_t size, const struct kernel_code *code,
                              struct kernel_name *name);
int kernel_source_in_elf(const uint8_t *bytes, size_t size, const struct kernel_code *code, struct kernel_name *name);

/* One section of DWARF line programs, and the source of its addresses. */
struct debug_lines {
    const uint8_t *bytes;
    size_t size;
    /* Returns the number of the section that the address at `offset` of `bytes` is relative to; 0: none. */
    uint32_t (*section_of)(const void *context, uint64_t offset);
    const void *context;
};

/* Writes "FILE:LINE" for the byte at `address` of section `section`, or "". */
void kernel_source_line(const struct debug_lines *lines, uint32_t section, uint64_t address, char *text, size_t size);

#endif
