/* Prints the vISA instruction of each Gen instruction, for profiles. */
#include "visa_emit/debug_visa.h"

#include <stdlib.h>
#include "visa_emit/print.h"
#include "visa_emit/source_lines.h"

struct debug_visa {
    const struct visa_kernel *kernel;
    struct visa_printer printer; /* of the unit whose code is visited */
    const struct visa_instruction *current;
    char *text; /* of one instruction */
    size_t size;
    FILE *out;
    bool begun, failed;
};

/* The number of the unit's first instruction, minus one. */
static size_t base_of(const struct visa_kernel *kernel, const struct visa_kernel *unit)
{
    size_t base = 0;
    if (unit == kernel)
        return 0;
    base = kernel->instruction_count;
    for (size_t f = 0; f < kernel->function_count && kernel->functions[f] != unit; f++)
        base += kernel->functions[f]->instruction_count;
    return base;
}

static void enter_unit(struct debug_visa *d, const struct visa_kernel *unit)
{
    free(d->printer.uses);
    d->printer.uses = NULL;
    d->printer.kernel = unit;
    visa_collect_uses(&d->printer);
}

/* Prints the instruction on one line; the user's assembly may have several. */
static void put_instruction(struct debug_visa *d, const struct visa_instruction *i)
{
    if (fseek(d->printer.out, 0, SEEK_SET) != 0) {
        d->failed = true;
        return;
    }
    visa_print_instruction(&d->printer, i);
    if (fflush(d->printer.out) != 0 || !d->text) {
        d->failed = true;
        return;
    }
    bool is_blank = true; /* runs of blanks become one, those at the start none */
    for (size_t at = 0; at < d->size; at++) {
        bool blank = d->text[at] == ' ' || d->text[at] == '\t' || d->text[at] == '\n';
        if (!blank || !is_blank)
            fputc(blank ? ' ' : d->text[at], d->out);
        is_blank = blank;
    }
}

static void add_line(void *user, const struct gen_line *line)
{
    struct debug_visa *d = user;
    if (d->begun && line->from == d->current)
        return;
    d->begun = true;
    d->current = line->from;
    fprintf(d->out, "%zx", line->offset);
    if (line->from) {
        if (line->unit != d->printer.kernel)
            enter_unit(d, line->unit);
        fprintf(d->out, " %zu ", base_of(d->kernel, line->unit) + (size_t)(line->from - line->unit->instructions) + 1);
        put_instruction(d, line->from);
    }
    fputc('\n', d->out);
}

char *debug_visa_build(const struct visa_program *program, const struct visa_kernel *kernel,
                       const struct gen_code *code, size_t *size)
{
    char *result = NULL;
    struct debug_visa d = {.kernel = kernel, .out = open_memstream(&result, size)};
    d.printer = (struct visa_printer){.program = program, .string_base = visa_string_base(program, kernel)};
    d.printer.out = open_memstream(&d.text, &d.size);
    d.failed = !d.out || !d.printer.out || !gen_lines_visit(program, kernel, code, add_line, &d);
    d.failed = (d.out && fclose(d.out) != 0) || d.failed;
    if (d.printer.out)
        fclose(d.printer.out);
    free(d.printer.uses);
    free(d.text);
    if (!d.failed)
        return result;
    free(result);
    return NULL;
}
