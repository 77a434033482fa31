/* Keeps the times of launches for `cmrun --time --repeat`. */
#ifndef CMKIT_RUNTIME_CMRUN_TIMES_H
#define CMKIT_RUNTIME_CMRUN_TIMES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct times {
    uint64_t *nanoseconds;
    size_t count, room;
};

/* 0, or -1: no memory. */
int times_add(struct times *times, uint64_t nanoseconds);

/* With two launches or more, prints a line with minimum, median (of an even number: the mean of the middle two, rounded
 * down) and maximum. Sorts the times. */
void times_print(FILE *out, const char *kernel, struct times *times);

void times_free(struct times *times);

#endif
