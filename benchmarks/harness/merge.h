/* Declares the command `cmbench merge`. */
#ifndef CMKIT_BENCHMARKS_HARNESS_MERGE_H
#define CMKIT_BENCHMARKS_HARNESS_MERGE_H

#include "benchmarks/harness/workload.h"

/* Runs it with the words after `cmbench`; returns the exit status. */
int merge_main(const struct bench_table *table, int count, char **words);

#endif
