/* Writes output files. */
#ifndef CMKIT_CMC_OUTPUT_H
#define CMKIT_CMC_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include "cmc/options.h"

/* Writes memory to the output file; false after an error line. */
bool cmc_write(const char *path, const void *data, size_t size);

/* Writes a kernel binary to the output, or adds it to the fat binary that is being made; false after an error line. */
bool cmc_write_binary(const struct cmc_options *options, const void *data, size_t size);

#endif
