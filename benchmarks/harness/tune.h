/* Declares the command `cmbench tune`: its search, its order, its reports. */
#ifndef CMKIT_BENCHMARKS_HARNESS_TUNE_H
#define CMKIT_BENCHMARKS_HARNESS_TUNE_H

#include "benchmarks/harness/points.h"
#include "benchmarks/harness/suite.h"
#include "benchmarks/harness/tunings.h"

/* Runs it with the words after `cmbench`; returns the exit status. */
int tune_main(const struct bench_table *table, int count, char **words);

struct tune_options {
    const struct workload *workload;
    struct bench_input input;
    const char *machine_word; /* as on the command line */
    struct bench_device_choice device;
    const char *machine;   /* of the timing model; NULL: the platform's first */
    double eus, subslices; /* of the machine; for the GPU's, those of the smallest simulated one */
    double budget;         /* minutes; negative: none */
    unsigned long most;    /* evaluations of this run; 0: all points */
    const char *family, *database, *html, *programs, *threads;
    struct shard shard; /* of the points */
    int list;
    int exit_status; /* if nothing runs: after --help or a wrong option; else -1 */
};

/* tune_options.c: prints what is wrong and sets exit_status to 2. */
void tune_options_read(const struct bench_table *table, int count, char **words, struct tune_options *options);

/* tune_order.c: the next point to try of those that `tunings` has not; NULL: there is none. Known points come first, in
 * their order; then the one with the least predicted time: its estimate, corrected by what measured points of its
 * family took, the nearest most. */
const struct point *tune_next(const struct points *points, const struct shard *shard, const struct tunings *tunings);

/* tune_report.c */
struct tune_summary {
    size_t points, refused, of_outcome[TUNED_COUNT]; /* TUNED_OPEN: not tried yet */
    const struct tuning *best, *known;               /* the fastest; the fastest of the known ones; NULL: none */
};
void tune_summarize(const struct points *points, const struct shard *shard, const struct tunings *tunings,
                    struct tune_summary *summary);
void tune_print(FILE *out, const struct points *points, const struct shard *shard, const struct tunings *tunings);

/* Returns right tunings that are points, the fastest first; the caller frees the list. NULL without memory. */
const struct tuning **tune_ranked(const struct points *points, const struct tunings *tunings, size_t *count);
const struct point *tune_point(const struct points *points, const char *name);

/* tune_page.c: writes a page with a heat map for each family and all points. Returns 0, or -1 after a message. */
int tune_page(const struct tune_options *options, const struct points *points, const struct tunings *tunings);

#endif
