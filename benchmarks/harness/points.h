/* Declares the points of a workload's families: every choice of their parameters' values. */
#ifndef CMKIT_BENCHMARKS_HARNESS_POINTS_H
#define CMKIT_BENCHMARKS_HARNESS_POINTS_H

#include "benchmarks/harness/workload.h"

struct point {
    const struct bench_family *family;
    const struct bench_known *known; /* NULL: nothing is known of it before */
    size_t choice[BENCH_PARAMETERS]; /* which of a parameter's choices */
    int values[BENCH_PARAMETERS];
    char name[160];    /* "block_read:ROWS=32,WIDTH=2"; without parameters the family's name */
    char options[256]; /* for the compilers */
    const char *refused;
    double estimate; /* clocks, by bench_work; only its relation to others' means something */
};

struct points {
    struct point *items;
    size_t count;
};

/* Lists the points of the families of `workload` (of one family, unless `family` is NULL) for a machine of `eus`
 * execution units in `subslices`. Returns 0, or -1 without memory. */
int points_list(const struct workload *workload, const char *family, const struct bench_input *input, double eus,
                double subslices, struct points *points);
void points_free(struct points *points);

/* Fills `point` with the point called `name`, without its estimate and the input's numbers. Returns 0, or -1 if there
 * is none. */
int points_find(const struct workload *workload, const char *name, struct point *point);

/* Fills the variant that runs the point. It refers to the point. */
void point_variant(const struct point *point, struct bench_variant *variant);

/* Returns how many parameters a family has. */
size_t family_parameters(const struct bench_family *family);

#endif
