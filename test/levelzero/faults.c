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

/* Waits for an event that is never signalled. */
static void endless_wait(const struct test *t)
{
    ze_event_pool_desc_t pool_description = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE, .count = 1};
    ze_event_desc_t description = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC};
    ze_event_pool_handle_t pool;
    ze_event_handle_t event;
    ze_command_queue_handle_t queue = level_zero_queue(&t->z);
    ze_command_list_handle_t list = level_zero_list(&t->z);
    ZE(zeEventPoolCreate(t->z.context, &pool_description, 0, NULL, &pool));
    ZE(zeEventCreate(pool, &description, &event));
    ZE(zeCommandListAppendWaitOnEvents(list, 1, &event));
    level_zero_run(queue, list);
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

/* Odd elements are read at an invalid address: such reads are zero, and the launch goes on. */
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

/* The code of `kernel` in a zebin. */
static uint8_t *find_code(uint8_t *zebin, const char *kernel, size_t *size)
{
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)(const void *)zebin;
    Elf64_Shdr sections[64], names;
    char name[64];
    REQUIRE(header->e_shnum <= 64, "%u sections", header->e_shnum);
    memcpy(sections, zebin + header->e_shoff, header->e_shnum * sizeof *sections);
    names = sections[header->e_shstrndx];
    snprintf(name, sizeof name, ".text.%s", kernel);
    for (unsigned i = 0; i < header->e_shnum; i++)
        if (strcmp((char *)zebin + names.sh_offset + sections[i].sh_name, name) == 0) {
            *size = sections[i].sh_size;
            return zebin + sections[i].sh_offset;
        }
    REQUIRE(0, "no section %s", name);
}

/* Overwrites the second instruction with one that no platform has. */
static void spoil_instruction(uint8_t *zebin, const struct test *t)
{
    size_t size;
    (void)t;
    memset(find_code(zebin, "add_one", &size) + 16, 0x5f, 16);
}

/* Gives the first message a type that its shared function does not have: bits 18:14 of the descriptor, which are bits
 * 24:20 of the instruction's last dword on Gen12LP and bits 18:14 of it before. */
static void spoil_message(uint8_t *zebin, const struct test *t)
{
    enum { SEND = 0x31, SENDS = 0x33, COMPACTED = 0x20, TIGER_LAKE = 0x9a49 };
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
    size_t size, at = 0;
    uint8_t *code = find_code(zebin, "add_one", &size);
    ZE(zeDeviceGetProperties(t->z.device, &properties));
    while (at + 16 <= size && (code[at] & 0x7f) != SEND && (code[at] & 0x7f) != SENDS)
        at += code[at + 3] & COMPACTED ? 8 : 16;
    REQUIRE(at + 16 <= size, "no message in the kernel");
    uint32_t last;
    memcpy(&last, code + at + 12, sizeof last);
    last |= 0x1fu << (properties.deviceId == TIGER_LAKE ? 20 : 14);
    memcpy(code + at + 12, &last, sizeof last);
}

static void run_spoiled(const struct test *t)
{
    ze_kernel_handle_t kernel = level_zero_kernel(t->module, "add_one");
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof t->memory, &t->memory));
    level_zero_launch(&t->z, kernel, 8, 1);
}

static const struct {
    const char *name;
    void (*run)(const struct test *t);
    void (*spoil)(uint8_t *zebin, const struct test *t); /* before the module is loaded; or NULL */
} mistakes[] = {{"wild-read", wild_read, NULL},
                {"endless", endless, NULL},
                {"endless-wait", endless_wait, NULL},
                {"half-barrier", half_barrier, NULL},
                {"misaligned", misaligned, NULL},
                {"bad-opcode", run_spoiled, spoil_instruction},
                {"bad-message", run_spoiled, spoil_message},
                {"read-half", read_half, NULL}};

int main(int count, char **arguments)
{
    REQUIRE(count == 3, "usage: faults MODULE MISTAKE");
    struct test t = {.z = level_zero_open()};
    size_t size, mistake = 0;
    uint8_t *zebin = level_zero_file(arguments[1], &size);
    while (mistake < sizeof mistakes / sizeof mistakes[0] && strcmp(arguments[2], mistakes[mistake].name) != 0)
        mistake++;
    REQUIRE(mistake < sizeof mistakes / sizeof mistakes[0], "no mistake is called %s", arguments[2]);
    if (mistakes[mistake].spoil)
        mistakes[mistake].spoil(zebin, &t);
    t.module = level_zero_module(&t.z, zebin, size);
    t.memory = level_zero_shared(&t.z, WORDS * sizeof *t.memory);
    memset(t.memory, 0, WORDS * sizeof *t.memory);
    mistakes[mistake].run(&t);
    return 0;
}
