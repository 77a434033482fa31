/* Reads reports that cmbench wrote as JSON: a list of rows. */
#ifndef CMKIT_BENCHMARKS_HARNESS_ROWS_H
#define CMKIT_BENCHMARKS_HARNESS_ROWS_H

#include <stddef.h>
#include <stdio.h>
#include <yaml.h>

struct rows {
    const char *path;
    yaml_document_t document;
    size_t count;
};

/* Reads `path`, which must outlive the rows. 0, or -1 after a message: it cannot be read, or is not a report. */
int rows_open(struct rows *rows, const char *path);
void rows_close(struct rows *rows);

/* The text of a row's key; "" if it has none. */
const char *rows_text(struct rows *rows, size_t row, const char *key);

/* 1 and the number of a row's key; 0 if it has none, or null. */
int rows_number(struct rows *rows, size_t row, const char *key, double *number);

/* Writes a row as JSON on one line. Returns 0, or -1 if it is deeper than a report's. */
int rows_print(FILE *out, struct rows *rows, size_t row);

/* The row of `rows` with the workload, input, device and variant of row `row` of `of`; rows->count: none. */
size_t rows_find(struct rows *rows, struct rows *of, size_t row);

#endif
