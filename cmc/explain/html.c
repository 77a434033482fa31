/* Prints the forms of a kernel as one HTML page. page.css and page.js are in the page: it needs no other file. */
#include <inttypes.h>
#include <string.h>
#include "cmc/explain/explain.h"
#include "cmc/explain/page.h"
#include "text/html.h"

/* Neighbouring lines get colours that differ much: the golden angle between them. */
static unsigned hue(unsigned file, unsigned line)
{
    return (line * 137 + file * 61) % 360;
}

/* What the line cost in the run: how often its instructions were issued, and their part of all cycles. */
static void print_cost(const struct explain_kernel *e, const struct explain_line *l, FILE *out)
{
    fputs("<span class=\"c run\">", out);
    if (l->executed)
        fprintf(out, "%" PRIu64, l->executed);
    fputs("</span><span class=\"c run\">", out);
    if (l->cycles)
        fprintf(out, "%.1f%%", 100.0 * (double)l->cycles / (double)e->run.cycles);
    fputs("</span>", out);
}

static void print_row(const struct explain_kernel *e, enum explain_form form, const struct explain_line *l, FILE *out)
{
    fputs("<div class=\"r\"", out);
    if (l->file && l->line)
        fprintf(out, " data-s=\"%u:%u\" style=\"--h:%u\"", l->file, l->line, hue(l->file, l->line));
    if (l->visa)
        fprintf(out, " data-v=\"%zu\"", l->visa);
    fputc('>', out);
    if (form == EXPLAIN_SOURCE || form == EXPLAIN_VISA) {
        fputs("<span class=\"c\">", out);
        if (l->gen)
            fprintf(out, "%u", l->gen);
        fputs("</span>", out);
    }
    if (e->run.has_lines && (form == EXPLAIN_SOURCE || form == EXPLAIN_GEN))
        print_cost(e, l, out);
    html_text(l->text, out);
    fputs(*l->text ? "</div>\n" : " </div>\n", out);
}

static void print_form(const struct explain_kernel *e, enum explain_form form, FILE *out)
{
    static const char *const classes[] = {"source", "llvm", "visa", "gen"};
    const struct explain_listing *list = &e->forms[form];
    fprintf(out, "<section class=\"form %s\"><h2>%s</h2><div class=\"rows\">\n", classes[form],
            explain_form_name(form));
    for (size_t i = 0; i < list->count; i++)
        print_row(e, form, &list->lines[i], out);
    fputs("</div></section>\n", out);
}

static void print_facts(const struct explain_kernel *e, FILE *out)
{
    const struct gen_code *code = e->code;
    fputs("<div class=\"facts\">", out);
    fprintf(out, "<span><b>%u</b> Gen instructions</span><span><b>%u</b> of %u registers</span>", code->instructions,
            code->registers, e->program->platform->grf_count);
    fprintf(out, "<span><b>%u</b> bytes %s</span>", code->spill_bytes, explain_memory_kind(e).words);
    if (e->info)
        fprintf(out, "<span>SIMD<b>%u</b></span><span><b>%u</b> bytes of shared local memory</span>",
                e->info->simd_size, e->info->slm_bytes);
    else
        fprintf(out, "<span><b>%u</b> bank %s</span>", e->bank_conflicts,
                explain_word(e->bank_conflicts, "conflict", "conflicts"));
    if (e->waits)
        fprintf(out, "<span><b>%u</b> %s for the scoreboard</span>", e->waits,
                explain_word(e->waits, "instruction that waits", "instructions that wait"));
    for (unsigned k = 0; k < GEN_CLASSES; k++)
        if (e->classes[k])
            fprintf(out, "<span><b>%u</b> %s</span>", e->classes[k], gen_class_name((enum gen_class)k));
    if (e->run.is_known)
        fprintf(out, "<span><b>%" PRIu64 "</b> %s, <b>%" PRIu64 "</b> instructions executed</span>", e->run.launches,
                explain_word(e->run.launches, "launch", "launches"), e->run.instructions);
    if (e->run.has_lines)
        fprintf(out, "<span><b>%" PRIu64 "</b> cycles of threads</span>", e->run.cycles);
    fputs("</div>\n", out);
}

/* Draws the bytes of the live variables in front of each vISA instruction, and a line where the register file ends. */
static void print_curve(const struct explain_kernel *e, FILE *out)
{
    const struct pressure_profile *p = &e->pressure;
    const struct platform *platform = e->program->platform;
    size_t count = e->kernel->instruction_count;
    unsigned limit = platform->grf_count * platform->grf_bytes, top = limit;
    for (size_t i = 0; i < count; i++)
        top = p->bytes[i] > top ? p->bytes[i] : top;
    fprintf(out,
            "<svg class=\"live\" data-count=\"%zu\" viewBox=\"0 0 %zu %u\" preserveAspectRatio=\"none\" role=\"img\" "
            "aria-label=\"live bytes in front of each vISA instruction\">\n<path class=\"curve\" d=\"M0 %u",
            count, count, top, top);
    for (size_t i = 0; i < count; i++)
        fprintf(out, "V%uH%zu", top - p->bytes[i], i + 1);
    fprintf(out, "V%uZ\"/>\n<line class=\"limit\" x1=\"0\" x2=\"%zu\" y1=\"%u\" y2=\"%u\"/>\n</svg>\n", top, count,
            top - limit, top - limit);
}

