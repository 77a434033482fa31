/* Prints what `cmbench tune` has found: a table of the fastest points and of the known ones, and how many of each kind
 * there are. */
#include "benchmarks/harness/tune.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SHOWN = 15 };

const struct point *tune_point(const struct points *points, const char *name)
{
    for (size_t i = 0; i < points->count; i++)
        if (strcmp(points->items[i].name, name) == 0)
            return &points->items[i];
    return NULL;
}

static int by_time(const void *one, const void *other)
{
    const struct tuning *a = *(const struct tuning *const *)one, *b = *(const struct tuning *const *)other;
    return a->time_ns < b->time_ns ? -1 : a->time_ns > b->time_ns ? 1 : strcmp(a->point, b->point);
}

const struct tuning **tune_ranked(const struct points *points, const struct tunings *tunings, size_t *count)
{
    const struct tuning **ranked = malloc((tunings->count + 1) * sizeof *ranked);
    *count = 0;
    if (!ranked)
        return NULL;
    for (size_t i = 0; i < tunings->count; i++)
        if (tunings->items[i].outcome == TUNED_RIGHT && tune_point(points, tunings->items[i].point))
            ranked[(*count)++] = &tunings->items[i];
    qsort(ranked, *count, sizeof *ranked, by_time);
    return ranked;
}

static void faster(const struct tuning **best, const struct tuning *tuning)
{
    if (tuning->outcome == TUNED_RIGHT && (!*best || by_time(&tuning, best) < 0))
        *best = tuning;
}

void tune_summarize(const struct points *points, const struct shard *shard, const struct tunings *tunings,
                    struct tune_summary *summary)
{
    *summary = (struct tune_summary){0};
    for (size_t i = 0; i < points->count; i++) {
        const struct point *point = &points->items[i];
        const struct tuning *tuning = tunings_find(tunings, point->name);
        if (!tuning && !shard_has(shard, i))
            continue;
        summary->points++;
        if (point->refused) {
            summary->refused++;
            continue;
        }
        summary->of_outcome[tuning ? tuning->outcome : TUNED_OPEN]++;
        if (tuning)
            faster(&summary->best, tuning);
        if (tuning && point->known)
            faster(&summary->known, tuning);
    }
}

static void print_row(FILE *out, size_t rank, const struct point *point, const struct tuning *tuning)
{
    fprintf(out, "%4zu %12.1f", rank, tuning->time_ns / 1000);
    if (tuning->instructions)
        fprintf(out, " %12" PRIu64, tuning->instructions);
    else
        fprintf(out, " %12s", "-");
    fprintf(out, " %5d %6d  %s%s%s%s\n", tuning->registers, tuning->spills, point->name, point->known ? " (" : "",
            point->known ? point->known->name : "", point->known ? ")" : "");
}

static void print_ranks(FILE *out, const struct points *points, const struct tunings *tunings)
{
    size_t count;
    const struct tuning **ranked = tune_ranked(points, tunings, &count);
    fprintf(out, "\n%4s %12s %12s %5s %6s  %s\n", "", "us", "instructions", "regs", "spills", "point");
    for (size_t i = 0; ranked && i < count; i++) {
        const struct point *point = tune_point(points, ranked[i]->point);
        if (i < SHOWN || point->known)
            print_row(out, i + 1, point, ranked[i]);
    }
    free(ranked);
}

static void print_failures(FILE *out, const struct points *points, const struct tunings *tunings)
{
    for (size_t i = 0; i < tunings->count; i++) {
        const struct tuning *tuning = &tunings->items[i];
        if ((tuning->outcome == TUNED_FAILED || tuning->outcome == TUNED_UNBUILT) && tune_point(points, tuning->point))
            fprintf(out, "%s: %s: %s\n", tuning->point, tuned_names[tuning->outcome], tuning->reason);
    }
}

void tune_print(FILE *out, const struct points *points, const struct shard *shard, const struct tunings *tunings)
{
    struct tune_summary summary;
    tune_summarize(points, shard, tunings, &summary);
    const size_t *of = summary.of_outcome;
    print_ranks(out, points, tunings);
    print_failures(out, points, tunings);
    fprintf(out,
            "%zu points: %zu measured, %zu left out for their spills, %zu refused before a compiler saw them, %zu not "
            "built, %zu failed, %zu skipped, %zu not tried yet\n",
            summary.points, of[TUNED_RIGHT], of[TUNED_SPILLS], summary.refused, of[TUNED_UNBUILT], of[TUNED_FAILED],
            of[TUNED_SKIPPED], of[TUNED_OPEN]);
    if (summary.best)
        fprintf(out, "fastest: %s, %.1f us\n", summary.best->point, summary.best->time_ns / 1000);
    if (summary.known)
        fprintf(out, "fastest of the known ones: %s, %.1f us, %.2f times as long\n", summary.known->point,
                summary.known->time_ns / 1000, summary.known->time_ns / summary.best->time_ns);
}
