/* Writes the report as one HTML page: the command, charts as SVG, and every result in a table. It loads nothing and has
 * no scripts. */
#include "benchmarks/harness/suite.h"
#include "text/html.h"

#include <inttypes.h>
#include <string.h>

enum { BAR_HEIGHT = 18, ROW_HEIGHT = 44, CHARACTER_WIDTH = 8, CHART_WIDTH = 640 };

static int label_width; /* width of the page's longest label */

static const char style[] =
    "body{font:15px/1.4 sans-serif;margin:2em auto;max-width:75em;padding:0 1em}"
    "table{border-collapse:collapse;margin:1em 0}td,th{padding:.15em .7em;border-bottom:1px solid #ddd;text-align:left}"
    "td.n{text-align:right;font-variant-numeric:tabular-nums}.bad{color:#b00}.skip{color:#777}text{font:13px "
    "sans-serif}"
    "code{background:#f4f4f4;padding:0 .2em}";

static void print_heading(FILE *out, const struct options *options, const struct results *results)
{
    fprintf(out,
            "<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
            "charset=\"utf-8\"><title>cmbench</title><style>%s</style></head>"
            "<body>\n<h1>CM and OpenCL side by side</h1>\n<p>cmbench %s, command line: <code>",
            style, CMKIT_VERSION);
    html_text(options->command, out);
    fputs("</code></p>\n<ul>\n", out);
    for (size_t d = 0; d < options->device_count; d++)
        for (size_t i = 0; i < results->count; i++) {
            const struct result *result = &results->items[i];
            if (result->platform != options->devices[d].platform || !*result->device)
                continue;
            fprintf(out, "<li>%s: ", result->platform->ocloc);
            html_text(result->device, out);
            fputs(", ", out);
            html_text(result->driver, out);
            fputs(options->devices[d].simulated ? ", simulated</li>\n" : "</li>\n", out);
            break;
        }
    fputs("</ul>\n<pre>", out);
    html_text(results->versions, out);
    fputs("</pre>\n", out);
}

/* True for a correct CM result on the platform, if there is an OpenCL result to compare with. */
static const struct result *compared(const struct results *results, size_t index, const struct platform *platform)
{
    const struct result *cm = &results->items[index];
    int chosen = cm->platform == platform && cm->variant->language == BENCH_CM && cm->outcome == OUTCOME_OK;
    return chosen && result_cost(cm) ? results_best(results, cm) : NULL;
}

static double ratio_of(const struct result *cm, const struct result *best)
{
    return (double)result_cost(best) / (double)result_cost(cm);
}

/* The chart's unit: pixels of one CM result, so that the longest bar fits. */
static double scale_of(const struct results *results, const struct platform *platform, size_t *rows)
{
    double most = 1;
    *rows = 0;
    for (size_t i = 0; i < results->count; i++) {
        const struct result *cm = &results->items[i], *best = compared(results, i, platform);
        if (!best)
            continue;
        ++*rows;
        most = ratio_of(cm, best) > most ? ratio_of(cm, best) : most;
        most = cm->workload->published.high > most ? cm->workload->published.high : most;
    }
    return CHART_WIDTH / most;
}

static void print_bar(FILE *out, double y, double width, const char *colour, const char *text)
{
    fprintf(
        out,
        "<rect x=\"%d\" y=\"%.0f\" width=\"%.1f\" height=\"%d\" fill=\"%s\"/><text x=\"%.1f\" y=\"%.0f\">%s</text>\n",
        label_width, y, width, BAR_HEIGHT, colour, label_width + width + 5, y + BAR_HEIGHT - 4, text);
}

static void describe(const struct bench_published *published, char *text, size_t size)
{
    if (published->low == published->high)
        snprintf(text, size, "%.3g (%s)", published->high, published->text);
    else if (published->low > 0)
        snprintf(text, size, "%.3g to %.3g (%s)", published->low, published->high, published->text);
    else
        snprintf(text, size, "up to %.3g (%s)", published->high, published->text);
}

static void print_row(FILE *out, size_t row, double scale, const struct result *cm, const struct result *best)
{
    char text[128];
    double y = (double)row * ROW_HEIGHT + 4;
    const struct bench_published *published = &cm->workload->published;
    fprintf(out, "<text x=\"0\" y=\"%.0f\">", y + BAR_HEIGHT - 4);
    html_text(cm->workload->name, out);
    fputc(' ', out);
    html_text(cm->input, out);
    if (strcmp(cm->variant->name, "cm") != 0) {
        fputs(" (", out);
        html_text(cm->variant->name, out);
        fputc(')', out);
    }
    fputs("</text>\n", out);
    if (cm->timed) {
        struct result_speedup speedup = result_compare(cm, best);
        char range[64];
        result_describe(&speedup, range, sizeof range);
        snprintf(text, sizeof text, "%s, %s", range, best->variant->name);
    } else {
        snprintf(text, sizeof text, "%.2f (%s)", ratio_of(cm, best), best->variant->name);
    }
    print_bar(out, y, ratio_of(cm, best) * scale, ratio_of(cm, best) < 1 ? "#c66" : "#48a", text);
    if (published->high > 0) {
        describe(published, text, sizeof text);
        print_bar(out, y + BAR_HEIGHT + 1, published->high * scale, "#ccc", text);
    }
}

