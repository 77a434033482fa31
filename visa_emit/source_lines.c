/* Maps Gen instructions to source lines. The finalizer's listing has a line for each instruction, in the order of the
 * code, that ends in `$` and the number of the vISA instruction it was made from; visa_number() computes those numbers,
 * gen_numbers.c knows which of the listing's are wrong. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include "visa_emit/gen_numbers.h"
#include "visa_emit/print.h"
#include "visa_emit/source_lines.h"

enum { INSTRUCTION_BYTES = 16, COMPACTED_BYTES = 8, COMPACTED_BYTE = 3, COMPACTED_MASK = 0x20 };

const char *listing_instruction(const char **rest, size_t *length)
{
    while (**rest) {
        const char *line = *rest;
        *length = strcspn(line, "\n");
        *rest = line + *length + (line[*length] != 0);
        bool label = isalpha((unsigned char)*line) || *line == '_';
        if (*length > strspn(line, " \t\r") && strncmp(line, "//", 2) != 0 && !label)
            return line;
    }
    return NULL;
}

static size_t instruction_bytes(const struct gen_code *code, size_t offset)
{
    return code->code[offset + COMPACTED_BYTE] & COMPACTED_MASK ? COMPACTED_BYTES : INSTRUCTION_BYTES;
}

unsigned gen_instructions(const struct gen_code *code, size_t from, size_t to)
{
    unsigned count = 0;
    for (size_t offset = from; offset + COMPACTED_BYTES <= to; offset += instruction_bytes(code, offset))
        count++;
    return count;
}

/* Parses the number after the line's last `$`. 0, which no instruction has: there is none. */
static unsigned visa_number_of(const char *line, size_t length)
{
    const char *comment = memmem(line, length, "//", 2), *dollar = NULL;
    for (const char *at = comment; at && at < line + length; at++)
        if (*at == '$')
            dollar = at;
    return dollar ? (unsigned)strtoul(dollar + 1, NULL, 10) : 0;
}

/* Finds the vISA instruction of a number; for inline assembly, the instruction that has it among its numbers. NULL:
 * none. `numbers` are in ascending order. */
static const struct visa_instruction *instruction_of(const struct visa_kernel *kernel, const unsigned *numbers,
                                                     unsigned number)
{
    size_t low = 0, high = kernel->instruction_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (numbers[middle] == number)
            return &kernel->instructions[middle];
        if (numbers[middle] < number)
            low = middle + 1;
        else
            high = middle;
    }
    return low && kernel->instructions[low - 1].op == VISA_OP_ASSEMBLY ? &kernel->instructions[low - 1] : NULL;
}

const struct visa_instruction *visa_of_number(const struct visa_program *program, const struct visa_kernel *kernel,
                                              unsigned number)
{
    unsigned *numbers = calloc(kernel->instruction_count + 1, sizeof *numbers);
    if (!numbers || kernel->function_count) { /* functions on the stack have numbers of their own */
        free(numbers);
        return NULL;
    }
    visa_number(program, kernel, numbers);
    const struct visa_instruction *found = instruction_of(kernel, numbers, number);
    free(numbers);
    return found;
}

/* A kernel or one of its stack functions, with the numbers of its instructions. */
struct code_unit {
    const struct visa_kernel *kernel;
    unsigned *numbers;
};

static bool number_instructions(struct code_unit *unit, const struct visa_program *program,
                                const struct visa_kernel *kernel)
{
    free(unit->numbers);
    *unit = (struct code_unit){kernel, calloc(kernel->instruction_count + 1, sizeof *unit->numbers)};
    if (unit->numbers)
        visa_number(program, kernel, unit->numbers);
    return unit->numbers != NULL;
}

/* The n of a label L_fI_Sn: in front of a line. 0: it is none. */
static unsigned long function_of_label(const char *line)
{
    if (strncmp(line, "L_f", 3) != 0)
        return 0;
    line += 3 + strspn(line + 3, "0123456789");
    char *end;
    unsigned long number = strncmp(line, "_S", 2) == 0 ? strtoul(line + 2, &end, 10) : 0;
    return number && *end == ':' ? number : 0;
}

