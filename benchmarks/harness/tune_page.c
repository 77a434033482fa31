/* Writes the page of `cmbench tune`: a heat map for each family and a table of all points, without scripts. */
#include "benchmarks/harness/tune.h"

#include "runtime/cmrun/output.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include "text/html.h"

static const char head[] =
    "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
    "<meta name=\"viewport\" content=\"width=device-width\">\n<title>cmbench tune</title>\n<style>\n"
    ":root { color-scheme: light dark; --heat: #d95f02; --line: #8888; }\n"
    "body { font: 15px/1.5 system-ui, sans-serif; max-width: 72rem; margin: 1rem auto; padding: 0 1rem; }\n"
    "svg { max-width: 100%; height: auto; font: 13px system-ui, sans-serif; } svg text { fill: currentColor; }\n"
    ".wide { overflow-x: auto; } table { border-collapse: collapse; }\n"
    "th, td { border-bottom: 1px solid var(--line); padding: 0.15rem 0.6rem; text-align: left; white-space: nowrap; }\n"
    "td.n { text-align: right; font-variant-numeric: tabular-nums; } tr.known { font-weight: 600; }\n"
    ".heat { fill: var(--heat); } .none { fill: none; stroke: var(--line); stroke-dasharray: 3 3; }\n"
    "</style>\n</head>\n<body>\n";

/* A cell of a heat map: the fastest of the points that share two values, or what became of them. */
struct cell {
    const struct tuning *best;
    size_t of_outcome[TUNED_COUNT], refused;
};

struct map {
    const struct bench_family *family;
    const struct points *points;
    const struct tunings *tunings;
    double least, most; /* times of all cells of the page: colours are the same in all maps */
};

static void add(const struct map *map, const struct point *point, struct cell *cell)
{
    const struct tuning *tuning = tunings_find(map->tunings, point->name);
    if (point->refused)
        cell->refused++;
    else
        cell->of_outcome[tuning ? tuning->outcome : TUNED_OPEN]++;
    if (tuning && tuning->outcome == TUNED_RIGHT && (!cell->best || tuning->time_ns < cell->best->time_ns))
        cell->best = tuning;
}

static struct cell collect(const struct map *map, size_t row, size_t column)
{
    struct cell cell = {0};
    for (size_t i = 0; i < map->points->count; i++) {
        const struct point *point = &map->points->items[i];
        if (point->family == map->family && point->choice[0] == row && point->choice[1] == column)
            add(map, point, &cell);
    }
    return cell;
}

/* What a cell without a time has: the strongest word. */
static const char *describe(const struct cell *cell)
{
    return cell->of_outcome[TUNED_OPEN]      ? "not tried"
           : cell->of_outcome[TUNED_FAILED]  ? "failed"
           : cell->of_outcome[TUNED_SPILLS]  ? "spills"
           : cell->of_outcome[TUNED_UNBUILT] ? "not built"
           : cell->of_outcome[TUNED_SKIPPED] ? "skipped"
                                             : "refused";
}

enum { CELL_WIDTH = 92, CELL_HEIGHT = 34, LEFT = 120, TOP = 44 };

static void print_cell(FILE *out, const struct map *map, size_t row, size_t column)
{
    struct cell cell = collect(map, row, column);
    size_t x = LEFT + column * CELL_WIDTH, y = TOP + row * CELL_HEIGHT;
    double heat = 0;
    if (cell.best && map->most > map->least)
        heat = log(cell.best->time_ns / map->least) / log(map->most / map->least);
    fprintf(out, "<rect class=\"%s\" x=\"%zu\" y=\"%zu\" width=\"%d\" height=\"%d\" fill-opacity=\"%.2f\">",
            cell.best ? "heat" : "none", x + 1, y + 1, CELL_WIDTH - 2, CELL_HEIGHT - 2, 0.6 - 0.55 * heat);
    if (cell.best) {
        fputs("<title>", out);
        html_text(cell.best->point, out);
        fputs("</title>", out);
    }
    fprintf(out, "</rect><text x=\"%zu\" y=\"%zu\" text-anchor=\"middle\">", x + CELL_WIDTH / 2,
            y + CELL_HEIGHT / 2 + 5);
    if (cell.best)
        fprintf(out, "%.1f", cell.best->time_ns / 1000);
    else
        fputs(describe(&cell), out);
    fputs("</text>\n", out);
}

