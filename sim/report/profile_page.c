/* Writes a profile as one HTML page with tables and SVG. It loads nothing and has no scripts. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "sim/base/fault.h"
#include "sim/report/profile_internal.h"
#include "sim/report/profile_svg.h"
#include "sim/report/timing_stats.h"
#include "sim/timing/program.h"
#include "text/html.h"

enum { MOST_SOURCES = 60 };

static const char style[] =
    ":root{--ink:#222;--paper:#fff;--soft:#ddd;--a:#2a6fb0;--b:#c8501e;--c:#3f8f3f;--d:#8a5fb0;--e:#b0892a;--f:#777;"
    "--g:#b03a6f;--h:#3aa3a3;--i:#bbb}"
    "@media(prefers-color-scheme:dark){:root{--ink:#ddd;--paper:#161616;--soft:#444;--a:#6fb1ee;--b:#f0915f;"
    "--c:#7fcf7f;--d:#c3a0e6;--e:#e2c26a;--f:#aaa;--g:#e884b0;--h:#7fdede;--i:#555}}"
    "@media "
    "print{:root{--ink:#000;--paper:#fff;--soft:#bbb}section{break-before:page}table{font-size:11px}td,th{padding:.1em "
    ".25em}td.t{font-size:10px}}"
    "body{font:15px/1.45 sans-serif;margin:1.5em auto;max-width:80em;padding:0 1em;color:var(--ink);"
    "background:var(--paper)}table{border-collapse:collapse;margin:.6em 0}"
    "td,th{padding:.1em .5em;border-bottom:1px solid var(--soft);text-align:left;vertical-align:top}"
    "th{vertical-align:bottom}td.n,th.n{text-align:right;font-variant-numeric:tabular-nums}td.n{white-space:nowrap}"
    "td:first-child:not(.n){overflow-wrap:anywhere;min-width:7em}"
    "td.t{font:13px/1.4 monospace;white-space:pre-wrap;overflow-wrap:anywhere;min-width:12em}"
    "@media(max-width:60em){table{font-size:12px}td,th{padding:.1em .25em}td.t{font-size:11px;min-width:9em}}"
    "@media(max-width:45em){table{font-size:11px}td,th{padding:.1em .15em}td:first-child:not(.n){min-width:4em}}"
    "svg{max-width:100%;height:auto;display:block;margin:.6em 0}svg text{font:12px sans-serif;fill:var(--ink)}"
    ".axis{stroke:var(--ink);stroke-width:1;fill:none}.grid{stroke:var(--soft);stroke-width:1}"
    ".line{fill:none;stroke-width:1.6}";

static double share(double part, double whole)
{
    return whole > 0 ? 100 * part / whole : 0;
}

static double stalled(const struct timing_counts *c)
{
    double sum = 0;
    for (int i = 1; i < TIMING_CAUSES; i++)
        sum += (double)c->stalled[i];
    return sum;
}

static double microseconds(const struct profile *p, double ticks)
{
    return ticks / TIMING_TICKS / p->machine->mhz;
}

static void write_head(FILE *out, const struct profile *p)
{
    fprintf(out,
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
            "content=\"width=device-width\"><title>Profile on %s</title><style>%s</style></head><body>\n"
            "<h1>Profile on %s</h1>\n<p>Machine %s: ",
            p->machine->name, style, p->platform->ocloc, p->machine->name);
    html_text(p->machine->label, out);
    fprintf(
        out,
        ". Times are those of gensim's timing model. Its error against published measurements is in the "
        "documentation of <code>--timing</code>. Cycles of lines are clocks of EUs, added up over all of them.</p>\n");
    if (p->olds) {
        fputs("<p>Compared with <code>", out);
        html_text(p->old_path, out);
        fputs("</code>, on machine ", out);
        html_text(p->old_machine, out);
        fputs(".</p>\n", out);
    }
}

static void write_summary_row(FILE *out, const struct profile *p, const struct profile_kernel *k)
{
    const struct timing_counts *c = &k->counts;
    double time = (double)c->elapsed * (double)c->eus, clocks = nearbyint((double)c->elapsed / TIMING_TICKS);
    const struct profile_old *old = profile_find_old(p, k->name);
    fputs("<tr class=\"kernel\"><td>", out);
    html_text(k->name, out);
    fprintf(out,
            "</td><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%.0f</td><td class=\"n\">%.4g</td>"
            "<td class=\"n\">%" PRIu64 "</td><td class=\"n\">%.1f</td><td class=\"n\">%.1f</td>"
            "<td class=\"n\">%.1f</td><td class=\"n\">%.1f</td>",
            k->launches, clocks, microseconds(p, (double)c->elapsed), c->instructions, share((double)c->active, time),
            share(stalled(c), time), share((double)c->stalled[TIMING_CAUSE_NO_THREAD], time),
            share((double)c->resident, (double)c->elapsed * (double)c->slots));
    if (old)
        fprintf(out, "<td class=\"n\">%+.1f %%</td>",
                old->figure[FIGURE_CLOCKS] > 0 ? 100 * (clocks / old->figure[FIGURE_CLOCKS] - 1) : 0);
    else if (p->olds)
        fputs("<td class=\"n\">new</td>", out);
    fputs("</tr>\n", out);
}

static void write_summary(FILE *out, const struct profile *p)
{
    fputs("<h2>Kernels</h2>\n<table><tr><th>kernel</th><th class=\"n\">launches</th>"
          "<th class=\"n\">clocks</th><th class=\"n\">&micro;s</th><th class=\"n\">instructions</th>"
          "<th class=\"n\">EU active %</th><th class=\"n\">stalled %</th><th class=\"n\">idle %</th>"
          "<th class=\"n\">thread occupancy %</th>",
          out);
    if (p->olds)
        fputs("<th class=\"n\">change of clocks</th>", out);
    fputs("</tr>\n", out);
    for (const struct profile_kernel *k = p->kernels; k; k = k->next)
        write_summary_row(out, p, k);
    fputs("</table>\n", out);
}

static void write_bar(FILE *out, const struct profile_kernel *k)
{
    const struct timing_counts *c = &k->counts;
    double whole = (double)c->elapsed * (double)c->eus, stalled[TIMING_CAUSES];
    for (int i = 0; i < TIMING_CAUSES; i++)
        stalled[i] = share((double)c->stalled[i], whole);
    fputs("<h3>What the EUs do</h3>\n", out);
    profile_write_bar(out, share((double)c->active, whole), stalled);
}

static void scale(const struct profile_kernel *k, enum timing_series series, double factor, double *values)
{
    for (int i = 0; i < TIMING_BUCKETS; i++)
        values[i] = (double)k->series[series][i] * factor;
}

static void write_time(FILE *out, const struct profile *p, const struct profile_kernel *k)
{
    static double v[3][TIMING_BUCKETS];
    double each = (double)k->each, seconds = each / TIMING_TICKS / (1e6 * p->machine->mhz);
    size_t count = (size_t)((k->longest + k->each - 1) / k->each);
    double end = microseconds(p, (double)k->each * (double)count);
    struct svg_line busy[] = {{"threads on their slots", v[0]}, {"EUs active", v[1]}, {"EUs stalled", v[2]}};
    struct svg_line paths[] = {{"local memory", v[0]}, {"L3", v[1]}, {"memory", v[2]}};
    count = count < TIMING_BUCKETS ? count : TIMING_BUCKETS;
    scale(k, TIMING_SERIES_RESIDENT, 100 / (each * (double)k->counts.slots), v[0]);
    scale(k, TIMING_SERIES_ACTIVE, 100 / (each * (double)k->counts.eus), v[1]);
    scale(k, TIMING_SERIES_STALLED, 100 / (each * (double)k->counts.eus), v[2]);
    fputs("<h3>Over time, the longest launch</h3>\n", out);
    svg_chart(out, busy, 3, count, end, "%");
    scale(k, TIMING_SERIES_LOCAL, 1e-9 / seconds, v[0]);
    scale(k, TIMING_SERIES_L3, 1e-9 / seconds, v[1]);
    scale(k, TIMING_SERIES_DRAM, 1e-9 / seconds, v[2]);
    svg_chart(out, paths, 3, count, end, "GB/s");
}

static void write_roofline(FILE *out, const struct profile *p, const struct profile_kernel *k)
{
    const struct timing_counts *c = &k->counts;
    double seconds = microseconds(p, (double)c->elapsed) / 1e6, flops = (double)k->flops;
    struct svg_roof roof[] = {
        {"local memory", p->peaks.local, (double)c->local_bytes},
        {"L3", p->peaks.l3, (double)c->l3_bytes},
        {"memory, as streams reach it", p->peaks.limit, (double)(c->dram_read + c->dram_written)}};
    fputs("<h3>Roofline</h3>\n", out);
    if (k->flops == 0) {
        fputs("<p>The kernel has no operations on floats.</p>\n", out);
        return;
    }
    fprintf(out,
            "<p><span class=\"flops\">%" PRIu64 "</span> operations on floats (lanes that are off count too), "
            "%.4g of %.4g Gflop/s.</p>\n",
            k->flops, flops / seconds / 1e9, p->peaks.flops / 1e9);
    svg_roofline(out, roof, 3, p->peaks.flops, flops, seconds);
}

static int by_cost(const void *a, const void *b)
{
    const struct profile_line *x = *(const struct profile_line *const *)a, *y = *(const struct profile_line *const *)b;
    uint64_t first = profile_cost(x), second = profile_cost(y);
    if (first != second)
        return first < second ? 1 : -1;
    return x < y ? -1 : x > y;
}

/* What the tables of a kernel share. */
struct lines {
    const struct profile *p;
    const struct profile_kernel *k;
    const struct profile_old *old; /* NULL: nothing to compare with */
    double whole;                  /* clocks of all lines */
    unsigned causes;               /* bit i: cause i has clocks in some line, and so a column */
};

