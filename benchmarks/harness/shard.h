/* Declares parts of a list of work, for several processes or machines: part I of N has every Nth item. */
#ifndef CMKIT_BENCHMARKS_HARNESS_SHARD_H
#define CMKIT_BENCHMARKS_HARNESS_SHARD_H

#include <stddef.h>

struct shard {
    unsigned index, count; /* 1 to count; count 0: the whole list */
};

/* Reads "2/8". Returns 0, or -1 if the text is no such part; at most 100000 of them. */
int shard_read(const char *text, struct shard *shard);

/* True if item number `item` (from 0 on) belongs to the part. */
int shard_has(const struct shard *shard, size_t item);

#endif