static void print_axes(FILE *out, const struct bench_parameter *rows, const struct bench_parameter *columns,
                       size_t column_count)
{
    if (columns->name)
        fprintf(out, "<text x=\"%d\" y=\"16\">%s</text>\n", LEFT, columns->name);
    for (size_t i = 0; columns->name && i < column_count; i++)
        fprintf(out, "<text x=\"%zu\" y=\"%d\" text-anchor=\"middle\">%d</text>\n",
                LEFT + i * CELL_WIDTH + CELL_WIDTH / 2, TOP - 8, columns->choices[i]);
    for (size_t i = 0; rows->name && i < rows->count; i++)
        fprintf(out, "<text x=\"%d\" y=\"%zu\" text-anchor=\"end\">%s %d</text>\n", LEFT - 8,
                TOP + i * CELL_HEIGHT + CELL_HEIGHT / 2 + 5, rows->name, rows->choices[i]);
}

static void print_map(FILE *out, const struct map *map)
{
    const struct bench_parameter *parameters = map->family->parameters;
    size_t rows = parameters[0].name ? parameters[0].count : 1;
    size_t columns = parameters[0].name && parameters[1].name ? parameters[1].count : 1;
    fputs("<h2>", out);
    html_text(map->family->name, out);
    fputs("</h2>\n<p>", out);
    html_text(map->family->text, out);
    fputs("; microseconds of the fastest point for each choice</p>\n", out);
    fprintf(out, "<svg role=\"img\" viewBox=\"0 0 %zu %zu\" width=\"%zu\">\n", LEFT + columns * CELL_WIDTH + 4,
            TOP + rows * CELL_HEIGHT + 4, LEFT + columns * CELL_WIDTH + 4);
    print_axes(out, &parameters[0], &parameters[1], columns);
    for (size_t row = 0; row < rows; row++)
        for (size_t column = 0; column < columns; column++)
            print_cell(out, map, row, column);
    fputs("</svg>\n", out);
}

static void print_row(FILE *out, const struct point *point, const struct tuning *tuning)
{
    fprintf(out, "<tr%s><td>", point->known ? " class=\"known\"" : "");
    html_text(tuning->point, out);
    fputs("</td><td>", out);
    html_text(point->known ? point->known->name : "", out);
    fprintf(out, "</td><td class=\"n\">%.1f</td><td class=\"n\">%.0f</td><td class=\"n\">%" PRIu64, //
            tuning->time_ns / 1000, tuning->cycles, tuning->instructions);
    fprintf(out, "</td><td class=\"n\">%d</td><td class=\"n\">%d</td></tr>\n", tuning->registers, tuning->spills);
}

static void print_table(FILE *out, const struct points *points, const struct tuning *const *ranked, size_t count)
{
    fputs("<h2>All measured points</h2>\n<div class=\"wide\"><table>\n<tr><th>point</th><th>known as</th><th>us</th>"
          "<th>cycles</th><th>instructions</th><th>registers</th><th>spilled bytes</th></tr>\n",
          out);
    for (size_t i = 0; i < count; i++)
        print_row(out, tune_point(points, ranked[i]->point), ranked[i]);
    fputs("</table></div>\n", out);
}

static void print_head(FILE *out, const struct tunings_head *words)
{
    fputs(head, out);
    fputs("<h1>", out);
    html_text(words->word[TUNINGS_WORKLOAD], out);
    fputs(", ", out);
    html_text(words->word[TUNINGS_INPUT], out);
    fputs(", on ", out);
    html_text(words->word[TUNINGS_MACHINE], out);
    fputs("</h1>\n<p>", out);
    html_text(words->word[TUNINGS_WITH], out);
    fputs("</p>\n", out);
}

static void print_page(FILE *out, const struct tune_options *options, const struct points *points,
                       const struct tunings *tunings)
{
    size_t count;
    const struct tuning **ranked = tune_ranked(points, tunings, &count);
    struct map map = {.points = points, .tunings = tunings};
    if (ranked && count) {
        map.least = ranked[0]->time_ns;
        map.most = ranked[count - 1]->time_ns;
    }
    print_head(out, &tunings->head);
    for (size_t i = 0; i < options->workload->family_count; i++) {
        map.family = &options->workload->families[i];
        print_map(out, &map);
    }
    if (ranked)
        print_table(out, points, ranked, count);
    fputs("</body>\n</html>\n", out);
    free(ranked);
}

int tune_page(const struct tune_options *options, const struct points *points, const struct tunings *tunings)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out)
        print_page(out, options, points, tunings);
    int status = -1;
    if (!out || fclose(out) != 0)
        fprintf(stderr, "cmbench: error: %s: out of memory\n", options->html);
    else
        status = report_save(options->html, text, size);
    free(text);
    return status;
}
