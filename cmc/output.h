/* Writes output files. */
#ifndef CMKIT_CMC_OUTPUT_H
#define CMKIT_CMC_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>

/* Writes memory to the output file; false after an error line. */
bool cmc_write(const char *path, const void *data, size_t size);

#endif
