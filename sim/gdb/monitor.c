/* Executes the commands of gdb's `monitor`. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/gdb/session.h"
#include "sim/message/surface.h"

static const char help[] = "disassemble [ADDRESS [COUNT]]   Gen instructions, from the next one or from ADDRESS on\n"
                           "slm [OFFSET [BYTES]]            the group's shared local memory\n"
                           "surface INDEX [OFFSET [BYTES]]  the buffer that a binding table index names\n"
                           "launch                          the kernels that gdb knows, and the group at hand\n"
                           "stop-at-launch on|off           stop before the first instruction of each launch\n";

static void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void say(const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    gdb_console(text);
}

/* Reads up to `room` numbers; returns how many there are. */
static unsigned numbers(const char *text, uint64_t *values, unsigned room)
{
    unsigned count = 0;
    char *end;
    while (count < room) {
        uint64_t value = strtoull(text, &end, 0);
        if (end == text)
            break;
        values[count++] = value;
        text = end;
    }
    return count;
}

/* Prints memory as dwords, eight in a line, each line with its offset. */
static void dump(uint64_t address, uint64_t offset, uint64_t size)
{
    for (uint64_t end = offset + size; offset < end; offset += 32) {
        uint32_t dwords[8];
        char line[128];
        size_t got = gdb_memory_read(address + offset, dwords, end - offset < 32 ? end - offset : 32);
        int used = snprintf(line, sizeof line, "%6" PRIx64 ":", offset);
        for (size_t i = 0; i < got / 4; i++)
            used += snprintf(line + used, sizeof line - (size_t)used, " %08" PRIx32, dwords[i]);
        say("%s\n", got < 4 ? "  outside of memory" : line);
        if (got < 32)
            return;
    }
}

static void show_local(const char *arguments)
{
    uint64_t values[2] = {0, 256}, bytes = gdb.group.state->slm ? gdb.group.state->slm_bytes : 0;
    numbers(arguments, values, 2);
    if (values[0] >= bytes) {
        say("the group has %" PRIu64 " bytes of shared local memory\n", bytes);
        return;
    }
    say("shared local memory, %" PRIu64 " bytes, in gdb at 0x%" PRIx64 "\n", bytes, GDB_WINDOW_LOCAL);
    dump(GDB_WINDOW_LOCAL, values[0], values[1] < bytes - values[0] ? values[1] : bytes - values[0]);
}

static void show_surface(const char *arguments)
{
    static const struct message_kind kind = {.name = "surface"};
    uint64_t values[3] = {0, 0, 256};
    struct sim_fault fault = {0};
    struct message message = {.state = gdb.group.state};
    struct request request = {.message = &message, .fault = &fault, .kind = &kind};
    struct surface surface;
    if (numbers(arguments, values, 3) == 0 || values[0] > UINT8_MAX) {
        say("surface INDEX [OFFSET [BYTES]]\n");
        return;
    }
    if (!surface_open(&request, (unsigned)values[0], &surface)) {
        say("%s\n", fault.what);
        return;
    }
    if (surface.type != SURFACE_BUFFER && surface.type != SURFACE_STRUCTURED) {
        say("surface %" PRIu64 ": image of %ux%ux%u pixels, %u bytes a row, tiling %d, at 0x%" PRIx64 "\n", values[0],
            surface.width, surface.height, surface.depth, surface.pitch, (int)surface.tiling, surface.base);
        return;
    }
    say("surface %" PRIu64 ": buffer of %" PRIu64 " bytes at 0x%" PRIx64 "\n", values[0], surface.bytes, surface.base);
    if (values[1] < surface.bytes)
        dump(surface.base, values[1], values[2] < surface.bytes - values[1] ? values[2] : surface.bytes - values[1]);
}

static void disassemble(const char *arguments)
{
    uint64_t values[2] = {gdb_thread_registers(gdb.shown).pc, 8};
    numbers(arguments, values, 2);
    for (uint64_t i = 0; i < values[1] && i < 1000; i++) {
        uint8_t code[16];
        char text[256];
        size_t got = gdb_memory_read(values[0], code, sizeof code);
        unsigned size = eu_code_disassemble(gdb.platform, code, got, text, sizeof text);
        if (size == 0) {
            say("0x%" PRIx64 ": no code\n", values[0]);
            return;
        }
        say("0x%" PRIx64 ": %s\n", values[0], text);
        values[0] += size;
    }
}

static void show_launch(const char *arguments)
{
    (void)arguments;
    for (const struct gdb_symbols *s = gdb.symbols; s; s = s->next)
        say("kernel %s: %" PRIu64 " bytes of code at 0x%" PRIx64 "%s\n", s->kernel, s->size, s->address,
            s->has_debug ? "" : ", without debug information");
    say("group %u,%u,%u of %u threads\n", gdb.group.id[0], gdb.group.id[1], gdb.group.id[2], gdb.group.count);
}

static void set_launch_stop(const char *arguments)
{
    gdb.stops_at_launches = strcmp(arguments, "off") != 0;
    say("threads %s before the first instruction of each launch\n", gdb.stops_at_launches ? "stop" : "do not stop");
}

static void show_help(const char *arguments)
{
    (void)arguments;
    gdb_console(help);
}

bool gdb_monitor(const char *command)
{
    static const struct {
        const char *name;
        void (*run)(const char *arguments);
    } commands[] = {{"help", show_help},     {"disassemble", disassemble},
                    {"slm", show_local},     {"surface", show_surface},

                    {"launch", show_launch}, {"stop-at-launch", set_launch_stop}};
    size_t length = strcspn(command, " ");
    const char *arguments = command + length + strspn(command + length, " ");
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
        if (strlen(commands[i].name) == length && strncmp(command, commands[i].name, length) == 0) {
            commands[i].run(arguments);
            return true;
        }
    return false;
}