static void print_variables(const struct explain_kernel *e, FILE *out)
{
    const struct pressure_profile *p = &e->pressure;
    fputs("<div class=\"scroll\"><table><tr><th>live at the peak</th><th class=\"n\">bytes</th><th class=\"n\">first "
          "written in line</th></tr>\n",
          out);
    for (size_t i = 0; i < p->count; i++) {
        char name[256];
        explain_variable_name(e, &p->variables[i], name, sizeof name);
        fputs("<tr><td>", out);
        html_text(name, out);
        fprintf(out, "</td><td class=\"n\">%u</td><td class=\"n\">%u</td></tr>\n", p->variables[i].bytes,
                p->variables[i].line);
    }
    fputs("</table></div>\n", out);
}

static void print_registers(const struct explain_kernel *e, FILE *out)
{
    const struct pressure_profile *p = &e->pressure;
    if (!e->kernel->instruction_count)
        return;
    fprintf(
        out,
        "<h2>Live registers</h2>\n<p>Bytes of the variables that are live at each vISA instruction. The most are %u, "
        "at line %u of the source. The line is where the register file of a thread ends, %u bytes. The finalizer "
        "moves instructions afterwards, and needs registers of its own.</p>\n<div class=\"registers\">\n",
        p->bytes[p->peak], e->kernel->instructions[p->peak].line,
        e->program->platform->grf_count * e->program->platform->grf_bytes);
    print_curve(e, out);
    print_variables(e, out);
    fputs("</div>\n", out);
}

static void print_arguments(const struct explain_kernel *e, FILE *out)
{
    if (!e->info || !e->info->argument_count)
        return;
    fputs(
        "<h2>Arguments</h2>\n<div class=\"scroll\"><table><tr><th class=\"n\">number</th><th>name</th><th>type</th><th>"
        "kind</th></tr>\n",
        out);
    for (size_t i = 0; i < e->info->argument_count; i++) {
        const struct cmrt_argument *a = &e->info->arguments[i];
        fprintf(out, "<tr><td class=\"n\">%zu</td><td>", i);
        html_text(a->name, out);
        fputs("</td><td>", out);
        html_text(a->type, out);
        fprintf(out, "</td><td>%s</td></tr>\n", explain_argument_kind(a));
    }
    fputs("</table></div>\n", out);
}

/* Prints what passes said about this kernel. */
static void print_remarks(const struct explain_kernel *e, FILE *out)
{
    bool any = false;
    for (size_t i = 0; i < e->remarks->count; i++) {
        const struct lower_remark *r = &e->remarks->list[i];
        if (strcmp(r->function, e->kernel->name) != 0)
            continue;
        if (!any)
            fputs("<h2>Remarks of passes</h2>\n<div class=\"scroll\"><table><tr><th></th><th>pass</th><th "
                  "class=\"n\">line</th><th>what</th></tr>\n",
                  out);
        any = true;
        fprintf(out, "<tr class=\"remark\"><td>%s</td><td>%s</td><td class=\"n\">", cmc_remark_kind(r->kind), r->pass);
        if (r->line)
            fprintf(out, "%u", r->line);
        fputs("</td><td>", out);
        html_text(r->text, out);
        fputs("</td></tr>\n", out);
    }
    fputs(any ? "</table></div>\n" : "", out);
}

void explain_print_html(const struct explain_kernel *e, FILE *out)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" "
          "content=\"width=device-width\">\n<title>",
          out);
    html_text(e->kernel->name, out);
    fprintf(out, " on %s</title>\n<style>\n%s</style></head>\n<body>\n<h1>", e->program->platform->name,
            explain_page_css);
    html_text(e->kernel->name, out);
    fprintf(out, " on %s</h1>\n", e->program->platform->name);
    print_facts(e, out);
    print_arguments(e, out);
    print_registers(e, out);
    print_remarks(e, out);
    fputs(
        "<p>A click on a line marks the lines of the other forms that belong to it. The numbers in front of source and "
        "vISA lines count the Gen instructions that come from them.",
        out);
    if (e->run.has_lines)
        fputs(
            " Then follow, for source and Gen lines, how often their instructions were executed in the run, and their "
            "part of the cycles of its threads.",
            out);
    fputs("</p>\n<div class=\"forms\">\n", out);
    for (unsigned form = 0; form < EXPLAIN_FORMS; form++)
        if (!e->info || e->forms[form].count)
            print_form(e, (enum explain_form)form, out);
    fprintf(out, "</div>\n<script>\n%s</script>\n</body></html>\n", explain_page_js);
}