static struct lines describe_lines(const struct profile *p, const struct profile_kernel *k)
{
    struct lines l = {.p = p, .k = k, .old = profile_find_old(p, k->name)};
    for (size_t i = 0; i < k->lines; i++) {
        l.whole += (double)profile_cost(&k->line[i]);
        for (int c = 1; c < TIMING_CAUSES; c++)
            l.causes |= (unsigned)(profile_clocks(k->line[i].sum.stalled[c]) > 0) << c;
    }
    return l;
}

static void write_figures(FILE *out, const struct lines *l, const struct timing_line *sum, uint64_t cost)
{
    fprintf(out, "<td class=\"n\">%" PRIu64 "</td><td class=\"n\">%" PRIu64 "</td><td class=\"n\">%.1f</td>",
            sum->executed, cost, share((double)cost, l->whole));
    fprintf(out, "<td class=\"n\">%" PRIu64 "</td>", profile_clocks(sum->active));
    for (int i = 1; i < TIMING_CAUSES; i++)
        if (l->causes >> i & 1)
            fprintf(out, "<td class=\"n\">%" PRIu64 "</td>", profile_clocks(sum->stalled[i]));
}

/* `more`: another column of numbers, or NULL. */
static void write_columns(FILE *out, const struct lines *l, const char *first, const char *more, const char *last)
{
    fprintf(out,
            "<table><tr><th>%s</th><th class=\"n\">executed</th><th class=\"n\">cycles</th>"
            "<th class=\"n\">%%</th><th class=\"n\">active</th>",
            first);
    for (int i = 1; i < TIMING_CAUSES; i++)
        if (l->causes >> i & 1)
            fprintf(out, "<th class=\"n\">%s</th>", sim_stats_cause_name((enum timing_cause)i));
    if (more)
        fprintf(out, "<th class=\"n\">%s</th>", more);
    fprintf(out, "<th>%s</th></tr>\n", last);
}

