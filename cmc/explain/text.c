/* Prints the forms of a kernel as text: each source line with the LLVM IR, the vISA and the Gen lines that come from
 * it. */
#include <inttypes.h>
#include <string.h>
#include "cmc/explain/explain.h"

static void print_facts(const struct explain_kernel *e, FILE *out)
{
    const char *separator = "  ";
    fprintf(out, "%s: kernel %s: %u registers, %u bytes %s, %u instructions", e->program->platform->name,
            e->kernel->name, e->code->registers, e->code->spill_bytes, explain_memory_kind(e).words,
            e->code->instructions);
    if (!e->info)
        fprintf(out, ", %u bank %s", e->bank_conflicts, explain_word(e->bank_conflicts, "conflict", "conflicts"));
    fputc('\n', out);
    for (unsigned k = 0; k < GEN_CLASSES; k++)
        if (e->classes[k]) {
            fprintf(out, "%s%u %s", separator, e->classes[k], gen_class_name((enum gen_class)k));
            separator = ", ";
        }
    fputc('\n', out);
    if (e->run.is_known)
        fprintf(out, "  in the run: %" PRIu64 " %s, %" PRIu64 " instructions, %" PRIu64 " cycles of threads\n",
                e->run.launches, explain_word(e->run.launches, "launch", "launches"), e->run.instructions,
                e->run.cycles);
}

static void print_arguments(const struct explain_kernel *e, FILE *out)
{
    if (!e->info)
        return;
    fprintf(out, "\nSIMD%u, %u bytes of shared local memory, %u %s\n", e->info->simd_size, e->info->slm_bytes,
            e->info->barriers, explain_word(e->info->barriers, "barrier", "barriers"));
    for (size_t i = 0; i < e->info->argument_count; i++) {
        const struct cmrt_argument *a = &e->info->arguments[i];
        fprintf(out, "  argument %zu: %s%s%s%s%s\n", i, explain_argument_kind(a), *a->name ? " " : "", a->name,
                *a->type ? ", " : "", a->type);
    }
}

static void print_peak(const struct explain_kernel *e, FILE *out)
{
    const struct pressure_profile *p = &e->pressure;
    if (!e->kernel->instruction_count)
        return;
    fprintf(out, "\nMost registers: %u of %u bytes are live at line %u\n", p->bytes[p->peak],
            e->program->platform->grf_count * e->program->platform->grf_bytes, e->kernel->instructions[p->peak].line);
    for (size_t i = 0; i < p->count; i++) {
        char name[256];
        explain_variable_name(e, &p->variables[i], name, sizeof name);
        fprintf(out, "  %6u bytes  %s, first written in line %u\n", p->variables[i].bytes, name, p->variables[i].line);
    }
}

static void print_line(const struct explain_line *l, enum explain_form form, FILE *out)
{
    fprintf(out, "    %-7s  %s", explain_form_name(form), l->text + strspn(l->text, " "));
    if (l->executed)
        fprintf(out, "  // executed %" PRIu64 " times, %" PRIu64 " cycles", l->executed, l->cycles);
    fputc('\n', out);
}

static void print_lines_of(const struct explain_kernel *e, enum explain_form form, unsigned file, unsigned line,
                           FILE *out)
{
    const struct explain_listing *list = &e->forms[form];
    for (size_t i = 0; i < list->count; i++)
        if (list->lines[i].file == file && list->lines[i].line == line)
            print_line(&list->lines[i], form, out);
}

static void print_remarks(const struct explain_kernel *e, const struct explain_line *l, FILE *out)
{
    for (size_t i = 0; i < e->remarks->count; i++) {
        const struct lower_remark *r = &e->remarks->list[i];
        if (l->file == e->kernel->file && r->line == l->line && strcmp(r->function, e->kernel->name) == 0)
            fprintf(out, "    %s (%s): %s\n", cmc_remark_kind(r->kind), r->pass, r->text);
    }
}

/* A binary without debug lines, or whose sources cannot be read. */
static bool has_no_source(const struct explain_kernel *e)
{
    const struct explain_listing *source = &e->forms[EXPLAIN_SOURCE];
    for (size_t i = 0; i < source->count; i++)
        if (source->lines[i].gen)
            return false;
    return e->info != NULL;
}

void explain_print_text(const struct explain_kernel *e, FILE *out)
{
    const struct explain_listing *source = &e->forms[EXPLAIN_SOURCE];
    print_facts(e, out);
    print_arguments(e, out);
    print_peak(e, out);
    fputc('\n', out);
    for (size_t i = 0; has_no_source(e) && i < e->forms[EXPLAIN_GEN].count; i++)
        print_line(&e->forms[EXPLAIN_GEN].lines[i], EXPLAIN_GEN, out);
    for (size_t i = 0; i < source->count; i++) {
        const struct explain_line *l = &source->lines[i];
        fprintf(out, "%5u  %s\n", l->line, l->text);
        print_remarks(e, l, out);
        for (unsigned form = EXPLAIN_LLVM; l->gen && form < EXPLAIN_FORMS; form++)
            print_lines_of(e, (enum explain_form)form, l->file, l->line, out);
    }
}
