/* Reads the driver's older binary format: a header, then for each kernel a header, its name, its code, three heaps and
 * a list of patches. Debug data begins with the same magic number: a header, then for each kernel a header, its name,
 * an ELF file and a table. All numbers are little-endian dwords. */
#include <stdio.h>
#include <string.h>
#include "binaries/binaries.h"

enum { PROGRAM_MAGIC = 0x494e5443, PROGRAM_HEADER = 28, KERNEL_HEADER = 40, MOST_KERNELS = 65536 };

/* Byte offsets in the headers. */
enum { PROGRAM_KERNELS = 16, PROGRAM_PATCHES = 24 };
enum {
    KERNEL_NAME = 12,
    KERNEL_PATCHES = 16,
    KERNEL_HEAP = 20,
    KERNEL_GENERAL = 24,
    KERNEL_DYNAMIC = 28,
    KERNEL_SURFACE = 32,
    KERNEL_CODE = 36
};

/* Debug data: the headers' sizes and byte offsets in them. */
enum { DEBUG_HEADER = 28, DEBUG_KERNELS = 24, DEBUG_KERNEL_HEADER = 12, DEBUG_ELF = 4, DEBUG_TABLE = 8 };

static uint32_t dword(const uint8_t *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

/* Returns the bytes of the kernel at `bytes`, header included; 0 if it is truncated. */
static uint64_t kernel_bytes(const uint8_t *bytes, uint64_t left)
{
    if (left < KERNEL_HEADER)
        return 0;
    uint64_t size = KERNEL_HEADER + (uint64_t)dword(bytes + KERNEL_NAME) + dword(bytes + KERNEL_HEAP) +
                    dword(bytes + KERNEL_GENERAL) + dword(bytes + KERNEL_DYNAMIC) + dword(bytes + KERNEL_SURFACE) +
                    dword(bytes + KERNEL_PATCHES);
    return size > left || dword(bytes + KERNEL_CODE) > dword(bytes + KERNEL_HEAP) ? 0 : size;
}

uint64_t patch_tokens_size(const struct binary_memory *memory)
{
    uint8_t header[KERNEL_HEADER];
    if (memory->available < PROGRAM_HEADER || !memory->read(memory, 0, header, PROGRAM_HEADER) ||
        dword(header) != PROGRAM_MAGIC || dword(header + PROGRAM_KERNELS) > MOST_KERNELS)
        return 0;
    uint32_t left = dword(header + PROGRAM_KERNELS);
    uint64_t size = PROGRAM_HEADER + (uint64_t)dword(header + PROGRAM_PATCHES);
    for (; left; left--) {
        uint64_t kernel = 0;
        if (size < memory->available && memory->available - size >= KERNEL_HEADER &&
            memory->read(memory, size, header, KERNEL_HEADER) && dword(header + KERNEL_CODE) != 0)
            kernel = kernel_bytes(header, memory->available - size);
        if (!kernel)
            return 0;
        size += kernel;
    }
    return size;
}

uint64_t debug_data_size(const struct binary_memory *memory)
{
    uint8_t header[DEBUG_HEADER];
    if (memory->available < DEBUG_HEADER || !memory->read(memory, 0, header, DEBUG_HEADER) ||
        dword(header) != PROGRAM_MAGIC || dword(header + DEBUG_KERNELS) > MOST_KERNELS)
        return 0;
    uint32_t left = dword(header + DEBUG_KERNELS);
    uint64_t size = DEBUG_HEADER;
    for (; left; left--) {
        if (memory->available - size < DEBUG_KERNEL_HEADER ||
            !memory->read(memory, size, header, DEBUG_KERNEL_HEADER) || dword(header + DEBUG_ELF) == 0)
            return 0;
        uint64_t all =
            DEBUG_KERNEL_HEADER + (uint64_t)dword(header) + dword(header + DEBUG_ELF) + dword(header + DEBUG_TABLE);
        if (all > memory->available - size)
            return 0;
        size += all;
    }
    return size;
}

static int is_kernel(const uint8_t *bytes, const struct kernel_code *code, struct kernel_name *name)
{
    uint32_t name_size = dword(bytes + KERNEL_NAME), size = dword(bytes + KERNEL_CODE);
    const uint8_t *text = bytes + KERNEL_HEADER;
    if (size == 0 || size > code->available || code->ip >= size || memcmp(text + name_size, code->bytes, size) != 0)
        return 0;
    snprintf(name->name, sizeof name->name, "%.*s", (int)(name_size < 127 ? name_size : 127), (const char *)text);
    return 1;
}

int kernel_name_in_patch_tokens(const uint8_t *bytes, size_t size, const struct kernel_code *code,
                                struct kernel_name *name)
{
    if (size < PROGRAM_HEADER || dword(bytes) != PROGRAM_MAGIC || dword(bytes + PROGRAM_KERNELS) > MOST_KERNELS)
        return 0;
    uint64_t at = PROGRAM_HEADER + (uint64_t)dword(bytes + PROGRAM_PATCHES);
    for (uint32_t left = dword(bytes + PROGRAM_KERNELS); left && at < size; left--) {
        uint64_t kernel = kernel_bytes(bytes + at, size - at);
        if (!kernel)
            return 0;
        if (is_kernel(bytes + at, code, name))
            return 1;
        at += kernel;
    }
    return 0;
}

int kernel_name_in_debug_data(const uint8_t *bytes, size_t size, const struct kernel_code *code,
                              struct kernel_name *name)
{
    if (size < DEBUG_HEADER || dword(bytes) != PROGRAM_MAGIC || dword(bytes + DEBUG_KERNELS) > MOST_KERNELS)
        return 0;
    uint64_t at = DEBUG_HEADER;
    for (uint32_t left = dword(bytes + DEBUG_KERNELS); left && size - at >= DEBUG_KERNEL_HEADER; left--) {
        const uint8_t *kernel = bytes + at;
        uint32_t name_size = dword(kernel), elf_size = dword(kernel + DEBUG_ELF);
        uint64_t all = DEBUG_KERNEL_HEADER + (uint64_t)name_size + elf_size + dword(kernel + DEBUG_TABLE);
        if (all > size - at)
            return 0;
        const uint8_t *text = kernel + DEBUG_KERNEL_HEADER;
        if (kernel_source_in_elf(text + name_size, elf_size, code, name)) {
            snprintf(name->name, sizeof name->name, "%.*s", (int)(name_size < 127 ? name_size : 127),
                     (const char *)text);
            return 1;
        }
        at += all;
    }
    return 0;
}