static void write_visa_number(FILE *out, const char *visa)
{
    size_t digits = strspn(visa, "0123456789");
    if (digits)
        fprintf(out, " <span class=\"v\">(%.*s)</span>", (int)digits, visa);
}

static void write_lines(FILE *out, const struct lines *l, const struct profile_line **sorted)
{
    size_t never = 0, count = l->k->lines;
    for (size_t i = 0; i < count; i++)
        sorted[i] = &l->k->line[i];
    qsort(sorted, count, sizeof *sorted, by_cost);
    fputs("<h3>Gen instructions, hot ones first</h3>\n", out);
    write_columns(out, l, "offset", NULL, "instruction");
    for (size_t i = 0; i < count; i++) {
        never += sorted[i]->sum.executed == 0;
        if (sorted[i]->sum.executed == 0)
            continue;
        fprintf(out, "<tr class=\"line\"><td class=\"n\">%" PRIu32 "</td>", sorted[i]->text.offset);
        write_figures(out, l, &sorted[i]->sum, profile_cost(sorted[i]));
        fputs("<td class=\"t\">", out);
        html_text(sorted[i]->text.text, out);
        write_visa_number(out, sorted[i]->text.visa);
        fputs("</td></tr>\n", out);
    }
    fprintf(out, "</table>\n<p>%zu instructions were never executed.</p>\n", never);
}

