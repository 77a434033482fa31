/* Writes debug information in DWARF 4: one unit and one line program for each kernel. */
#include <stdlib.h>
#include <string.h>
#include "visa_emit/code_functions.h"
#include "visa_emit/dwarf.h"
#include "visa_emit/source_lines.h"

enum { VERSION = 4, ADDRESS_BYTES = 8, LENGTH_BYTES = 4 };

/* Opcodes of line programs (section 6.2). The header has the usual parameters of special opcodes; no special opcode is
 * used. */
enum { COPY = 1, ADVANCE_ADDRESS = 2, ADVANCE_LINE = 3, SET_FILE = 4, FIRST_SPECIAL = 13 };
enum { EXTENDED = 0, EXTENDED_END = 1, EXTENDED_SET_ADDRESS = 2 };
enum { LINE_BASE = -5, LINE_RANGE = 14 };

/* Tags, attributes, forms and a language (section 7). */
enum { TAG_COMPILE_UNIT = 0x11, TAG_SUBPROGRAM = 0x2e };
enum {
    AT_NAME = 0x03,
    AT_STATEMENTS = 0x10,
    AT_LOW_PC = 0x11,
    AT_HIGH_PC = 0x12,
    AT_LANGUAGE = 0x13,
    AT_FOLDER = 0x1b,
    AT_PRODUCER = 0x25,
    AT_FILE = 0x3a,
    AT_LINE = 0x3b,
    AT_EXTERNAL = 0x3f
};
enum {
    FORM_ADDRESS = 0x01,
    FORM_DATA2 = 0x05,
    FORM_DATA8 = 0x07,
    FORM_STRING = 0x08,
    FORM_UDATA = 0x0f,
    FORM_OFFSET = 0x17,
    FORM_PRESENT = 0x19
};
enum { LANGUAGE_CXX_14 = 0x21 };
enum { UNIT = 1, KERNEL, FUNCTION }; /* our abbreviations */

/* A section under construction. */
struct writer {
    struct dwarf_section *section;
    FILE *out;
    bool failed;
};

static void put(struct writer *w, uint64_t value, unsigned bytes)
{
    for (unsigned i = 0; i < bytes; i++)
        fputc((int)(value >> 8 * i & 0xff), w->out);
}

static void put_unsigned(struct writer *w, uint64_t value)
{
    for (; value > 0x7f; value >>= 7)
        fputc((int)(value & 0x7f) | 0x80, w->out);
    fputc((int)value, w->out);
}

static void put_signed(struct writer *w, int64_t value)
{
    for (; value < -64 || value > 63; value = value < 0 ? ~(~value >> 7) : value >> 7)
        fputc((int)(value & 0x7f) | 0x80, w->out);
    fputc((int)(value & 0x7f), w->out);
}

static void put_string(struct writer *w, const char *text)
{
    fwrite(text, 1, strlen(text) + 1, w->out);
}

static size_t position(const struct writer *w)
{
    return (size_t)ftell(w->out);
}

/* Reserves room for a length that end_length() fills in; returns its offset. */
static size_t begin_length(struct writer *w)
{
    size_t place = position(w);
    put(w, 0, LENGTH_BYTES);
    return place;
}

static void end_length(struct writer *w, size_t place)
{
    size_t end = position(w);
    fseek(w->out, (long)place, SEEK_SET);
    put(w, end - place - LENGTH_BYTES, LENGTH_BYTES);
    fseek(w->out, (long)end, SEEK_SET);
}

/* Appends the address of byte `offset` of a kernel's code, which the loader fills in. */
static void put_address(struct writer *w, size_t kernel, uint64_t offset)
{
    struct dwarf_section *s = w->section;
    struct dwarf_address *larger = realloc(s->addresses, (s->address_count + 1) * sizeof *larger);
    w->failed |= !larger;
    if (!larger)
        return;
    s->addresses = larger;
    s->addresses[s->address_count++] = (struct dwarf_address){position(w), kernel, offset};
    put(w, offset, ADDRESS_BYTES); /* for tools that do not know the relocation */
}

static bool writer_open(struct writer *w, struct dwarf_section *section)
{
    *w = (struct writer){.section = section, .out = open_memstream(&section->data, &section->size)};
    return w->out != NULL;
}

