/* Prints a kernel's cost for --report: registers, spills, Gen instructions by class, and the source lines with most
 * instructions. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cmc/phases.h"
#include "visa_emit/source_lines.h"

enum { LINES_SHOWN = 10 };

/* Classes of Gen instructions by their names in the finalizer's listing. A name without a row is arithmetic. */
enum { ARITHMETIC };
static const struct {
    const char *name, *instructions; /* each with a space behind it */
} classes[] = {
    [ARITHMETIC] = {"arithmetic", ""},
    {"mov", "mov movi "},
    {"select and compare", "sel csel cmp cmpn "},
    {"math", "math "},
    {"message", "send sendc sends sendsc load store atomic fence "}, /* the latter from DG2 on: load.ugm */
    {"control flow", "jmpi if else endif while break cont halt goto join call calla ret brd brc "},
    {"matrix", "dpas dpasw "},
    {"wait", "sync nop wait illegal "},
};
enum { CLASSES = sizeof classes / sizeof *classes };

/* Returns the class of a line of the listing: `(predicate) name (size|offset) ...`. */
static unsigned class_of(const char *line, size_t length)
{
    char name[16] = "";
    size_t at = 0, end;
    while (at < length && line[at] == ' ')
        at++;
    if (at < length && line[at] == '(')
        while (at < length && line[at++] != ')')
            ;
    while (at < length && line[at] == ' ')
        at++;
    for (end = at; end < length && (isalnum((unsigned char)line[end])); end++)
        ;
    snprintf(name, sizeof name, "%.*s ", (int)(end - at < 14 ? end - at : 14), line + at);
    for (unsigned k = 1; k < CLASSES; k++) {
        const char *found = strstr(classes[k].instructions, name);
        if (found && (found == classes[k].instructions || found[-1] == ' '))
            return k;
    }
    return ARITHMETIC;
}

struct line_cost {
    unsigned file, line, instructions;
};

static int dearest_first(const void *a, const void *b)
{
    const struct line_cost *x = a, *y = b;
    if (x->instructions != y->instructions)
        return x->instructions < y->instructions ? 1 : -1;
    return x->file != y->file ? (x->file > y->file) - (x->file < y->file) : (x->line > y->line) - (x->line < y->line);
}

/* Counts the listing's instructions between two entries of the line table. */
static void print_lines(const struct visa_program *program, const struct gen_code *code,
                        const struct source_line *lines, size_t count)
{
    struct line_cost *costs = calloc(count + 1, sizeof *costs);
    size_t used = 0;
    for (size_t i = 0; costs && i < count; i++) {
        size_t end = i + 1 < count ? lines[i + 1].offset : code->size, k = 0;
        if (!lines[i].file)
            continue;
        while (k < used && (costs[k].file != lines[i].file || costs[k].line != lines[i].line))
            k++;
        if (k == used)
            costs[used++] = (struct line_cost){lines[i].file, lines[i].line, 0};
        costs[k].instructions += gen_instructions(code, lines[i].offset, end);
    }
    if (costs)
        qsort(costs, used, sizeof *costs, dearest_first);
    for (size_t k = 0; k < used && k < LINES_SHOWN; k++)
        fprintf(stderr, "  %6u instructions  %s:%u\n", costs[k].instructions, program->files[costs[k].file - 1].name,
                costs[k].line);
    free(costs);
}

static void print_classes(const struct gen_code *code)
{
    unsigned counts[CLASSES] = {0};
    const char *rest = code->assembly ? code->assembly : "", *line, *separator = "  ";
    size_t length;
    while ((line = listing_instruction(&rest, &length)))
        counts[class_of(line, length)]++;
    for (unsigned k = 0; k < CLASSES; k++) {
        if (counts[k]) {
            fprintf(stderr, "%s%u %s", separator, counts[k], classes[k].name);
            separator = ", ";
        }
    }
    fputc('\n', stderr);
}

void cmc_report(const struct visa_program *program, const struct gen_code *codes)
{
    for (size_t i = 0; i < program->kernel_count; i++) {
        struct source_line *lines;
        bool stack = program->kernels[i].function_count; /* then the finalizer says how much room it keeps for it */
        fprintf(stderr, "%s: kernel %s: %u registers, %u bytes %s, %u instructions\n", program->platform->name,
                program->kernels[i].name, codes[i].registers, codes[i].spill_bytes, stack ? "of stack" : "spilled",
                codes[i].instructions);
        print_classes(&codes[i]);
        size_t count = source_lines_find(program, &program->kernels[i], &codes[i], &lines);
        print_lines(program, &codes[i], lines, count);
        free(lines);
    }
}
