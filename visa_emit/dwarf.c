/* Writes debug information in DWARF 4: one unit and one line program for each kernel. */
#include <stdlib.h>
#include <string.h>
#include "visa_emit/code_functions.h"
#include "visa_emit/dwarf_abbreviations.h"
#include "visa_emit/dwarf_variables.h"
#include "visa_emit/source_lines.h"

enum { VERSION = 4, ADDRESS_BYTES = 8, LENGTH_BYTES = 4 };

/* Opcodes of line programs (section 6.2). The header has the usual parameters of special opcodes; no special opcode is
 * used. */
enum { COPY = 1, ADVANCE_ADDRESS = 2, ADVANCE_LINE = 3, SET_FILE = 4, FIRST_SPECIAL = 13 };
enum { EXTENDED = 0, EXTENDED_END = 1, EXTENDED_SET_ADDRESS = 2 };
enum { LINE_BASE = -5, LINE_RANGE = 14 };

enum { LANGUAGE_CXX_14 = 0x21 };

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Appends the tables of folders and files. A folder and its file have the same number. */
static void put_files(struct dwarf_writer *w, const struct visa_program *program)
{
    for (size_t i = 0; program->debug_info && i < program->file_count; i++)
        dwarf_put_string(w, *program->files[i].folder ? program->files[i].folder : ".");
    dwarf_put(w, 0, 1);
    for (size_t i = 0; i < program->file_count; i++) {
        const char *name = program->files[i].name;
        dwarf_put_string(w, program->debug_info ? name : last_name(name));
        dwarf_put_unsigned(w, program->debug_info ? i + 1 : 0);
        dwarf_put_unsigned(w, 0); /* time */
        dwarf_put_unsigned(w, 0); /* size */
    }
    dwarf_put(w, 0, 1);
}

static void put_line_header(struct dwarf_writer *w, const struct visa_program *program)
{
    static const char operands[FIRST_SPECIAL - 1] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    dwarf_put(w, VERSION, 2);
    size_t length = dwarf_begin_length(w);
    dwarf_put(w, 1, 1); /* bytes of the shortest instruction */
    dwarf_put(w, 1, 1); /* operations an instruction */
    dwarf_put(w, 1, 1); /* rows begin statements */
    dwarf_put(w, (uint8_t)LINE_BASE, 1);
    dwarf_put(w, LINE_RANGE, 1);
    dwarf_put(w, FIRST_SPECIAL, 1);
    fwrite(operands, 1, sizeof operands, w->out);
    put_files(w, program);
    dwarf_end_length(w, length);
}

static void put_extended(struct dwarf_writer *w, unsigned operation, unsigned operand_bytes)
{
    dwarf_put(w, EXTENDED, 1);
    dwarf_put_unsigned(w, 1 + operand_bytes);
    dwarf_put(w, operation, 1);
}

/* Appends one row for each source line, from the kernel's start to its end. */
static void put_rows(struct dwarf_writer *w, size_t kernel, const struct source_line *lines, size_t count,
                     size_t code_size)
{
    struct source_line row = {0, 1, 1}; /* the registers as a sequence starts */
    put_extended(w, EXTENDED_SET_ADDRESS, ADDRESS_BYTES);
    dwarf_put_address(w, kernel, 0);
    for (size_t i = 0; i < count; i++) {
        if (lines[i].file && lines[i].file != row.file) {
            dwarf_put(w, SET_FILE, 1);
            dwarf_put_unsigned(w, row.file = lines[i].file);
        }
        dwarf_put(w, ADVANCE_ADDRESS, 1);
        dwarf_put_unsigned(w, lines[i].offset - row.offset);
        dwarf_put(w, ADVANCE_LINE, 1);
        dwarf_put_signed(w, (int64_t)lines[i].line - row.line);
        dwarf_put(w, COPY, 1);
        row.offset = lines[i].offset;
        row.line = lines[i].line;
    }
    dwarf_put(w, ADVANCE_ADDRESS, 1);
    dwarf_put_unsigned(w, code_size - row.offset);
    put_extended(w, EXTENDED_END, 0);
}

/* Appends a kernel's line program. False, and nothing is written: no line of the kernel is known. */
static bool put_lines(struct dwarf_writer *w, const struct visa_program *program, const struct gen_code *codes,
                      size_t kernel)
{
    struct source_line *lines;
    size_t count = source_lines_find(program, &program->kernels[kernel], &codes[kernel], &lines);
    if (count) {
        size_t length = dwarf_begin_length(w);
        put_line_header(w, program);
        put_rows(w, kernel, lines, count, codes[kernel].size);
        dwarf_end_length(w, length);
    }
    free(lines);
    return count != 0;
}

