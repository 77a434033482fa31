/* Executes DWARF line programs of versions 2 to 4, as Intel's compilers write them (DWARF 4, section 6.2). A line
 * program is the code of a small machine that makes rows of address, file and line. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>
#include "binaries/binaries.h"
#include "binaries/dwarf_reader.h"

enum {
    EXTENDED = 0,
    COPY = 1,
    ADVANCE_ADDRESS = 2,
    ADVANCE_LINE = 3,
    SET_FILE = 4,
    CONSTANT_ADVANCE = 8,
    FIXED_ADVANCE = 9
};
enum { EXTENDED_END = 1, EXTENDED_SET_ADDRESS = 2 };

/* The header of one line program. */
struct program {
    struct dwarf_reader directories, files, code;
    uint8_t shortest, line_range, opcode_base, lengths[256];
    int8_t line_base;
};

/* Reads the header at `unit` and moves `unit` past the whole program. 0: no more programs, or an unknown format. */
static int read_header(struct dwarf_reader *unit, struct program *p)
{
    uint64_t length = dwarf_take(unit, 4);
    if (unit->failed || length > (uint64_t)(unit->end - unit->at))
        return 0;
    struct dwarf_reader r = {unit->at, unit->at + length, 0};
    unit->at += length;
    uint64_t version = dwarf_take(&r, 2), header = dwarf_take(&r, 4);
    if (r.failed || version < 2 || version > 4 || header > (uint64_t)(r.end - r.at))
        return 0;
    p->code = (struct dwarf_reader){r.at + header, r.end, 0};
    r.end = r.at + header;
    p->shortest = (uint8_t)dwarf_take(&r, 1);
    if (version == 4)
        dwarf_take(&r, 1); /* operations per instruction */
    dwarf_take(&r, 1);     /* whether rows are statements at first */
    p->line_base = (int8_t)dwarf_take(&r, 1);
    p->line_range = (uint8_t)dwarf_take(&r, 1);
    p->opcode_base = (uint8_t)dwarf_take(&r, 1);
    memset(p->lengths, 0, sizeof p->lengths);
    for (unsigned i = 1; i < p->opcode_base; i++)
        p->lengths[i] = (uint8_t)dwarf_take(&r, 1);
    p->directories = r;
    for (const char *directory; (directory = dwarf_string(&r)) && *directory;)
        ;
    p->files = r;
    return !r.failed && p->line_range && p->opcode_base;
}

/* Directory 0 is that of the compilation: "". */
static const char *directory_name(const struct program *p, uint64_t number)
{
    struct dwarf_reader r = p->directories;
    for (const char *name; number > 0 && (name = dwarf_string(&r)) && *name; number--)
        if (number == 1)
            return name;
    return "";
}

static const char *file_name(const struct program *p, uint64_t number, const char **directory)
{
    struct dwarf_reader r = p->files;
    *directory = "";
    for (const char *name; (name = dwarf_string(&r)) && *name; number--) {
        uint64_t in = dwarf_unsigned(&r);
        if (number == 1) {
            *directory = directory_name(p, in);
            return name;
        }
        dwarf_unsigned(&r); /* time */
        dwarf_unsigned(&r); /* size */
    }
    return "";
}

/* The machine's registers and the searched address. */
struct machine {
    uint64_t address, file, line;
    uint32_t section;
    /* The last row at or before the address sought, in its section. */
    uint64_t row_address, row_file, row_line;
    int has_row, found;
};

static void emit_row(struct machine *m, uint32_t section, uint64_t sought)
{
    if (m->section != section)
        return;
    if (m->has_row && m->row_address <= sought && sought < m->address)
        m->found = 1;
    if (m->found)
        return;
    m->has_row = 1;
    m->row_address = m->address;
    m->row_file = m->file;
    m->row_line = m->line;
}

static void start_sequence(struct machine *m)
{
    *m = (struct machine){.file = 1, .line = 1};
}

static void run_extended(const struct debug_lines *lines, struct program *p, struct machine *m, uint32_t section,
                         uint64_t sought)
{
    uint64_t length = dwarf_unsigned(&p->code);
    if (length == 0 || length > (uint64_t)(p->code.end - p->code.at)) {
        p->code.failed = 1;
        return;
    }
    struct dwarf_reader r = {p->code.at, p->code.at + length, 0};
    p->code.at += length;
    uint64_t opcode = dwarf_take(&r, 1);
    if (opcode == EXTENDED_SET_ADDRESS && length == 9) {
        m->section = lines->section_of(lines->context, (uint64_t)(r.at - lines->bytes));
        m->address = dwarf_take(&r, 8);
    } else if (opcode == EXTENDED_END) {
        emit_row(m, section, sought);
        if (!m->found)
            start_sequence(m);
    }
}

static void run_standard(struct program *p, struct machine *m, unsigned opcode, uint32_t section, uint64_t sought)
{
    switch (opcode) {
    case COPY: emit_row(m, section, sought); break;
    case ADVANCE_ADDRESS: m->address += dwarf_unsigned(&p->code) * p->shortest; break;
    case ADVANCE_LINE: m->line += (uint64_t)dwarf_signed(&p->code); break;
    case SET_FILE: m->file = dwarf_unsigned(&p->code); break;
    case CONSTANT_ADVANCE: m->address += (255u - p->opcode_base) / p->line_range * p->shortest; break;
    case FIXED_ADVANCE: m->address += dwarf_take(&p->code, 2); break;
    default: /* columns, blocks, and opcodes of later versions */
        for (unsigned i = 0; i < p->lengths[opcode]; i++)
            dwarf_unsigned(&p->code);
    }
}

static void run_program(const struct debug_lines *lines, struct program *p, struct machine *m, uint32_t section,
                        uint64_t sought)
{
    start_sequence(m);
    while (p->code.at < p->code.end && !p->code.failed && !m->found) {
        unsigned opcode = (unsigned)dwarf_take(&p->code, 1);
        if (opcode >= p->opcode_base) {
            unsigned special = opcode - p->opcode_base;
            m->address += special / p->line_range * p->shortest;
            m->line += (uint64_t)(int64_t)(p->line_base + (int)(special % p->line_range));
            emit_row(m, section, sought);
        } else if (opcode == EXTENDED) {
            run_extended(lines, p, m, section, sought);
        } else {
            run_standard(p, m, opcode, section, sought);
        }
    }
}

enum { SHOWN = 170 }; /* bytes of a path: what reports have room for */

/* Compilers make names relative to a directory, such as that of the compilation. If there is no such file here, but
 * there is one in that directory, it is that one. */
static const char *full_name(char path[SHOWN], const char *name, const char *directory)
{
    if (name[0] == '/' || directory[0] != '/' || access(name, R_OK) == 0)
        return name;
    int length = snprintf(path, SHOWN, "%s/%s", directory, name);
    return length > 0 && length < SHOWN && access(path, R_OK) == 0 ? path : name;
}

void kernel_source_line(const struct debug_lines *lines, uint32_t section, uint64_t address, char *text, size_t size)
{
    struct dwarf_reader unit = {lines->bytes, lines->bytes + lines->size, 0};
    struct program program;
    text[0] = 0;
    while (read_header(&unit, &program)) {
        struct machine machine;
        run_program(lines, &program, &machine, section, address);
        if (!machine.found || machine.row_line == 0)
            continue;
        const char *directory, *name = file_name(&program, machine.row_file, &directory);
        char path[SHOWN];
        snprintf(text, size, "%.*s:%llu", SHOWN - 1, *name ? full_name(path, name, directory) : "line",
                 (unsigned long long)machine.row_line);
        return;
    }
}