/* Opens a source file where its name says, or the one of its last name in the folder of sources. */
static FILE *open_source(const struct profile *p, const char *path)
{
    char other[768];
    const char *slash = strrchr(path, '/');
    FILE *file = fopen(path, "re");
    if (file || !p->sources[0])
        return file;
    snprintf(other, sizeof other, "%s/%s", p->sources, slash ? slash + 1 : path);
    return fopen(other, "re");
}

/* The text of "FILE:LINE", if it can be read. */
static void write_source_text(FILE *out, const struct profile *p, const char *source)
{
    char path[192], line[256];
    const char *colon = strrchr(source, ':');
    snprintf(path, sizeof path, "%.*s", colon ? (int)(colon - source) : 0, source);
    sim_line_text(colon ? open_source(p, path) : NULL, colon ? strtol(colon + 1, NULL, 10) : 0, line, sizeof line);
    html_text(line, out);
}

static void add_line(struct profile_line *sum, const struct profile_line *line)
{
    sum->sum.executed += line->sum.executed;
    sum->sum.active += line->sum.active;
    for (int i = 0; i < TIMING_CAUSES; i++)
        sum->sum.stalled[i] += line->sum.stalled[i];
}

/* What lines are added up by. */
enum form { FORM_SOURCE, FORM_VISA };

static const char *form_text(const struct profile_line *line, enum form form)
{
    return form == FORM_SOURCE ? line->text.source : line->text.visa;
}

/* Sums of the lines with the same source, or of the same vISA instruction. Returns their number. */
static size_t sum_lines(const struct profile_kernel *k, enum form form, struct profile_line *sums)
{
    size_t count = 0, at = 0;
    for (size_t i = 0; i < k->lines; i++) {
        const struct profile_line *line = &k->line[i];
        const char *text = form_text(line, form);
        if (!text[0] || !line->sum.executed)
            continue;
        if (at >= count || strcmp(form_text(&sums[at], form), text) != 0) /* most often it is the last one's */
            for (at = 0; at < count && strcmp(form_text(&sums[at], form), text) != 0;)
                at++;
        if (at == count)
            sums[count++] = (struct profile_line){.text = line->text};
        add_line(&sums[at], line);
    }
    return count;
}

static size_t sort_sums(const struct profile_kernel *k, enum form form, struct profile_line *sums,
                        const struct profile_line **sorted)
{
    size_t count = sum_lines(k, form, sums);
    for (size_t i = 0; i < count; i++)
        sorted[i] = &sums[i];
    qsort(sorted, count, sizeof *sorted, by_cost);
    return count;
}

