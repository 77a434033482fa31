/* Compares two reports of cmbench, and says whether the newer one is within gates: `cmbench compare`. */
#include "benchmarks/harness/compare.h"

#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "benchmarks/harness/rows.h"

static const char usage[] =
    "usage: cmbench compare OLD.json NEW.json [--gate METRIC=N%,METRIC=N...]\n"
    "Compares two files of cmbench --json, row by row, and prints what has changed.\n"
    "\n"
    "      --gate LIST       how much larger a figure may be: N% of the old one, or N more. METRIC: a number's key, "
    "such\n"
    "                        as instructions, cycles (with --timing), spills. May be given again\n"
    "  -h, --help            print this\n"
    "\n"
    "Exit status: 0 all gates hold (or there are none); 1 a figure is over its gate, or a row of OLD is missing or no\n"
    "longer right in NEW; 2 the command line or a file is wrong.\n";

/* What is compared without gates. */
static const char *const all_metrics[] = {"instructions", "messages",  "bytes_read", "bytes_written",
                                          "cycles",       "registers", "spills"};
enum { ALL_METRICS = sizeof all_metrics / sizeof *all_metrics, MOST_GATES = 16 };

struct gate {
    char metric[32];
    double allowed; /* of the old figure, or more than it; negative: nothing is too much */
    int is_part;
};

struct comparison {
    struct rows older, newer;
    struct gate gate[MOST_GATES];
    size_t gates, changed, broken, missing, failed;
};

/* METRIC=N or METRIC=N%, of `size` bytes. */
static int read_gate(struct gate *gate, const char *text, size_t size)
{
    const char *equals = memchr(text, '=', size);
    size_t length = equals ? (size_t)(equals - text) : 0;
    char number[32] = "", *end;
    if (!length || length >= sizeof gate->metric || size - length - 1 >= sizeof number)
        return -1;
    memcpy(gate->metric, text, length);
    gate->metric[length] = '\0';
    memcpy(number, equals + 1, size - length - 1);
    gate->allowed = strtod(number, &end);
    gate->is_part = *end == '%';
    end += gate->is_part;
    return end == number || *end || !(gate->allowed >= 0) || isinf(gate->allowed) ? -1 : 0;
}

static int read_gates(struct comparison *c, const char *list)
{
    for (size_t size; *list || c->gates == 0; list += size + (list[size] == ',')) {
        size = strcspn(list, ",");
        if (c->gates == MOST_GATES || read_gate(&c->gate[c->gates], list, size)) {
            fprintf(stderr, "cmbench: error: --gate: '%.*s' is not METRIC=N or METRIC=N%% (at most %d of them)\n",
                    (int)size, list, MOST_GATES);
            return -1;
        }
        c->gates++;
    }
    return 0;
}

/* Without gates every metric is compared, and none is too large. */
static void take_all_metrics(struct comparison *c)
{
    for (; c->gates < ALL_METRICS; c->gates++) {
        snprintf(c->gate[c->gates].metric, sizeof c->gate[c->gates].metric, "%s", all_metrics[c->gates]);
        c->gate[c->gates].allowed = -1;
    }
}

/* A gate on a figure that no old row has would hold always. */
static int check_metrics(struct comparison *c)
{
    double number;
    for (size_t g = 0; g < c->gates; g++) {
        size_t row = 0;
        while (row < c->older.count && !rows_number(&c->older, row, c->gate[g].metric, &number))
            row++;
        if (row == c->older.count && c->gate[g].allowed >= 0) {
            fprintf(stderr, "cmbench: error: --gate: no row of %s has a number '%s'\n", c->older.path,
                    c->gate[g].metric);
            return -1;
        }
    }
    return 0;
}

static void print_names(struct comparison *c, size_t row)
{
    printf("%-12s %-16s %-6s %-22s", rows_text(&c->older, row, "workload"), rows_text(&c->older, row, "input"),
           rows_text(&c->older, row, "device"), rows_text(&c->older, row, "variant"));
}

static void compare_figure(struct comparison *c, const struct gate *gate, size_t row, size_t other)
{
    double before, after;
    if (!rows_number(&c->older, row, gate->metric, &before))
        return;
    int known = rows_number(&c->newer, other, gate->metric, &after);
    if (known && before == after)
        return;
    double most = gate->is_part ? before * (1 + gate->allowed / 100) : before + gate->allowed;
    int broken = gate->allowed >= 0 && (!known || after > most);
    c->changed++;
    c->broken += (size_t)broken;
    print_names(c, row);
    if (known)
        printf(" %-13s %13.0f %13.0f", gate->metric, before, after);
    else
        printf(" %-13s %13.0f %13s", gate->metric, before, "none");
    if (known && before > 0)
        printf(" %+9.2f %%", 100 * (after / before - 1));
    else
        printf(" %11s", "-");
    printf("%s\n", broken ? "  over the gate" : "");
}

static void compare_row(struct comparison *c, size_t row)
{
    size_t other = rows_find(&c->newer, &c->older, row);
    if (strcmp(rows_text(&c->older, row, "correct"), "true") != 0)
        return;
    if (other == c->newer.count) {
        c->missing++;
        print_names(c, row);
        puts(" is missing");
    } else if (strcmp(rows_text(&c->newer, other, "correct"), "true") != 0) {
        c->failed++;
        print_names(c, row);
        printf(" is not right any more: %s%s\n", rows_text(&c->newer, other, "failed"),
               rows_text(&c->newer, other, "skipped"));
    } else {
        for (size_t g = 0; g < c->gates; g++)
            compare_figure(c, &c->gate[g], row, other);
    }
}

static size_t count_new(struct comparison *c)
{
    size_t count = 0;
    for (size_t i = 0; i < c->newer.count; i++)
        count += rows_find(&c->older, &c->newer, i) == c->older.count;
    return count;
}

static int compare(struct comparison *c)
{
    if (check_metrics(c))
        return 2;
    printf("%-12s %-16s %-6s %-22s %-13s %13s %13s %11s\n", "workload", "input", "device", "variant", "figure", "old",
           "new", "change");
    for (size_t row = 0; row < c->older.count; row++)
        compare_row(c, row);
    printf("%zu rows: %zu figures changed, %zu over their gates; %zu rows missing, %zu not right any more, %zu new\n",
           c->older.count, c->changed, c->broken, c->missing, c->failed, count_new(c));
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("cmbench: error: standard output");
        return 2;
    }
    return c->broken || c->missing || c->failed ? 1 : 0;
}

static int compare_files(struct comparison *c, const char *older, const char *newer)
{
    int status = 2;
    if (rows_open(&c->older, older))
        return status;
    if (rows_open(&c->newer, newer) == 0) {
        status = compare(c);
        rows_close(&c->newer);
    }
    rows_close(&c->older);
    return status;
}

int compare_main(int count, char **words)
{
    static const struct option names[] = {
        {"gate", required_argument, NULL, 'g'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    struct comparison c = {0};
    int letter;
    while ((letter = getopt_long(count, words, "h", names, NULL)) != -1) {
        if (letter == 'h') {
            fputs(usage, stdout);
            return 0;
        }
        if (letter != 'g' || read_gates(&c, optarg))
            return 2; /* it has been said why */
    }
    if (count - optind != 2) {
        fputs("cmbench: error: compare needs two files: cmbench compare OLD.json NEW.json\n", stderr);
        return 2;
    }
    if (c.gates == 0)
        take_all_metrics(&c);
    return compare_files(&c, words[optind], words[optind + 1]);
}
