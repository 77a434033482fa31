/* Reads hostile program binaries: a fault report may read any bytes in the process's memory. Each file, a zebin with
 * debug lines or ocloc's container of the older format, and debug data made from it, must give its first kernel's name.
 * With bytes changed or cut off it must give a name or none, and never a memory error (this program is built with
 * sanitizers). Usage: fuzz_names ROUNDS FILE... */
#include <elf.h>
#include <string.h>
#include "check.h"
#include "sim/names/names.h"
#include "test/unit/shard.h"

typedef uint64_t sizer(const struct binary_memory *memory);
typedef int reader(const uint8_t *bytes, size_t size, const struct kernel_code *code, struct kernel_name *name);

static uint64_t random_state;
static struct shard shard;

static uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

static uint8_t *read_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    CHECK(file && fseek(file, 0, SEEK_END) == 0);
    *size = (size_t)ftell(file);
    uint8_t *bytes = malloc(*size);
    fseek(file, 0, SEEK_SET);
    CHECK(bytes && fread(bytes, 1, *size, file) == *size);
    fclose(file);
    return bytes;
}

static uint32_t dword(const uint8_t *bytes)
{
    uint32_t value;
    memcpy(&value, bytes, sizeof value);
    return value;
}

/* The section of a zebin that holds a kernel, and its name's place. */
static Elf64_Shdr text_section(const uint8_t *bytes, size_t *name_at)
{
    Elf64_Ehdr header;
    Elf64_Shdr names, section = {0};
    memcpy(&header, bytes, sizeof header);
    memcpy(&names, bytes + header.e_shoff + header.e_shstrndx * sizeof names, sizeof names);
    for (unsigned i = 1; i < header.e_shnum; i++) {
        memcpy(&section, bytes + header.e_shoff + i * sizeof section, sizeof section);
        *name_at = names.sh_offset + section.sh_name;
        if (strncmp((const char *)bytes + *name_at, ".text.", 6) == 0)
            return section;
    }
    CHECK(0 && "no kernel");
    return section;
}

static struct kernel_code code_of_zebin(const uint8_t *bytes)
{
    size_t name_at;
    Elf64_Shdr text = text_section(bytes, &name_at);
    return (struct kernel_code){.bytes = bytes + text.sh_offset, .available = text.sh_size};
}

static struct kernel_code code_of_patch_tokens(const uint8_t *bytes)
{
    const uint8_t *kernel = bytes + 28 + dword(bytes + 24); /* after the program's header and patches */
    return (struct kernel_code){.bytes = kernel + 40 + dword(kernel + 12), .available = dword(kernel + 36)};
}

/* Debug data whose one ELF file is the zebin, with its kernel in a section called .text. */
static uint8_t *debug_data(const uint8_t *zebin, size_t size, size_t *all)
{
    const uint32_t head[] = {0x494e5443, 1081, 0, 15, 0, 8, 1, 8, (uint32_t)size, 0};
    size_t name_at;
    text_section(zebin, &name_at);
    *all = sizeof head + 8 + size;
    uint8_t *bytes = malloc(*all);
    CHECK(bytes);
    memcpy(bytes, head, sizeof head);
    memcpy(bytes + sizeof head, "kernel\0", 8);
    memcpy(bytes + sizeof head + 8, zebin, size);
    bytes[sizeof head + 8 + name_at + 5] = 0;
    return bytes;
}

static void spoil(uint8_t *bytes, size_t size)
{
    for (unsigned left = 1 + random_bits() % 8; left; left--) {
        /* half of them near the ends, where the formats' numbers are */
        size_t at = random_bits() % 2 ? random_bits() % size : size - 1 - random_bits() % (size < 2048 ? size : 2048);
        bytes[at] = random_bits() % 2 ? (uint8_t)random_bits() : bytes[at] ^ (uint8_t)(1 << random_bits() % 8);
    }
}

/* A binary's bytes as the memory that its size is read from. */
struct bytes_memory {
    struct binary_memory memory;
    const uint8_t *bytes;
};

static int read_bytes(const struct binary_memory *memory, uint64_t offset, void *to, size_t size)
{
    CHECK(offset <= memory->available && size <= memory->available - offset);
    memcpy(to, ((const struct bytes_memory *)memory)->bytes + offset, size);
    return 1;
}

static uint64_t size_of(sizer *sizes, const uint8_t *bytes, size_t available)
{
    const struct bytes_memory memory = {{read_bytes, available}, bytes};
    uint64_t size = sizes(&memory.memory);
    CHECK(size <= available);
    return size;
}

static void fuzz(const char *what, sizer *sizes, reader *read, const uint8_t *bytes, size_t available,
                 struct kernel_code code, unsigned long rounds)
{
    struct kernel_name name = {.name = ""};
    unsigned long found = 0, played = 0;
    size_t size = (size_t)size_of(sizes, bytes, available);
    CHECK(size && read(bytes, size, &code, &name) == 1 && name.name[0]);
    CHECK(size_of(sizes, bytes, size) == size && size_of(sizes, bytes, size - 1) == 0);
    for (unsigned long round = 0; round < rounds; round++) {
        if (!shard_plays(&shard, round, 1, &random_state))
            continue;
        played++;
        size_t left = random_bits() % 8 ? size : 1 + random_bits() % size;
        uint8_t *copy = malloc(left); /* of that size, so that a byte after it shows */
        CHECK(copy);
        memcpy(copy, bytes, left);
        spoil(copy, left);
        size_of(sizes, copy, left);
        code.ip = random_bits() % (uint32_t)code.available;
        name = (struct kernel_name){.name = ""};
        found += (unsigned long)read(copy, left, &code, &name);
        CHECK(memchr(name.name, 0, sizeof name.name) && memchr(name.source, 0, sizeof name.source) &&
              memchr(name.visa, 0, sizeof name.visa));
        free(copy);
    }
    printf("%s: found in %lu of %lu spoiled ones\n", what, found, played);
    CHECK(played < 100 || (found && found < played));
}

int main(int count, char **arguments)
{
    shard = shard_take(&count, arguments);
    CHECK(count >= 3);
    unsigned long rounds = strtoul(arguments[1], NULL, 10);
    for (int i = 2; i < count; i++) {
        size_t size, all;
        uint8_t *bytes = read_file(arguments[i], &size);
        Elf64_Ehdr header;
        memcpy(&header, bytes, sizeof header);
        if (header.e_machine == 0) { /* ocloc's container of the older format */
            const uint8_t *program = memmem(bytes, size, "CTNI", 4);
            CHECK(program);
            size_t left = size - (size_t)(program - bytes);
            fuzz(arguments[i], patch_tokens_size, kernel_name_in_patch_tokens, program, left,
                 code_of_patch_tokens(program), rounds);
        } else {
            uint8_t *data = debug_data(bytes, size, &all);
            fuzz(arguments[i], zebin_size, kernel_name_in_zebin, bytes, size, code_of_zebin(bytes), rounds);
            fuzz("debug data of that", debug_data_size, kernel_name_in_debug_data, data, all, code_of_zebin(bytes),
                 rounds);
            free(data);
        }
        free(bytes);
    }
    return 0;
}
