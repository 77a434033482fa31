/* Searches the process's own memory for program binaries. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include "sim/names/names.h"

/* Binaries are aligned like allocations. Mappings above a size limit are skipped: they are address space that a driver
 * only reserves, and a search would take too long. */
enum { ALIGNMENT = 16, CHUNK = 1 << 20 };
static const uint64_t LARGEST_MAPPING = UINT64_C(1) << 29;
static const uint64_t LARGEST_BINARY = UINT64_C(1) << 26;

/* The range of a mapping in which a binary may be. */
struct own_memory {
    struct binary_memory memory;
    uint64_t at;
};

/* Copies the readable bytes of [from, from + size). It does not crash if another thread unmaps the memory. */
static size_t read_own(uint64_t from, uint8_t *to, size_t size)
{
    struct iovec local = {to, size}, remote = {(void *)(uintptr_t)from, size};
    ssize_t got = process_vm_readv(getpid(), &local, 1, &remote, 1, 0);
    return got < 0 ? 0 : (size_t)got;
}

static int read_part(const struct binary_memory *memory, uint64_t offset, void *to, size_t size)
{
    uint64_t at = ((const struct own_memory *)memory)->at;
    return read_own(at + offset, to, size) == size;
}

/* Returns the size of the binary at `at` according to its headers; 0: no binary. Most places with a magic number hold
 * other data or a truncated copy, so only headers are read until they are consistent. */
static uint64_t binary_size(uint64_t at, uint64_t end, const uint8_t *magic)
{
    static const uint8_t elf[] = {0x7f, 'E', 'L', 'F', 2, 1}, patch_tokens[] = {'C', 'T', 'N', 'I'};
    uint64_t most = end - at < LARGEST_BINARY ? end - at : LARGEST_BINARY;
    const struct own_memory own = {{read_part, most}, at};
    if (memcmp(magic, elf, sizeof elf) == 0)
        return zebin_size(&own.memory);
    if (memcmp(magic, patch_tokens, sizeof patch_tokens) != 0)
        return 0;
    uint64_t program = patch_tokens_size(&own.memory), debug = debug_data_size(&own.memory);
    return program > debug ? program : debug;
}

/* What is searched for, and what was found. */
struct search {
    const struct kernel_code *code;
    struct kernel_name *name;
    struct kernel_source_list *sources;                              /* NULL: one line is enough */
    void (*found)(void *context, const uint8_t *bytes, size_t size); /* called for each; NULL: one is enough */
    void *context;
};

/* The ELF file in a copy, which is freed, as one of its own. */
static uint8_t *keep_elf(const struct kernel_name *name)
{
    uint8_t *kept = name->elf ? malloc(name->elf_bytes) : NULL;
    return kept ? memcpy(kept, name->elf, name->elf_bytes) : NULL;
}

/* True for a name that a kernel can have. A copy that was freed may have its headers and code still, and something else
 * where its names were. */
static int is_name(const char *name)
{
    enum { FIRST_VISIBLE = 0x21, DELETE = 0x7f, FIRST_NOT_UTF8 = 0xf8 };
    for (; *name; name++) {
        unsigned byte = (unsigned char)*name;
        if (byte < FIRST_VISIBLE || byte == DELETE || byte >= FIRST_NOT_UTF8)
            return 0;
    }
    return 1;
}

static int read_binary(const uint8_t *bytes, size_t size, const struct kernel_code *code, struct kernel_name *name)
{
    *name = (struct kernel_name){.name = ""};
    return (kernel_name_in_zebin(bytes, size, code, name) || kernel_name_in_debug_data(bytes, size, code, name) ||
            kernel_name_in_patch_tokens(bytes, size, code, name)) &&
           is_name(name->name);
}

