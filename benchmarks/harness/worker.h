/* Runs one variant on one input in a process of its own, under gensim or on the machine's GPU. A fault stops only this
 * process, and gensim's counts are this variant's alone. The parent is suite.c. */
#ifndef CMKIT_BENCHMARKS_HARNESS_WORKER_H
#define CMKIT_BENCHMARKS_HARNESS_WORKER_H

#include "benchmarks/harness/workload.h"

#include <stdio.h>

/* A request to a worker, in the order of its command line; n: the input's numbers, because --size can change them. */
struct worker_request {
    const char *workload, *input, *variant;
    size_t n[4];
    const char *program; /* the zebin */
    unsigned repeat;
    const char *report;  /* the file for its answer */
    const char *keep;    /* write the results there ("-": no) */
    const char *against; /* compare the results with those kept there ("-": no) */
};

enum { WORKER_REQUEST_WORDS = 12 };
/* The report's lines: KEY VALUE. The last one is the outcome: "ok", "failed REASON" or "skipped REASON"; without one,
 * the worker was stopped. Keys: device, driver, kernel (one line for each launched kernel), event_ns. */

int worker_main(const struct bench_table *table, char **words);

const struct workload *table_find(const struct bench_table *table, const char *name);

/* outcome.c: opens the worker's report, and ends the worker with the outcome "ok". */
FILE *outcome_open(const char *path);
_Noreturn void outcome_ok(void);

/* array.c: counts the elements of `result` that are wrong (and returns the first); the other function ends the worker
 * if there are any. */
size_t array_compare(const struct bench_array *result, const struct bench_array *expected, double relative,
                     double absolute, size_t *first);
void array_check(const struct bench_array *result, const struct bench_array *expected, double relative, double absolute,
                 const char *whose);
void array_poison(struct bench_array *array);

/* run.c */
struct bench_run *run_open(const char *program, unsigned needs, FILE *report);
void run_begin(struct bench_run *run);   /* a repetition */
uint64_t run_end(struct bench_run *run); /* nanoseconds of its launches by the device's clock */
void run_list_kernels(struct bench_run *run, FILE *report);

#endif