/* Appends the kernel and its functions. The kernel's name is that by which programs find it. */
static void put_functions(struct dwarf_variables *variables, const struct visa_program *program,
                          const struct gen_code *codes, size_t index, size_t unit_start)
{
    struct dwarf_writer *w = variables->info;
    const struct visa_kernel *kernel = &program->kernels[index];
    struct code_function *functions;
    size_t count = code_functions_find(program, kernel, &codes[index], &functions);
    bool described = dwarf_variables_begin(variables, program, kernel, &codes[index], unit_start);
    for (size_t i = 0; i < count; i++) {
        const struct code_function *f = &functions[i];
        bool is_kernel = i == 0;
        if (!is_kernel && (!*f->name || !f->file))
            continue;
        dwarf_put_unsigned(w, is_kernel ? DWARF_KERNEL : DWARF_FUNCTION);
        dwarf_put_string(w, is_kernel ? kernel->name : f->name);
        dwarf_put_unsigned(w, is_kernel ? kernel->file : f->file);
        dwarf_put_unsigned(w, is_kernel ? kernel->line : f->line);
        dwarf_put_address(w, index, f->start);
        dwarf_put(w, f->end - f->start, 8);
        if (described)
            dwarf_variables_put(variables, f->start, f->end);
        dwarf_put_unsigned(w, 0); /* no more children */
    }
    if (described)
        dwarf_variables_end(variables);
    free(functions);
}

/* Appends the unit of a kernel whose line program is at `statements`. */
static void put_unit(struct dwarf_variables *variables, const struct visa_program *program,
                     const struct gen_code *codes, size_t index, size_t statements)
{
    struct dwarf_writer *w = variables->info;
    const struct visa_kernel *kernel = &program->kernels[index];
    const struct visa_file *file = &program->files[kernel->file - 1];
    size_t start = dwarf_position(w), length = dwarf_begin_length(w);
    dwarf_put(w, VERSION, 2);
    dwarf_put(w, 0, LENGTH_BYTES); /* .debug_abbrev from its start */
    dwarf_put(w, ADDRESS_BYTES, 1);
    dwarf_put_unsigned(w, DWARF_UNIT);
    /* Only for clang's code gdb 13 skips that of a function's first line, which gives arguments their values. */
    dwarf_put_string(w, "clang (cmkit cmc)");
    dwarf_put(w, LANGUAGE_CXX_14, 2);
    dwarf_put_string(w, file->name);
    dwarf_put_string(w, file->folder);
    dwarf_put_address(w, index, 0);
    dwarf_put(w, codes[index].size, 8);
    dwarf_put(w, statements, LENGTH_BYTES);
    put_functions(variables, program, codes, index, start);
    dwarf_put_unsigned(w, 0); /* no more children */
    dwarf_end_length(w, length);
}

/* The sections are made together. */
struct writers {
    struct dwarf_writer line, info, abbreviations, locations, ranges;
};

static bool open_all(struct writers *w, struct dwarf *dwarf)
{
    bool good = dwarf_open(&w->line, &dwarf->line);
    good = dwarf_open(&w->info, &dwarf->info) && good;
    good = dwarf_open(&w->abbreviations, &dwarf->abbreviations) && good;
    good = dwarf_open(&w->locations, &dwarf->locations) && good;
    return dwarf_open(&w->ranges, &dwarf->ranges) && good;
}

static bool close_all(struct writers *w)
{
    bool good = dwarf_close(&w->line);
    good = dwarf_close(&w->info) && good;
    good = dwarf_close(&w->abbreviations) && good;
    good = dwarf_close(&w->locations) && good;
    return dwarf_close(&w->ranges) && good;
}

bool dwarf_build(const struct visa_program *program, const struct gen_code *codes, struct dwarf *dwarf)
{
    struct writers w;
    *dwarf = (struct dwarf){0};
    bool good = open_all(&w, dwarf);
    struct dwarf_variables variables = {.info = &w.info, .locations = &w.locations, .ranges = &w.ranges};
    for (size_t i = 0; good && i < program->kernel_count; i++) {
        size_t statements = dwarf_position(&w.line);
        if (put_lines(&w.line, program, codes, i) && program->debug_info && program->kernels[i].file)
            put_unit(&variables, program, codes, i, statements);
    }
    if (good && dwarf_position(&w.info))
        dwarf_put_abbreviations(&w.abbreviations);
    return close_all(&w) && good;
}

void dwarf_free(struct dwarf *dwarf)
{
    struct dwarf_section *all[] = {&dwarf->line, &dwarf->info, &dwarf->abbreviations, &dwarf->locations,
                                   &dwarf->ranges};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        free(all[i]->data);
        free(all[i]->addresses);
    }
    *dwarf = (struct dwarf){0};
}
