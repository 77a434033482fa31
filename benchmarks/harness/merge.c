/* Puts together what the parts of a --shard have left: reports of cmbench, or databases of `cmbench tune`. */
#include "benchmarks/harness/merge.h"

#include "benchmarks/harness/rows.h"
#include "benchmarks/harness/suite.h"
#include "benchmarks/harness/tunings.h"
#include "benchmarks/harness/worker.h"

#include <errno.h>
#include <getopt.h>
#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: cmbench merge OUT IN...\n"
    "Puts files of cmbench --shard together: reports (--json), or databases of cmbench tune. OUT has what one process\n"
    "without --shard would have written; it may be one of the IN, and is written when all of them are right.\n"
    "\n"
    "  -h, --help            print this\n"
    "\n"
    "Exit status: 0; 1 OUT cannot be written; 2 the command line or a file is wrong, or files do not fit together: "
    "they are\n"
    "of different versions, or two of them have the same row.\n";

enum { MOST_FILES = 1000 };

/* Reports. */

/* A row and its place: numbers of device, workload, input and variant in their tables; beyond them for unknown ones. */
struct place {
    struct rows *rows;
    size_t row, order[4];
};

struct reports {
    const struct bench_table *table;
    struct rows *files;
    size_t file_count;
    struct place *places;
    size_t count;
};

static size_t order_of_device(const char *name)
{
    size_t i = 0;
    while (i < platform_count && strcmp(platform_table[i].ocloc, name) != 0)
        i++;
    return i;
}

static size_t order_of_workload(const struct bench_table *table, const char *name)
{
    size_t i = 0;
    while (i < table->count && strcmp(table->workloads[i]->name, name) != 0)
        i++;
    return i;
}

static void set_order(const struct bench_table *table, struct place *place)
{
    const char *name = rows_text(place->rows, place->row, "workload");
    const char *input = rows_text(place->rows, place->row, "input");
    const char *variant = rows_text(place->rows, place->row, "variant");
    const struct workload *workload = table_find(table, name);
    place->order[0] = order_of_device(rows_text(place->rows, place->row, "device"));
    place->order[1] = order_of_workload(table, name);
    while (workload && place->order[2] < workload->input_count &&
           strcmp(workload->inputs[place->order[2]].name, input) != 0)
        place->order[2]++;
    while (workload && place->order[3] < workload->variant_count &&
           strcmp(workload->variants[place->order[3]].name, variant) != 0)
        place->order[3]++;
}

/* By the tables, then by the names that they do not have. */
static int compare_places(const void *one, const void *other)
{
    static const char *const names[] = {"device", "workload", "input", "variant"};
    const struct place *a = one, *b = other;
    for (size_t i = 0; i < 4; i++) {
        if (a->order[i] != b->order[i])
            return a->order[i] < b->order[i] ? -1 : 1;
        int text = strcmp(rows_text(a->rows, a->row, names[i]), rows_text(b->rows, b->row, names[i]));
        if (text)
            return text;
    }
    return 0;
}

static int read_reports(struct reports *reports, char *const *paths, size_t count)
{
    size_t rows = 0;
    reports->files = calloc(count, sizeof *reports->files);
    for (; reports->files && reports->file_count < count; reports->file_count++) {
        struct rows *file = &reports->files[reports->file_count];
        if (rows_open(file, paths[reports->file_count]))
            return -1;
        rows += file->count;
    }
    reports->places = calloc(rows + 1, sizeof *reports->places);
    if (reports->places)
        return 0;
    fputs("cmbench: error: out of memory\n", stderr);
    return -1;
}

static int check_version(const struct reports *reports, const struct place *place)
{
    const struct place *first = &reports->places[0];
    const char *version = rows_text(place->rows, place->row, "version");
    const char *wanted = rows_text(first->rows, first->row, "version");
    if (strcmp(version, wanted) == 0)
        return 0;
    fprintf(stderr, "cmbench: error: %s: made by version '%s', but %s by '%s': they cannot be merged\n",
            place->rows->path, version, first->rows->path, wanted);
    return -1;
}

static int list_rows(struct reports *reports)
{
    for (size_t i = 0; i < reports->file_count; i++)
        for (size_t row = 0; row < reports->files[i].count; row++) {
            struct place *place = &reports->places[reports->count++];
            *place = (struct place){.rows = &reports->files[i], .row = row};
            set_order(reports->table, place);
            if (check_version(reports, place))
                return -1;
        }
    qsort(reports->places, reports->count, sizeof *reports->places, compare_places);
    return 0;
}

