/* Declares the command `cmbench compare`. */
#ifndef CMKIT_BENCHMARKS_HARNESS_COMPARE_H
#define CMKIT_BENCHMARKS_HARNESS_COMPARE_H

/* Runs it with the words after `cmbench`; returns the exit status. */
int compare_main(int count, char **words);

#endif