/* Finds the stack function whose code begins in this piece of the listing with a label L_fI_Sn. NULL: none. */
static const struct visa_kernel *function_entered(const struct visa_kernel *kernel, const char *from, const char *to)
{
    if (!kernel->function_count)
        return NULL;
    for (; from < to; from += strcspn(from, "\n"), from += *from != 0) {
        unsigned long number = function_of_label(from);
        if (number && number <= kernel->function_count)
            return kernel->functions[number - 1];
    }
    return NULL;
}

/* Returns the subroutine whose code begins in this piece of the listing with a label Fn, 0: none. */
static unsigned subroutine_entered(const char *from, const char *to)
{
    unsigned number;
    char colon;
    for (; from < to; from += strcspn(from, "\n"), from += *from != 0)
        if (sscanf(from, "F%u%c", &number, &colon) == 2 && colon == ':')
            return number;
    return 0;
}

/* True for what the finalizer puts in front of a kernel's code, such as messages that load its arguments: it has the
 * number of the instruction that ends the kernel. */
static bool is_in_front(const struct visa_instruction *from)
{
    return from && (from->op == VISA_OP_RET || from->op == VISA_OP_FRET);
}

bool gen_lines_visit(const struct visa_program *program, const struct visa_kernel *kernel, const struct gen_code *code,
                     gen_line_visitor *visit, void *user)
{
    struct code_unit unit = {0};
    struct gen_line line = {0};
    struct gen_numbers numbers = {0};
    const char *rest = code->assembly ? code->assembly : "", *before = rest;
    bool good = number_instructions(&unit, program, kernel), begun = false;
    while (good && line.offset + COMPACTED_BYTES <= code->size &&
           (line.text = listing_instruction(&rest, &line.length))) {
        const struct visa_kernel *function = function_entered(kernel, before, line.text);
        unsigned subroutine = subroutine_entered(before, line.text);
        good = !function || number_instructions(&unit, program, function);
        begun &= !function;
        line.subroutine = function ? 0 : subroutine ? subroutine : line.subroutine;
        line.unit = unit.kernel;
        line.from = good ? instruction_of(unit.kernel, unit.numbers, visa_number_of(line.text, line.length)) : NULL;
        line.from = gen_numbers_mend(&numbers, line.text, line.length, program->platform->grf_bytes, line.from);
        if (!begun && is_in_front(line.from))
            line.from = NULL;
        begun |= line.from != NULL;
        if (good)
            visit(user, &line);
        line.offset += instruction_bytes(code, line.offset);
        before = rest;
    }
    free(unit.numbers);
    return good && line.offset == code->size && !listing_instruction(&rest, &line.length);
}

struct line_list {
    struct source_line *lines;
    size_t count;
    const struct visa_kernel *unit; /* of the instruction before */
    bool begun;                     /* a line of it is known */
};

/* Code that the finalizer adds without a number in the middle of a line, such as a thread switch behind a call, belongs
 * to it. */
static bool continues_line(const struct line_list *list, const struct source_line *line)
{
    const struct source_line *last = &list->lines[list->count - 1];
    return list->count > 1 && line->line && !last->line && last[-1].file == line->file && last[-1].line == line->line;
}

/* Adds a line if it differs from the line before. Code of a kernel or a function on the stack before its first known
 * line gets the line of its name. */
static void add_line(void *user, const struct gen_line *gen)
{
    struct line_list *list = user;
    bool known = gen->from && gen->from->file && gen->from->line;
    struct source_line line = {gen->offset, known ? gen->from->file : 0, known ? gen->from->line : 0};
    list->begun = known || (list->begun && gen->unit == list->unit);
    list->unit = gen->unit;
    if (!list->begun)
        line = (struct source_line){gen->offset, gen->unit->file, gen->unit->line};
    if (list->count && list->lines[list->count - 1].file == line.file && list->lines[list->count - 1].line == line.line)
        return;
    if (list->count && continues_line(list, &line))
        list->count--;
    else
        list->lines[list->count++] = line;
}

size_t source_lines_find(const struct visa_program *program, const struct visa_kernel *kernel,
                         const struct gen_code *code, struct source_line **lines)
{
    struct line_list list = {.lines = calloc(code->size / COMPACTED_BYTES + 1, sizeof *list.lines)};
    if (!list.lines || !gen_lines_visit(program, kernel, code, add_line, &list) || !list.count) {
        free(list.lines);
        list = (struct line_list){0};
    }
    *lines = list.lines;
    return list.count;
}