static int check_twice(const struct reports *reports)
{
    for (size_t i = 1; i < reports->count; i++) {
        const struct place *one = &reports->places[i - 1], *other = &reports->places[i];
        if (compare_places(one, other) == 0) {
            fprintf(stderr, "cmbench: error: %s and %s both have %s %s %s %s\n", one->rows->path, other->rows->path,
                    rows_text(one->rows, one->row, "workload"), rows_text(one->rows, one->row, "input"),
                    rows_text(one->rows, one->row, "device"), rows_text(one->rows, one->row, "variant"));
            return -1;
        }
    }
    return 0;
}

static int print_rows(FILE *out, const struct reports *reports)
{
    fputs("[\n", out);
    for (size_t i = 0; i < reports->count; i++) {
        const struct place *place = &reports->places[i];
        fputs("  ", out);
        if (rows_print(out, place->rows, place->row)) {
            fprintf(stderr, "cmbench: error: %s: row %zu: not a report of cmbench\n", place->rows->path,
                    place->row + 1);
            return -1;
        }
        fputs(i + 1 < reports->count ? ",\n" : "\n", out);
    }
    fputs("]\n", out);
    return 0;
}

static int save_reports(const struct reports *reports, const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    int status = out ? print_rows(out, reports) ? 2 : 0 : 1;
    if (out && fclose(out) != 0)
        status = 1;
    if (status == 1)
        fputs("cmbench: error: out of memory\n", stderr);
    else if (status == 0 && report_save(path, text, size))
        status = 1;
    free(text);
    return status;
}

static int merge_reports(const struct bench_table *table, const char *path, char *const *paths, size_t count)
{
    struct reports reports = {.table = table};
    int status = 2;
    if (read_reports(&reports, paths, count) == 0 && list_rows(&reports) == 0 && check_twice(&reports) == 0)
        status = save_reports(&reports, path);
    for (size_t i = 0; i < reports.file_count; i++)
        rows_close(&reports.files[i]);
    free(reports.files);
    free(reports.places);
    return status;
}

/* Databases. */

/* Adds the lines of `from` that `to` does not have. One point with two results is an error. */
static int join(struct tunings *to, const struct tunings *from)
{
    const char *difference = tunings_difference(&to->head, &from->head);
    if (difference) {
        fprintf(stderr, "cmbench: error: %s and %s cannot be merged: they were measured with %s\n", to->path,
                from->path, difference);
        return -1;
    }
    for (size_t i = 0; i < from->count; i++) {
        const struct tuning *other = &from->items[i], *known = tunings_find(to, other->point);
        if (!known && tunings_keep(to, other))
            return -1;
        if (known && (known->outcome != other->outcome || known->time_ns != other->time_ns)) {
            fprintf(stderr, "cmbench: error: %s and %s have two results of point %s\n", to->path, from->path,
                    other->point);
            return -1;
        }
    }
    return 0;
}

static int join_file(struct tunings *to, const char *path)
{
    struct tunings from;
    if (tunings_read(&from, path))
        return -1;
    int status = join(to, &from);
    tunings_close(&from);
    return status;
}

static int save_tunings(const struct tunings *tunings, const char *path)
{
    size_t size = 0;
    char *text = tunings_text(tunings, &size);
    if (!text)
        fputs("cmbench: error: out of memory\n", stderr);
    int status = !text || report_save(path, text, size);
    free(text);
    return status;
}

static int merge_tunings(const char *path, char *const *paths, size_t count)
{
    struct tunings all;
    int status = 0;
    if (tunings_read(&all, paths[0]))
        return 2;
    for (size_t i = 1; i < count && !status; i++)
        status = join_file(&all, paths[i]) ? 2 : 0;
    if (!status)
        status = save_tunings(&all, path);
    tunings_close(&all);
    return status;
}

/* The first character of a file; -1 after a message. */
static int first_character(const char *path)
{
    FILE *file = fopen(path, "re");
    int c = file ? getc(file) : EOF;
    if (c == EOF)
        fprintf(stderr, "cmbench: error: %s: %s\n", path, file && !ferror(file) ? "it is empty" : strerror(errno));
    if (file)
        fclose(file);
    return c;
}

int merge_main(const struct bench_table *table, int count, char **words)
{
    static const struct option names[] = {{"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    int letter;
    while ((letter = getopt_long(count, words, "h", names, NULL)) != -1) {
        if (letter != 'h')
            return 2; /* getopt has printed why */
        fputs(usage, stdout);
        return 0;
    }
    if (count - optind < 2 || count - optind > MOST_FILES) {
        fputs("cmbench: error: merge needs a file to write and files to read: cmbench merge OUT IN...\n", stderr);
        return 2;
    }
    char **paths = words + optind + 1;
    size_t files = (size_t)(count - optind) - 1;
    int first = first_character(paths[0]);
    if (first < 0)
        return 2;
    return first == '{' ? merge_tunings(words[optind], paths, files)
                        : merge_reports(table, words[optind], paths, files);
}
