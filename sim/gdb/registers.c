#include "sim/gdb/registers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum kind {
    ABSENT,
    PC,
    CALLS,
    WINDOW,
    LANE,
    GENERAL,
    ADDRESS,
    FLAG,
    ACCUMULATOR,
    STATE,
    CONTROL,
    CHANNELS,
    DISPATCHED,
    IP
};

/* A register in gdb's order. */
struct row {
    char name[12];
    const char *type;
    uint8_t kind;
    uint8_t index;
    uint16_t bytes;
};

enum { MOST_ROWS = 384, ACCUMULATORS = 2, CORE = 40 };

static struct row rows[MOST_ROWS];
static unsigned row_count;
static const struct platform *described;

static void add(const char *name, const char *type, enum kind kind, unsigned index, size_t bytes)
{
    struct row *row = &rows[row_count++];
    snprintf(row->name, sizeof row->name, "%s", name);
    row->type = type;
    row->kind = (uint8_t)kind;
    row->index = (uint8_t)index;
    row->bytes = (uint16_t)bytes;
}

static void add_general(const struct platform *platform, unsigned first, unsigned end)
{
    char name[12];
    for (unsigned i = first; i < end; i++) {
        snprintf(name, sizeof name, "r%u", i);
        add(name, "grf", GENERAL, i, platform->grf_bytes);
    }
}

/* The registers that gdb demands of x86-64, in its order. */
static void add_core(const struct platform *platform)
{
    static const char *const first[] = {"rax", "rbx", "rcx", "rdx", "rsi", "rdi", "rbp", "rsp"};
    static const char *const segments[] = {"cs", "ss", "ds", "es", "fs", "gs"};
    static const char *const control[] = {"fctrl", "fstat", "ftag", "fiseg", "fioff", "foseg", "fooff", "fop"};
    static const enum kind kinds[] = {ABSENT, WINDOW, LANE, ABSENT, ABSENT, ABSENT, ABSENT, CALLS};
    for (unsigned i = 0; i < 8; i++)
        add(first[i], i == 7 ? "data_ptr" : "int64", kinds[i], 0, 8);
    add_general(platform, 8, 16);
    add("rip", "code_ptr", PC, 0, 8);
    add("eflags", "int32", ABSENT, 0, 4);
    for (unsigned i = 0; i < 6; i++)
        add(segments[i], "int32", ABSENT, 0, 4);
    for (unsigned i = 0; i < 8; i++) {
        char name[12];
        snprintf(name, sizeof name, "st%u", i);
        add(name, "i387_ext", ABSENT, 0, 10);
    }
    for (unsigned i = 0; i < 8; i++)
        add(control[i], "int32", ABSENT, 0, 4);
}

static void add_numbered(const char *letters, const char *type, enum kind kind, unsigned count, size_t bytes)
{
    for (unsigned i = 0; i < count; i++) {
        char name[12];
        snprintf(name, sizeof name, "%s%u", letters, i);
        add(name, type, kind, i, bytes);
    }
}

static void make_rows(const struct platform *platform)
{
    if (described == platform)
        return;
    described = platform;
    row_count = 0;
    add_core(platform);
    add_general(platform, 0, 8);
    add_general(platform, 16, platform->grf_count);
    add("a0", "a0_words", ADDRESS, 0, 32);
    add_numbered("f", "uint32", FLAG, platform_has(platform, FEATURE_FOUR_FLAGS) ? 4 : 2, 4);
    add_numbered("acc", "grf", ACCUMULATOR, ACCUMULATORS, platform->grf_bytes);
    add("sr0", "four_dwords", STATE, 0, 16);
    add("cr0", "four_dwords", CONTROL, 0, 16);
    add("ce", "uint32", CHANNELS, 0, 4);
    add("dmask", "uint32", DISPATCHED, 0, 4);
    add("ip", "uint32", IP, 0, 4);
}

static void print_vector(FILE *out, const char *id, const char *type, size_t count)
{
    fprintf(out, "<vector id=\"%s\" type=\"%s\" count=\"%zu\"/>\n", id, type, count);
}

