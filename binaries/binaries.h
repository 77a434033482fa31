/* Reads the names of kernels and their source lines in binaries of Intel's drivers: zebins, and the older format with
 * patch tokens. */
#ifndef CMKIT_BINARIES_BINARIES_H
#define CMKIT_BINARIES_BINARIES_H

#include <stddef.h>
#include <stdint.h>

/* A kernel by its code. */
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

/* A kernel's ELF file, for its debug information. */
struct kernel_binary {
    char name[128];
    uint8_t *elf;
    size_t bytes;
    uint32_t section; /* of the code */
};

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

/* The code of a kernel in a zebin: bytes of the file, and the number of their section. */
struct zebin_code {
    const uint8_t *bytes;
    size_t size;
    uint32_t section;
    int has_lines; /* the file has debug lines, of this or of another kernel */
};

/* Finds the code of the kernel `name`. 0: the file is no zebin, or has no such kernel. */
int zebin_code_find(const uint8_t *bytes, size_t size, const char *name, struct zebin_code *code);

/* Writes the source of the instruction `ip` bytes behind the start of the code, "FILE:LINE", or "". */
void zebin_source(const uint8_t *bytes, size_t size, const struct zebin_code *code, uint32_t ip, char *text,
                  size_t room);

/* Returns the contents of the section with this name, NULL if the file has none. */
const uint8_t *zebin_section(const uint8_t *bytes, size_t size, const char *name, size_t *length);

/* A pointer in the payload of a kernel: bytes from the start of what all threads get. */
struct zebin_argument {
    uint32_t index, offset, size;
    char name[64]; /* "" if the file does not say */
};

/* Finds the pointers among the arguments of a zebin's kernel and returns how many there are, at most `room`. */
size_t zebin_pointers(const uint8_t *bytes, size_t size, const char *kernel, struct zebin_argument *arguments,
                      size_t room);

/* A kernel's private memory where the driver allocates a buffer for it: where its address is in the payload, and the
 * bytes for each hardware thread. 0: the kernel has none, or the file is no zebin. */
struct zebin_private {
    uint32_t offset;
    uint64_t thread_bytes;
};
int zebin_private_find(const uint8_t *bytes, size_t size, const char *kernel, struct zebin_private *memory);

/* The shared local memory of a group: what a kernel's code declares, and arguments that point into more of it. */
enum { ZEBIN_LOCAL_ARGUMENTS = 8 };
struct zebin_local {
    uint32_t bytes;
    struct zebin_argument arguments[ZEBIN_LOCAL_ARGUMENTS];
    size_t count; /* of arguments; those for which there is no room are left out */
};

/* The most of all kernels with the same code: which one a GPU executes is not known. 0: the kernel has no such memory,
 * or the file is no zebin. */
int zebin_local_find(const uint8_t *bytes, size_t size, const char *kernel, struct zebin_local *local);

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
