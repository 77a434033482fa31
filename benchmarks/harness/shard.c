/* Reads parts of a list of work, I/N, and says what belongs to them. */
#include "benchmarks/harness/shard.h"

#include <stdlib.h>

enum { MOST_SHARDS = 100000 };

/* A number without sign, blank or zero before it. */
static unsigned long number(const char *text, char **end)
{
    *end = (char *)text;
    return *text >= '1' && *text <= '9' ? strtoul(text, end, 10) : 0;
}

int shard_read(const char *text, struct shard *shard)
{
    char *end;
    unsigned long index = number(text, &end);
    if (*end != '/' || end == text)
        return -1;
    unsigned long count = number(end + 1, &end);
    if (*end || count < index || count > MOST_SHARDS)
        return -1;
    *shard = (struct shard){(unsigned)index, (unsigned)count};
    return 0;
}

int shard_has(const struct shard *shard, size_t item)
{
    return !shard->count || item % shard->count == shard->index - 1;
}
