/* Reads whole files into memory. */
#ifndef CMKIT_RUNTIME_FILE_H
#define CMKIT_RUNTIME_FILE_H

#include <stddef.h>

/* Reads a whole file into memory that the caller frees (never NULL; one zero byte after the end). Returns 0, or -1
 * with errno. */
int file_read(const char *path, void **bytes, size_t *size);

#endif