static void print_chart(FILE *out, const struct results *results, const struct platform *platform)
{
    size_t rows, row = 0;
    double scale = scale_of(results, platform, &rows);
    if (!rows)
        return;
    fprintf(out, "<h2>%s: the best OpenCL kernel over CM</h2>\n", platform->ocloc);
    fprintf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%zu\" role=\"img\">\n",
            label_width + CHART_WIDTH + 260, rows * ROW_HEIGHT + 10);
    for (size_t i = 0; i < results->count; i++) {
        const struct result *best = compared(results, i, platform);
        if (best)
            print_row(out, row++, scale, &results->items[i], best);
    }
    fprintf(out, "<line x1=\"%.1f\" x2=\"%.1f\" y1=\"0\" y2=\"%zu\" stroke=\"#000\" stroke-dasharray=\"3\"/>\n</svg>\n",
            label_width + scale, label_width + scale, rows * ROW_HEIGHT);
}

static void print_number(FILE *out, int known, uint64_t number)
{
    if (known)
        fprintf(out, "<td class=\"n\">%" PRIu64 "</td>", number);
    else
        fputs("<td></td>", out);
}

static void print_result(FILE *out, const struct result *result)
{
    const char *const cells[] = {result->workload->title, result->input, result->platform->ocloc,
                                 result->variant->name};
    fputs("<tr>", out);
    for (size_t i = 0; i < sizeof cells / sizeof *cells; i++) {
        fputs("<td>", out);
        html_text(cells[i], out);
        fputs("</td>", out);
    }
    if (result->outcome != OUTCOME_OK) {
        int skipped = result->outcome == OUTCOME_SKIPPED;
        fprintf(out, "<td colspan=\"7\" class=\"%s\">%s: ", skipped ? "skip" : "bad", skipped ? "skipped" : "failed");
        html_text(result->reason, out);
        fputs("</td></tr>\n", out);
        return;
    }
    print_number(out, result->counted, result->instructions);
    print_number(out, result->counted, result->messages);
    print_number(out, result->counted, result->bytes_read);
    print_number(out, result->counted, result->bytes_written);
    print_number(out, !result->counted, result->event_ns);
    print_number(out, result->registers >= 0, (uint64_t)result->registers);
    print_number(out, result->spills >= 0, (uint64_t)result->spills);
    fputs("</tr>\n", out);
}

static void print_table(FILE *out, const struct results *results)
{
    fputs("<h2>Results</h2>\n<table><tr><th>workload<th>input<th>device<th>variant<th>instructions<th>messages"
          "<th>bytes read<th>bytes written<th>ns<th>registers<th>spills</tr>\n",
          out);
    for (size_t i = 0; i < results->count; i++)
        print_result(out, &results->items[i]);
    fputs("</table>\n<h2>Inputs</h2>\n<ul>\n", out);
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->items[i], *before = i ? result - 1 : NULL;
        if (before && before->workload == result->workload && strcmp(before->input, result->input) == 0)
            continue;
        fprintf(out, "<li>%s ", result->workload->title);
        html_text(result->input, out);
        fputs(": ", out);
        html_text(result->input_text, out);
        fputs("</li>\n", out);
    }
    fputs("</ul>\n", out);
}

/* Labels are the workload, the input and, in parentheses, the variant. */
static void measure_labels(const struct results *results)
{
    size_t most = 0;
    for (size_t i = 0; i < results->count; i++) {
        const struct result *result = &results->items[i];
        size_t length = strlen(result->workload->name) + 1 + strlen(result->input);
        if (result->variant->language == BENCH_CM && strcmp(result->variant->name, "cm") != 0)
            length += 3 + strlen(result->variant->name);
        most = length > most ? length : most;
    }
    label_width = (int)most * CHARACTER_WIDTH + 8;
}

void report_html(FILE *out, const struct options *options, const struct results *results)
{
    int counted = 0, timed = 0;
    measure_labels(results);
    print_heading(out, options, results);
    for (size_t i = 0; i < results->count; i++)
        counted |= results->items[i].counted, timed |= results->items[i].timed;
    fputs(
        timed
            ? "<p>Times by gensim's timing model, whose error is published: docs/results/timing.md. A range is that of"
              " draws of its constants, widened by that error.</p>\n"
        : counted
            ? "<p>Executed Gen instructions on simulated GPUs. They are counts and no times: a message that waits for"
              " memory counts as much as an addition.</p>\n"
            : "<p>Nanoseconds of Level Zero events.</p>\n",
        out);
    fputs("<p>Blue: the best OpenCL kernel over CM; red where CM is behind. Grey: what was published, as the ratio of "
          "times on Ice Lake.</p>\n",
          out);
    for (size_t d = 0; d < options->device_count; d++)
        print_chart(out, results, options->devices[d].platform);
    print_table(out, results);
    fputs("</body></html>\n", out);
}