static bool writer_close(struct writer *w)
{
    w->failed |= !w->out || ferror(w->out);
    if (w->out && fclose(w->out) != 0)
        w->failed = true;
    return !w->failed;
}

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Appends the tables of folders and files. A folder and its file have the same number. */
static void put_files(struct writer *w, const struct visa_program *program)
{
    for (size_t i = 0; program->debug_info && i < program->file_count; i++)
        put_string(w, *program->files[i].folder ? program->files[i].folder : ".");
    put(w, 0, 1);
    for (size_t i = 0; i < program->file_count; i++) {
        const char *name = program->files[i].name;
        put_string(w, program->debug_info ? name : last_name(name));
        put_unsigned(w, program->debug_info ? i + 1 : 0);
        put_unsigned(w, 0); /* time */
        put_unsigned(w, 0); /* size */
    }
    put(w, 0, 1);
}

static void put_line_header(struct writer *w, const struct visa_program *program)
{
    static const char operands[FIRST_SPECIAL - 1] = {0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    put(w, VERSION, 2);
    size_t length = begin_length(w);
    put(w, 1, 1); /* bytes of the shortest instruction */
    put(w, 1, 1); /* operations an instruction */
    put(w, 1, 1); /* rows begin statements */
    put(w, (uint8_t)LINE_BASE, 1);
    put(w, LINE_RANGE, 1);
    put(w, FIRST_SPECIAL, 1);
    fwrite(operands, 1, sizeof operands, w->out);
    put_files(w, program);
    end_length(w, length);
}

static void put_extended(struct writer *w, unsigned operation, unsigned operand_bytes)
{
    put(w, EXTENDED, 1);
    put_unsigned(w, 1 + operand_bytes);
    put(w, operation, 1);
}

/* Appends one row for each source line, from the kernel's start to its end. */
static void put_rows(struct writer *w, size_t kernel, const struct source_line *lines, size_t count, size_t code_size)
{
    struct source_line row = {0, 1, 1}; /* the registers as a sequence starts */
    put_extended(w, EXTENDED_SET_ADDRESS, ADDRESS_BYTES);
    put_address(w, kernel, 0);
    for (size_t i = 0; i < count; i++) {
        if (lines[i].file && lines[i].file != row.file) {
            put(w, SET_FILE, 1);
            put_unsigned(w, row.file = lines[i].file);
        }
        put(w, ADVANCE_ADDRESS, 1);
        put_unsigned(w, lines[i].offset - row.offset);
        put(w, ADVANCE_LINE, 1);
        put_signed(w, (int64_t)lines[i].line - row.line);
        put(w, COPY, 1);
        row.offset = lines[i].offset;
        row.line = lines[i].line;
    }
    put(w, ADVANCE_ADDRESS, 1);
    put_unsigned(w, code_size - row.offset);
    put_extended(w, EXTENDED_END, 0);
}

/* Appends a kernel's line program. False, and nothing is written: no line of the kernel is known. */
static bool put_lines(struct writer *w, const struct visa_program *program, const struct gen_code *codes, size_t kernel)
{
    struct source_line *lines;
    size_t count = source_lines_find(program, &program->kernels[kernel], &codes[kernel], &lines);
    if (count) {
        size_t length = begin_length(w);
        put_line_header(w, program);
        put_rows(w, kernel, lines, count, codes[kernel].size);
        end_length(w, length);
    }
    free(lines);
    return count != 0;
}

static void put_abbreviation(struct writer *w, unsigned number, unsigned tag, bool children, const uint8_t (*pairs)[2])
{
    put_unsigned(w, number);
    put_unsigned(w, tag);
    put(w, children, 1);
    for (;; pairs++) {
        put_unsigned(w, (*pairs)[0]);
        put_unsigned(w, (*pairs)[1]);
        if (!(*pairs)[0])
            return;
    }
}

static void put_abbreviations(struct writer *w)
{
    static const uint8_t unit[][2] = {
        {AT_PRODUCER, FORM_STRING}, {AT_LANGUAGE, FORM_DATA2}, {AT_NAME, FORM_STRING},       {AT_FOLDER, FORM_STRING},
        {AT_LOW_PC, FORM_ADDRESS},  {AT_HIGH_PC, FORM_DATA8},  {AT_STATEMENTS, FORM_OFFSET}, {0, 0}};
    static const uint8_t kernel[][2] = {{AT_NAME, FORM_STRING},
                                        {AT_FILE, FORM_UDATA},
                                        {AT_LINE, FORM_UDATA},
                                        {AT_EXTERNAL, FORM_PRESENT},
                                        {AT_LOW_PC, FORM_ADDRESS},
                                        {AT_HIGH_PC, FORM_DATA8},
                                        {0, 0}};
    static const uint8_t function[][2] = {{AT_NAME, FORM_STRING},    {AT_FILE, FORM_UDATA},    {AT_LINE, FORM_UDATA},
                                          {AT_LOW_PC, FORM_ADDRESS}, {AT_HIGH_PC, FORM_DATA8}, {0, 0}};
    put_abbreviation(w, UNIT, TAG_COMPILE_UNIT, true, unit);
    put_abbreviation(w, KERNEL, TAG_SUBPROGRAM, false, kernel);
    put_abbreviation(w, FUNCTION, TAG_SUBPROGRAM, false, function);
    put_unsigned(w, 0);
}

/* Appends the kernel and its functions. The kernel's name is that by which programs find it. */
static void put_functions(struct writer *w, const struct visa_program *program, const struct gen_code *codes,
                          size_t index)
{
    const struct visa_kernel *kernel = &program->kernels[index];
    struct code_function *functions;
    size_t count = code_functions_find(program, kernel, &codes[index], &functions);
    for (size_t i = 0; i < count; i++) {
        const struct code_function *f = &functions[i];
        bool is_kernel = i == 0;
        if (!is_kernel && (!*f->name || !f->file))
            continue;
        put_unsigned(w, is_kernel ? KERNEL : FUNCTION);
        put_string(w, is_kernel ? kernel->name : f->name);
        put_unsigned(w, is_kernel ? kernel->file : f->file);
        put_unsigned(w, is_kernel ? kernel->line : f->line);
        put_address(w, index, f->start);
        put(w, f->end - f->start, 8);
    }
    free(functions);
}

/* Appends the unit of a kernel whose line program is at `statements`. */
static void put_unit(struct writer *w, const struct visa_program *program, const struct gen_code *codes, size_t index,
                     size_t statements)
{
    const struct visa_kernel *kernel = &program->kernels[index];
    const struct visa_file *file = &program->files[kernel->file - 1];
    size_t length = begin_length(w);
    put(w, VERSION, 2);
    put(w, 0, LENGTH_BYTES); /* .debug_abbrev from its start */
    put(w, ADDRESS_BYTES, 1);
    put_unsigned(w, UNIT);
    put_string(w, "cmkit cmc");
    put(w, LANGUAGE_CXX_14, 2);
    put_string(w, file->name);
    put_string(w, file->folder);
    put_address(w, index, 0);
    put(w, codes[index].size, 8);
    put(w, statements, LENGTH_BYTES);
    put_functions(w, program, codes, index);
    put_unsigned(w, 0); /* no more children */
    end_length(w, length);
}

bool dwarf_build(const struct visa_program *program, const struct gen_code *codes, struct dwarf *dwarf)
{
    struct writer line, info, abbreviations;
    *dwarf = (struct dwarf){0};
    bool good = writer_open(&line, &dwarf->line);
    good = writer_open(&info, &dwarf->info) && good;
    good = writer_open(&abbreviations, &dwarf->abbreviations) && good;
    for (size_t i = 0; good && i < program->kernel_count; i++) {
        size_t statements = position(&line);
        if (put_lines(&line, program, codes, i) && program->debug_info && program->kernels[i].file)
            put_unit(&info, program, codes, i, statements);
    }
    if (good && position(&info))
        put_abbreviations(&abbreviations);
    good = writer_close(&line) && good;
    good = writer_close(&info) && good;
    return writer_close(&abbreviations) && good;
}

void dwarf_free(struct dwarf *dwarf)
{
    struct dwarf_section *all[] = {&dwarf->line, &dwarf->info, &dwarf->abbreviations};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        free(all[i]->data);
        free(all[i]->addresses);
    }
    *dwarf = (struct dwarf){0};
}
