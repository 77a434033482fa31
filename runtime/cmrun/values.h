/* Converts typed numbers: from text, to text, and as fill patterns of memory. */
#ifndef CMKIT_CMRUN_VALUES_H
#define CMKIT_CMRUN_VALUES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

enum scalar_type {
#define SCALAR(NAME, C_TYPE, KIND) SCALAR_##NAME,
#include "runtime/cmrun/scalar_types.def"
#undef SCALAR
    SCALAR_COUNT
};

enum scalar_type scalar_find(const char *name, size_t length); /* SCALAR_COUNT: no such type */
size_t scalar_bytes(enum scalar_type type);

/* Parses the comma-separated numbers of `text` into memory that the caller frees. Integers may have the prefixes 0x and
 * 0. On failure returns NULL and leaves the reason in `why`. */
void *values_parse(enum scalar_type type, const char *text, size_t *bytes, char *why, size_t why_size);

/* Fills memory with a pattern: zero, TYPE=V,V,... (repeated), iota-TYPE (0, 1, 2, ...), random-TYPE=SEED (integers: all
 * bits; floats: 0 <= x < 1). Returns 0, or -1 with the reason in `why`. */
int values_fill_pattern(const char *pattern, void *memory, size_t bytes, char *why, size_t why_size);

void values_print(FILE *to, enum scalar_type type, const void *memory, size_t bytes);

#endif