static void write_sources(FILE *out, const struct lines *l, struct profile_line *sums,
                          const struct profile_line **sorted)
{
    size_t count = sort_sums(l->k, FORM_SOURCE, sums, sorted);
    fputs("<h3>Source lines, hot ones first</h3>\n", out);
    if (count == 0) {
        fputs("<p>The program has no debug lines: compile it with <code>-g</code> (cmc) or "
              "<code>-options -gline-tables-only</code> (ocloc).</p>\n",
              out);
        return;
    }
    write_columns(out, l, "source", l->old ? "cycles before" : NULL, "text");
    for (size_t i = 0; i < count && i < MOST_SOURCES; i++) {
        fputs("<tr class=\"source\"><td>", out);
        html_text(sorted[i]->text.source, out);
        fputs("</td>", out);
        write_figures(out, l, &sorted[i]->sum, profile_cost(sorted[i]));
        if (l->old)
            fprintf(out, "<td class=\"n\">%.0f</td>", profile_old_cycles(l->old, sorted[i]->text.source));
        fputs("<td class=\"t\">", out);
        write_source_text(out, l->p, sorted[i]->text.source);
        fputs("</td></tr>\n", out);
    }
    fputs("</table>\n", out);
}

/* Only programs of cmc -g say which vISA they come from. */
static void write_visa(FILE *out, const struct lines *l, struct profile_line *sums, const struct profile_line **sorted)
{
    size_t count = sort_sums(l->k, FORM_VISA, sums, sorted);
    if (count == 0)
        return;
    fputs("<h3>vISA instructions, hot ones first</h3>\n<p>Gen instructions have the number of theirs in "
          "parentheses.</p>\n",
          out);
    write_columns(out, l, "number", NULL, "instruction");
    for (size_t i = 0; i < count; i++) {
        const char *text = sorted[i]->text.visa;
        size_t digits = strspn(text, "0123456789");
        fprintf(out, "<tr class=\"visa\"><td class=\"n\">%.*s</td>", (int)digits, text);
        write_figures(out, l, &sorted[i]->sum, profile_cost(sorted[i]));
        fputs("<td class=\"t\">", out);
        html_text(text + digits + (text[digits] == ' '), out);
        fputs("</td></tr>\n", out);
    }
    fputs("</table>\n", out);
}

static void write_clock(FILE *out, const struct timing_counts *c)
{
    if (!c->clock_readers)
        return;
    fputs("<p>The kernel reads its clock, ", out);
    if (c->clock_counted)
        fputs("which counts instructions: what it does then may differ from what it does on a GPU.", out);
    else if (c->clock_decides)
        fputs("and executes other instructions with the model's clock than those that are shown.", out);
    else
        fputs("which is the model's.", out);
    fputs("</p>\n", out);
}

static void write_kernel(FILE *out, const struct profile *p, const struct profile_kernel *k)
{
    const struct profile_line **sorted = calloc(k->lines + 1, sizeof *sorted);
    struct profile_line *sums = calloc(k->lines + 1, sizeof *sums);
    const struct lines l = describe_lines(p, k);
    fputs("<section><h2>", out);
    html_text(k->name, out);
    fprintf(out, "</h2>\n<p>SIMD%" PRIu32 ", hash %016" PRIx64 ", launches: %" PRIu64 ".</p>\n", k->simd, k->hash,
            k->launches);
    write_clock(out, &k->counts);
    write_bar(out, k);
    if (l.old)
        profile_write_comparison(out, p, k, l.old);
    write_time(out, p, k);
    write_roofline(out, p, k);
    if (sorted && sums) {
        write_sources(out, &l, sums, sorted);
        write_visa(out, &l, sums, sorted);
        write_lines(out, &l, sorted);
    }
    fputs("</section>\n", out);
    free(sorted);
    free(sums);
}

void profile_write_page(FILE *out, const struct profile *p)
{
    write_head(out, p);
    write_summary(out, p);
    for (const struct profile_kernel *k = p->kernels; k; k = k->next)
        write_kernel(out, p, k);
    fputs("</body></html>\n", out);
}
