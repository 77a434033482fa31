/* Prints a kernel's cost for --report: registers, spills, Gen instructions by class, and the source lines with most
 * instructions, beside how many they need at least. */
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include "cmc/gen_classes.h"
#include "cmc/phases.h"
#include "visa_emit/source_lines.h"

enum { LINES_SHOWN = 10 };

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

/* Adds up what a line, or with file 0 every line, needs at least in the kernel and its stack functions. */
static unsigned bound_of(const struct visa_kernel *kernel, unsigned file, unsigned line)
{
    unsigned sum = 0;
    for (size_t k = 0; k < kernel->bound_count; k++)
        if (!file || (kernel->bounds[k].file == file && kernel->bounds[k].line == line))
            sum += kernel->bounds[k].instructions;
    for (size_t k = 0; k < kernel->function_count; k++)
        sum += bound_of(kernel->functions[k], file, line);
    return sum;
}

static void print_line(const struct visa_program *program, const struct visa_kernel *kernel,
                       const struct line_cost *cost)
{
    const char *file = program->files[cost->file - 1].name;
    if (kernel->bound_count)
        fprintf(stderr, "  %6u instructions, at least %u  %s:%u\n", cost->instructions,
                bound_of(kernel, cost->file, cost->line), file, cost->line);
    else
        fprintf(stderr, "  %6u instructions  %s:%u\n", cost->instructions, file, cost->line);
}

/* Prints how far the kernel is from what its lines need; vISA text has no operations to count that from. */
static void print_distance(const struct visa_kernel *kernel, const struct gen_code *code)
{
    unsigned bound = bound_of(kernel, 0, 0);
    if (bound)
        fprintf(stderr, "  %.2f times the %u instructions that its lines need at least\n",
                (double)code->instructions / bound, bound);
}

/* Counts the listing's instructions between two entries of the line table. */
static void print_lines(const struct visa_program *program, const struct visa_kernel *kernel,
                        const struct gen_code *code, const struct source_line *lines, size_t count)
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
        print_line(program, kernel, &costs[k]);
    free(costs);
}

static void print_classes(const struct gen_code *code)
{
    unsigned counts[GEN_CLASSES];
    const char *separator = "  ";
    gen_class_count(code->assembly, counts);
    for (unsigned k = 0; k < GEN_CLASSES; k++) {
        if (counts[k]) {
            fprintf(stderr, "%s%u %s", separator, counts[k], gen_class_name((enum gen_class)k));
            separator = ", ";
        }
    }
    fputc('\n', stderr);
}

void cmc_report(const struct visa_program *program, const struct gen_code *codes)
{
    assert(program && codes);
    for (size_t i = 0; i < program->kernel_count; i++) {
        struct source_line *lines;
        bool stack = program->kernels[i].function_count; /* then the finalizer says how much room it keeps for it */
        fprintf(stderr, "%s: kernel %s: %u registers, %u bytes %s, %u instructions\n", program->platform->name,
                program->kernels[i].name, codes[i].registers, codes[i].spill_bytes, stack ? "of stack" : "spilled",
                codes[i].instructions);
        print_classes(&codes[i]);
        size_t count = source_lines_find(program, &program->kernels[i], &codes[i], &lines);
        print_distance(&program->kernels[i], &codes[i]);
        print_lines(program, &program->kernels[i], &codes[i], lines, count);
        free(lines);
    }
}
