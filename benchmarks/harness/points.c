/* Lists the points of a workload's families: the product of their parameters' choices. */
#include "benchmarks/harness/points.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

size_t family_parameters(const struct bench_family *family)
{
    size_t count = 0;
    while (count < BENCH_PARAMETERS && family->parameters[count].name)
        count++;
    return count;
}

static size_t count_points(const struct bench_family *family)
{
    size_t count = 1;
    for (size_t i = 0; i < family_parameters(family); i++)
        count *= family->parameters[i].count;
    return count;
}

static const struct bench_known *find_known(const struct bench_family *family, const int *values)
{
    size_t bytes = family_parameters(family) * sizeof *values;
    for (size_t i = 0; i < family->known_count; i++)
        if (memcmp(family->known[i].values, values, bytes) == 0)
            return &family->known[i];
    return NULL;
}

static void append(char *text, size_t size, const char *format, const char *word, int value)
{
    size_t used = strlen(text);
    int length = snprintf(text + used, size - used, format, word, value);
    assert(length >= 0 && used + (size_t)length < size); /* a table's words are short */
    (void)length;
}

/* Makes point number `number` of a family. */
static void make(const struct bench_family *family, size_t number, struct point *point)
{
    *point = (struct point){.family = family};
    snprintf(point->name, sizeof point->name, "%s", family->name);
    snprintf(point->options, sizeof point->options, "-DFAMILY_%s", family->name);
    for (size_t i = 0; i < family_parameters(family); i++) {
        const struct bench_parameter *parameter = &family->parameters[i];
        point->choice[i] = number % parameter->count;
        number /= parameter->count;
        point->values[i] = parameter->choices[point->choice[i]];
        append(point->name, sizeof point->name, i ? ",%s=%d" : ":%s=%d", parameter->name, point->values[i]);
        append(point->options, sizeof point->options, " -D%s=%d", parameter->name, point->values[i]);
    }
    point->known = find_known(family, point->values);
    if (!point->known && family->refuses)
        point->refused = family->refuses(point->values);
}

static void add_numbers(const struct bench_input *input, struct point *point)
{
    size_t used = strlen(point->options);
    for (size_t i = 0; i < 4 && point->family->numbers && used < sizeof point->options; i++)
        used += (size_t)snprintf(point->options + used, sizeof point->options - used, " -DN%zu=%zu", i, input->n[i]);
    assert(used < sizeof point->options);
}

/* The EUs' clocks, or the subslices' for a line each, whichever are more; a thread of a last, incomplete turn counts as
 * all of them. */
static double estimate(const struct bench_work *work, double eus, double subslices)
{
    return fmax(ceil(work->threads / eus) * work->clocks, ceil(work->threads / subslices) * work->lines);
}

int points_list(const struct workload *workload, const char *family, const struct bench_input *input, double eus,
                double subslices, struct points *points)
{
    size_t room = 0;
    assert(eus >= 1 && subslices >= 1);
    for (size_t f = 0; f < workload->family_count; f++)
        room += count_points(&workload->families[f]);
    *points = (struct points){.items = calloc(room ? room : 1, sizeof *points->items)};
    if (!points->items)
        return -1;
    for (size_t f = 0; f < workload->family_count; f++) {
        const struct bench_family *of = &workload->families[f];
        for (size_t i = 0; i < count_points(of) && (!family || strcmp(family, of->name) == 0); i++) {
            struct point *point = &points->items[points->count++];
            make(of, i, point);
            add_numbers(input, point);
            struct bench_work work = of->work(input, point->values);
            point->estimate = estimate(&work, eus, subslices);
        }
    }
    return 0;
}

void points_free(struct points *points)
{
    free(points->items);
    *points = (struct points){0};
}

int points_find(const struct workload *workload, const char *name, struct point *point)
{
    for (size_t f = 0; f < workload->family_count; f++) {
        const struct bench_family *family = &workload->families[f];
        for (size_t i = 0; i < count_points(family); i++) {
            make(family, i, point);
            if (strcmp(point->name, name) == 0)
                return 0;
        }
    }
    return -1;
}

void point_variant(const struct point *point, struct bench_variant *variant)
{
    *variant = (struct bench_variant){.name = point->name,
                                      .language = point->family->language,
                                      .options = point->options,
                                      .values = point->values,
                                      .run = point->family->run,
                                      .text = point->family->text};
}
