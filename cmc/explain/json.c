/* Prints the forms of a kernel as JSON in the shape that Compiler Explorer takes from a compiler. */
#include <inttypes.h>
#include <string.h>
#include "cmc/explain/explain.h"
#include "cmc/message.h"
#include "text/json.h"

static void print_line(const struct explain_kernel *e, const struct explain_line *l, FILE *out)
{
    fputs("{\"text\": ", out);
    json_string(l->text, out);
    if (l->file && l->line) {
        fputs(", \"source\": {\"file\": ", out);
        if (l->file == e->kernel->file)
            fputs("null", out); /* Compiler Explorer's name of the file that is edited */
        else
            json_string(e->program->files[l->file - 1].name, out);
        fprintf(out, ", \"line\": %u}", l->line);
    } else {
        fputs(", \"source\": null", out);
    }
    if (l->visa)
        fprintf(out, ", \"visa\": %zu", l->visa);
    if (l->gen)
        fprintf(out, ", \"gen\": %u", l->gen);
    if (l->executed)
        fprintf(out, ", \"executed\": %" PRIu64 ", \"cycles\": %" PRIu64, l->executed, l->cycles);
    fputc('}', out);
}

static void print_listing(const struct explain_kernel *e, enum explain_form form, FILE *out)
{
    const struct explain_listing *list = &e->forms[form];
    fputc('[', out);
    for (size_t i = 0; i < list->count; i++) {
        fputs(i ? ",\n  " : "\n  ", out);
        print_line(e, &list->lines[i], out);
    }
    fputc(']', out);
}

static void print_registers(const struct explain_kernel *e, FILE *out)
{
    const struct pressure_profile *p = &e->pressure;
    fputs(" \"liveBytes\": [", out);
    for (size_t i = 0; i < e->kernel->instruction_count; i++)
        fprintf(out, "%s%u", i ? ", " : "", p->bytes[i]);
    fprintf(out, "],\n \"peak\": {\"visa\": %zu, \"bytes\": %u, \"variables\": [",
            e->kernel->instruction_count ? p->peak + 1 : 0, e->kernel->instruction_count ? p->bytes[p->peak] : 0);
    for (size_t i = 0; i < p->count; i++) {
        char name[256];
        explain_variable_name(e, &p->variables[i], name, sizeof name);
        fputs(i ? ", {\"name\": " : "{\"name\": ", out);
        json_string(name, out);
        fprintf(out, ", \"bytes\": %u, \"line\": %u}", p->variables[i].bytes, p->variables[i].line);
    }
    fputs("]},\n", out);
}

static void print_arguments(const struct explain_kernel *e, FILE *out)
{
    if (!e->info)
        return;
    fprintf(out, " \"simd\": %u, \"localBytes\": %u, \"barriers\": %u,\n \"arguments\": [", e->info->simd_size,
            e->info->slm_bytes, e->info->barriers);
    for (size_t i = 0; i < e->info->argument_count; i++) {
        fputs(i ? ", {\"name\": " : "{\"name\": ", out);
        json_string(e->info->arguments[i].name, out);
        fputs(", \"type\": ", out);
        json_string(e->info->arguments[i].type, out);
        fprintf(out, ", \"kind\": \"%s\"}", explain_argument_kind(&e->info->arguments[i]));
    }
    fputs("],\n", out);
}

static void print_remarks(const struct explain_kernel *e, FILE *out)
{
    const char *separator = "";
    fputs(" \"remarks\": [", out);
    for (size_t i = 0; i < e->remarks->count; i++) {
        const struct lower_remark *r = &e->remarks->list[i];
        if (strcmp(r->function, e->kernel->name) != 0)
            continue;
        fprintf(out, "%s\n  {\"kind\": \"%s\", \"pass\": \"%s\", \"name\": \"%s\", \"line\": %u, \"text\": ", separator,
                cmc_remark_kind(r->kind), r->pass, r->name, r->line);
        json_string(r->text, out);
        fputc('}', out);
        separator = ",";
    }
    fputs("],\n", out);
}

void explain_print_json(const struct explain_kernel *e, FILE *out)
{
    fputs("{\"code\": 0, \"stdout\": [], \"stderr\": [],\n \"kernel\": ", out);
    json_string(e->kernel->name, out);
    fprintf(out,
            ", \"platform\": \"%s\", \"instructions\": %u, \"registers\": %u, \"%s\": %u, \"bankConflicts\": %u, "
            "\"scoreboardWaits\": %u,\n \"classes\": {",
            e->program->platform->name, e->code->instructions, e->code->registers, explain_memory_kind(e).key,
            e->code->spill_bytes, e->bank_conflicts, e->waits);
    for (unsigned k = 0; k < GEN_CLASSES; k++)
        fprintf(out, "%s\"%s\": %u", k ? ", " : "", gen_class_name((enum gen_class)k), e->classes[k]);
    fputs("},\n", out);
    if (e->run.is_known)
        fprintf(out, " \"run\": {\"launches\": %" PRIu64 ", \"instructions\": %" PRIu64 ", \"cycles\": %" PRIu64 "},\n",
                e->run.launches, e->run.instructions, e->run.cycles);
    print_arguments(e, out);
    print_registers(e, out);
    print_remarks(e, out);
    fputs(" \"asm\": ", out);
    print_listing(e, EXPLAIN_GEN, out);
    fputs(",\n \"devices\": {", out);
    for (unsigned form = EXPLAIN_SOURCE; form < EXPLAIN_GEN; form++) {
        fprintf(out, "%s\n  \"%s\": {\"code\": 0, \"stdout\": [], \"stderr\": [], \"asm\": ", form ? "," : "",
                explain_form_name((enum explain_form)form));
        print_listing(e, (enum explain_form)form, out);
        fputc('}', out);
    }
    fputs("}}\n", out);
}
