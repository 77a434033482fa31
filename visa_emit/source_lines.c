/* Maps Gen instructions to source lines. The finalizer's listing has a line for each instruction, in the order of the
 * code, that ends in `$` and the number of the vISA instruction it was made from; visa_number() computes those numbers.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
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

/* Parses the number behind the line's last `$`. 0, which no instruction has: there is none. */
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

/* Adds a line if it differs from the line before. Code before the first known line gets the line of the kernel's name.
 */
static void add_line(const struct visa_kernel *kernel, struct source_line *lines, size_t *count, size_t offset,
                     const struct visa_instruction *from)
{
    bool known = from && from->file && from->line;
    struct source_line line = {offset, known ? from->file : 0, known ? from->line : 0};
    if (!known && *count < 2 && lines[0].offset == 0)
        line = (struct source_line){offset, kernel->file, kernel->line};
    if (*count && lines[*count - 1].file == line.file && lines[*count - 1].line == line.line)
        return;
    lines[(*count)++] = line;
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

/* Finds the stack function whose code begins in this piece of the listing with a label L_fI_Sn. NULL: none. */
static const struct visa_kernel *function_entered(const struct visa_kernel *kernel, const char *from, const char *to)
{
    unsigned place, number;
    char colon;
    if (!kernel->function_count)
        return NULL;
    for (; from < to; from += strcspn(from, "\n"), from += *from != 0)
        if (sscanf(from, "L_f%u_S%u%c", &place, &number, &colon) == 3 && colon == ':' && number &&
            number <= kernel->function_count)
            return kernel->functions[number - 1];
    return NULL;
}

size_t source_lines_find(const struct visa_program *program, const struct visa_kernel *kernel,
                         const struct gen_code *code, struct source_line **lines)
{
    struct code_unit unit = {0};
    struct source_line *found = calloc(code->size / COMPACTED_BYTES + 1, sizeof *found);
    const char *rest = code->assembly ? code->assembly : "", *before = rest, *line = NULL;
    size_t count = 0, offset = 0, length;
    bool good = number_instructions(&unit, program, kernel) && found;
    while (good && offset + COMPACTED_BYTES <= code->size && (line = listing_instruction(&rest, &length))) {
        const struct visa_kernel *function = function_entered(kernel, before, line);
        good = !function || number_instructions(&unit, program, function);
        if (good)
            add_line(unit.kernel, found, &count, offset,
                     instruction_of(unit.kernel, unit.numbers, visa_number_of(line, length)));
        offset += instruction_bytes(code, offset);
        before = rest;
    }
    if (!good || offset != code->size || listing_instruction(&rest, &length)) /* code and listing differ in length */
        count = 0;
    free(unit.numbers);
    if (count == 0) {
        free(found);
        found = NULL;
    }
    *lines = found;
    return count;
}
