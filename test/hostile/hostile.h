/* Replaces the allocator in sources that are compiled with `-include` of this file (see hostile.c). */
#ifndef CMKIT_TEST_HOSTILE_H
#define CMKIT_TEST_HOSTILE_H

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void *hostile_malloc(size_t bytes);
void *hostile_calloc(size_t count, size_t size);
void *hostile_realloc(void *old, size_t bytes);
char *hostile_strdup(const char *text);
void hostile_free(void *memory);

#undef strdup
#define malloc(bytes)       hostile_malloc(bytes)
#define calloc(count, size) hostile_calloc(count, size)
#define realloc(old, bytes) hostile_realloc(old, bytes)
#define strdup(text)        hostile_strdup(text)
#define free                hostile_free

#endif