static void read_sources(const uint8_t *bytes, size_t size, const struct search *search)
{
    struct kernel_code code = *search->code;
    struct kernel_name name;
    for (size_t i = 0; i < search->sources->count; i++) {
        code.ip = search->sources->ips[i];
        read_binary(bytes, size, &code, &name);
        memcpy(search->sources->source[i], name.source, sizeof name.source);
        memcpy(search->sources->visa[i], name.visa, sizeof name.visa);
    }
}

/* 1: nothing is left to search for. */
static int try_binary(uint64_t at, uint64_t size, const struct search *search)
{
    const struct kernel_code *code = search->code;
    uint8_t *copy = malloc(size);
    size_t got = copy ? read_own(at, copy, size) : 0;
    struct kernel_name here = {.name = ""};
    int found = got && read_binary(copy, got, code, &here);
    if (found && here.source[0] && search->sources)
        read_sources(copy, got, search);
    if (found && search->found)
        search->found(search->context, copy, got);
    struct kernel_name *name = search->name;
    int is_better = found && (!name->name[0] || here.source[0] || (code->wants_elf && here.elf && !name->elf));
    int is_last = code->wants_elf ? here.elf != NULL : here.source[0] || !code->wants_line;
    if (is_better) {
        free((void *)name->elf);
        here.elf = code->wants_elf ? keep_elf(&here) : NULL;
        *name = here;
    }
    free(copy);
    return found && is_last && !search->found;
}

static int search_mapping(uint64_t start, uint64_t end, uint8_t *chunk, const struct search *search)
{
    for (uint64_t at = start; at < end; at += CHUNK) {
        size_t size = end - at < CHUNK ? end - at : CHUNK;
        size_t got = read_own(at, chunk, size);
        for (size_t i = 0; i + ALIGNMENT <= got; i += ALIGNMENT) {
            uint64_t bytes = binary_size(at + i, end, chunk + i);
            if (bytes && try_binary(at + i, bytes, search))
                return 1;
        }
        if (got < size)
            break;
    }
    return 0;
}

static int search_all(const struct search *search)
{
    char line[4352];
    *search->name = (struct kernel_name){.name = ""};
    FILE *maps = fopen("/proc/self/maps", "re");
    uint8_t *chunk = malloc(CHUNK);
    int found = 0;
    while (maps && chunk && !found && fgets(line, sizeof line, maps)) {
        char *at, modes[5], inode[2];
        unsigned long start = strtoul(line, &at, 16), end = *at == '-' ? strtoul(at + 1, &at, 16) : start;
        /* Memory of no file that can be written: where copies of binaries live. */
        if (sscanf(at, "%4s %*s %*s %1s", modes, inode) == 2 && inode[0] == '0' && modes[0] == 'r' && modes[1] == 'w' &&
            end - start <= LARGEST_MAPPING)
            found = search_mapping(start, end, chunk, search);
    }
    free(chunk);
    if (maps)
        fclose(maps);
    return search->name->name[0] != 0;
}

int kernel_name_find(const struct kernel_code *code, struct kernel_name *name)
{
    return search_all(&(struct search){.code = code, .name = name});
}

int kernel_source_find_all(const struct kernel_code *code, struct kernel_source_list *sources)
{
    struct kernel_name name;
    return search_all(&(struct search){.code = code, .name = &name, .sources = sources}) && name.source[0];
}

int kernel_binary_each(const struct kernel_code *code, void (*found)(void *context, const uint8_t *bytes, size_t size),
                       void *context)
{
    struct kernel_name name;
    return search_all(&(struct search){.code = code, .name = &name, .found = found, .context = context});
}

int kernel_binary_find(const struct kernel_code *code, struct kernel_binary *binary)
{
    struct kernel_code wanted = *code;
    struct kernel_name name;
    wanted.wants_elf = wanted.wants_line = 1;
    int found = kernel_name_find(&wanted, &name);
    *binary = (struct kernel_binary){.elf = (uint8_t *)name.elf, .bytes = name.elf_bytes, .section = name.section};
    memcpy(binary->name, name.name, sizeof binary->name);
    return found;
}
