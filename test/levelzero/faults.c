/* Makes one mistake, named on the command line, that the simulated GPU must report. It stops the program with status
 * 126 unless it was told to go on; "read-half" is right only when it goes on. */
#include "level_zero.h"

#include <elf.h>
#include <string.h>

static const uint64_t NOWHERE = 0x123456789000;

struct test {
    struct level_zero z;
    ze_module_handle_t module;
    uint32_t *memory;
};

enum { WORDS = 1024 };

static void wild_read(const struct test *t)
{
    ze_kernel_handle_t kernel = level_zero_kernel(t->module, "read_anywhere");
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof NOWHERE, &NOWHERE));
    ZE(zeKernelSetArgumentValue(kernel, 1, sizeof t->memory, &t->memory));
    level_zero_launch(&t->z, kernel, 1, 1);
}

static void endless(const struct test *t)
{
    ze_kernel_handle_t kernel = level_zero_kernel(t->module, "spin");
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof t->memory, &t->memory));
    level_zero_launch(&t->z, kernel, 1, 1);
}

static void half_barrier(const struct test *t)
{
    ze_kernel_handle_t kernel = level_zero_kernel(t->module, "half_a_barrier");
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof t->memory, &t->memory));
    level_zero_launch(&t->z, kernel, 128, 1);
}

static void misaligned(const struct test *t)
{
    const uint32_t offset = 2;
    ze_kernel_handle_t kernel = level_zero_kernel(t->module, "read_block");
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof t->memory, &t->memory));
    ZE(zeKernelSetArgumentValue(kernel, 1, sizeof offset, &offset));
    level_zero_launch(&t->z, kernel, 8, 1);
}

/* What was left out reads as zero and nothing else changes. */
static void read_half(const struct test *t)
{
    enum { ITEMS = 256 };
    uint32_t *in = level_zero_shared(&t->z, ITEMS * sizeof *in);
    ze_kernel_handle_t kernel = level_zero_kernel(t->module, "read_half");
    for (uint32_t i = 0; i < ITEMS; i++)
        in[i] = 10 * i;
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof in, &in));
    ZE(zeKernelSetArgumentValue(kernel, 1, sizeof NOWHERE, &NOWHERE));
    ZE(zeKernelSetArgumentValue(kernel, 2, sizeof t->memory, &t->memory));
    level_zero_launch(&t->z, kernel, 32, ITEMS / 32);
    for (uint32_t i = 0; i < ITEMS; i++)
        REQUIRE(t->memory[i] == (i % 2 ? 1 : 10 * i + 1), "element %u is %u", i, t->memory[i]);
}

/* Overwrites the second instruction of `kernel` in a zebin with one that no part has. */
static void spoil(uint8_t *zebin, const char *kernel)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)zebin;
    Elf64_Shdr sections[64], names;
    char name[64];
    REQUIRE(header->e_shnum <= 64, "%u sections", header->e_shnum);
    memcpy(sections, zebin + header->e_shoff, header->e_shnum * sizeof *sections);
    names = sections[header->e_shstrndx];
    snprintf(name, sizeof name, ".text.%s", kernel);
    for (unsigned i = 0; i < header->e_shnum; i++)
        if (strcmp((char *)zebin + names.sh_offset + sections[i].sh_name, name) == 0)
            memset(zebin + sections[i].sh_offset + 16, 0x5f, 16);
}

static void bad_opcode(const struct test *t)
{
    ze_kernel_handle_t kernel = level_zero_kernel(t->module, "add_one");
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof t->memory, &t->memory));
    level_zero_launch(&t->z, kernel, 8, 1);
}

static const struct {
    const char *name;
    void (*run)(const struct test *t);
} mistakes[] = {{"wild-read", wild_read},   {"endless", endless},       {"half-barrier", half_barrier},
                {"misaligned", misaligned}, {"bad-opcode", bad_opcode}, {"read-half", read_half}};

int main(int count, char **arguments)
{
    REQUIRE(count == 3, "usage: faults MODULE MISTAKE");
    struct test t = {.z = level_zero_open()};
    size_t size;
    uint8_t *zebin = level_zero_file(arguments[1], &size);
    if (strcmp(arguments[2], "bad-opcode") == 0)
        spoil(zebin, "add_one");
    t.module = level_zero_module(&t.z, zebin, size);
    t.memory = level_zero_shared(&t.z, WORDS * sizeof *t.memory);
    memset(t.memory, 0, WORDS * sizeof *t.memory);
    for (size_t i = 0; i < sizeof mistakes / sizeof mistakes[0]; i++)
        if (strcmp(arguments[2], mistakes[i].name) == 0) {
            mistakes[i].run(&t);
            return 0;
        }
    REQUIRE(0, "no mistake is called %s", arguments[2]);
}