/* The types of general registers and of the others. */
static void print_types(FILE *out, const struct platform *platform)
{
    static const struct {
        const char *name, *type;
        unsigned bytes;
    } fields[] = {{"ub", "uint8", 1},     {"b", "int8", 1},        {"uw", "uint16", 2},     {"w", "int16", 2},
                  {"ud", "uint32", 4},    {"d", "int32", 4},       {"uq", "uint64", 8},     {"q", "int64", 8},
                  {"hf", "ieee_half", 2}, {"f", "ieee_single", 4}, {"df", "ieee_double", 8}};
    enum { FIELDS = sizeof fields / sizeof fields[0] };
    for (unsigned i = 0; i < FIELDS; i++) {
        char id[16];
        snprintf(id, sizeof id, "grf_%s", fields[i].name);
        print_vector(out, id, fields[i].type, platform->grf_bytes / fields[i].bytes);
    }
    fputs("<union id=\"grf\">\n", out);
    for (unsigned i = 0; i < FIELDS; i++)
        fprintf(out, "<field name=\"%s\" type=\"grf_%s\"/>\n", fields[i].name, fields[i].name);
    fputs("</union>\n", out);
    print_vector(out, "a0_words", "uint16", 16);
    print_vector(out, "four_dwords", "uint32", 4);
}

static void print_rows(FILE *out, unsigned first, unsigned end)
{
    for (unsigned i = first; i < end; i++)
        fprintf(out, "<reg name=\"%s\" bitsize=\"%u\" type=\"%s\" regnum=\"%u\"/>\n", rows[i].name, 8u * rows[i].bytes,
                rows[i].type, i);
}

const char *gdb_registers_description(const struct platform *platform)
{
    static char *text;
    size_t size;
    make_rows(platform);
    if (text)
        return text;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        return NULL;
    fputs("<?xml version=\"1.0\"?>\n<!DOCTYPE target SYSTEM \"gdb-target.dtd\">\n<target version=\"1.0\">\n"
          "<architecture>i386:x86-64</architecture>\n<osabi>none</osabi>\n"
          "<feature name=\"org.gnu.gdb.i386.core\">\n",
          out);
    print_types(out, platform);
    print_rows(out, 0, CORE);
    fputs("</feature>\n<feature name=\"cmkit.gen\">\n", out);
    print_types(out, platform);
    print_rows(out, CORE, row_count);
    fputs("</feature>\n</target>\n", out);
    if (fclose(out) != 0) {
        free(text);
        text = NULL;
    }
    return text;
}

unsigned gdb_registers_count(const struct platform *platform)
{
    make_rows(platform);
    return row_count;
}

size_t gdb_register_bytes(const struct platform *platform, unsigned number)
{
    make_rows(platform);
    return rows[number].bytes;
}

/* The bytes of a register that is stored as such, NULL for others. */
static uint8_t *stored(const struct gdb_registers *r, const struct row *row)
{
    switch (row->kind) {
    case GENERAL: return eu_thread_grf(r->thread, row->index);
    case ADDRESS: return eu_thread_bank(r->thread, EU_BANK_ADDRESS);
    case FLAG: return eu_thread_bank(r->thread, EU_BANK_FLAG) + 4 * row->index;
    case ACCUMULATOR: return eu_thread_bank(r->thread, EU_BANK_ACCUMULATOR) + row->index * row->bytes;
    case STATE: return eu_thread_bank(r->thread, EU_BANK_STATE);
    case CONTROL: return eu_thread_bank(r->thread, EU_BANK_CONTROL);
    default: return NULL;
    }
}

bool gdb_register_read(const struct gdb_registers *from, unsigned number, uint8_t *value)
{
    const struct row *row = &rows[number];
    const uint8_t *bytes = stored(from, row);
    uint64_t whole;
    switch (row->kind) {
    case PC: whole = from->pc; break;
    case CALLS: whole = from->window + GDB_WINDOW_CALLS - 8 * from->depth; break;
    case WINDOW: whole = from->window; break;
    case LANE: whole = *from->lane; break;
    case CHANNELS: whole = eu_thread_channels(from->thread); break;
    case DISPATCHED: whole = eu_thread_dispatched(from->thread); break;
    case IP: whole = from->ip; break;
    default: whole = 0;
    }
    if (!bytes && row->kind == ABSENT)
        return false;
    memcpy(value, bytes ? bytes : (const uint8_t *)&whole, row->bytes);
    return true;
}

bool gdb_register_write(const struct gdb_registers *to, unsigned number, const uint8_t *value)
{
    const struct row *row = &rows[number];
    uint8_t *bytes = stored(to, row);
    if (row->kind == PC) {
        uint64_t pc;
        memcpy(&pc, value, sizeof pc);
        return eu_thread_jump(to->thread, to->ip + (uint32_t)(pc - to->pc));
    }
    if (row->kind == LANE && value[0] < 32) {
        *to->lane = value[0];
        return true;
    }
    if (!bytes || row->kind == STATE)
        return false;
    memcpy(bytes, value, row->bytes);
    return true;
}
