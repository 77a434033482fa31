/* Keeps the times of launches for `cmrun --time --repeat`. */
#ifndef CMKIT_RUNTIME_CMRUN_TIMES_H
#define CMKIT_RUNTIME_CMRUN_TIMES_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include "include/cmkit/gensim_time.h"

struct times {
    struct gensim_time_range range; /* over all launches; `high` 0: not known, as on a GPU */
    uint64_t *nanoseconds;
    size_t count, room;
};

/* 0, or -1: no memory. */
int times_add(struct times *times, uint64_t nanoseconds);

/* Widens the range by that of the last launch, if gensim's timing model made its time. */
void times_add_range(struct times *times, uint64_t nanoseconds);

/* With two launches or more, prints a line with minimum, median (of an even number: the mean of the middle two, rounded
 * down) and maximum. With a range, prints a line with it. Sorts the times. */
void times_print(FILE *out, const char *kernel, struct times *times);

void times_free(struct times *times);

#endif
