/* Divides the rounds of a fuzzer among processes and machines: `--shard I/N`, in front of the other arguments, plays
 * every Nth stretch of rounds, beginning with the Ith. Each stretch has a seed of its own, so that it is the same in
 * every part. */
#ifndef CMKIT_TEST_UNIT_SHARD_H
#define CMKIT_TEST_UNIT_SHARD_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct shard {
    unsigned long part, parts; /* 0 to parts - 1 */
};

/* Takes `--shard I/N` out of the arguments. Ends the process if it is none. */
static inline struct shard shard_take(int *count, char **arguments)
{
    struct shard shard = {0, 1};
    char rest;
    if (*count < 2 || strcmp(arguments[1], "--shard") != 0)
        return shard;
    const char *text = *count > 2 ? arguments[2] : "";
    if (sscanf(text, "%9lu/%9lu%c", &shard.part, &shard.parts, &rest) != 2 || !shard.part || shard.part > shard.parts ||
        strspn(text, "0123456789/") != strlen(text)) {
        fprintf(stderr, "%s: error: --shard: '%s' is no part like 2/8\n", arguments[0], text);
        exit(2);
    }
    *count -= 2;
    memmove(&arguments[1], &arguments[3], (size_t)*count * sizeof *arguments); /* with the null pointer at the end */
    shard.part--;
    return shard;
}

/* True if the part has the round. At the start of a stretch of `stretch` rounds it sets the state of a generator of
 * random numbers, which is never 0. */
static inline int shard_plays(const struct shard *shard, unsigned long round, unsigned long stretch, uint64_t *state)
{
    if (round / stretch % shard->parts != shard->part)
        return 0;
    if (round % stretch == 0) { /* splitmix64 */
        uint64_t mixed = (round / stretch + 1) * UINT64_C(0x9e3779b97f4a7c15);
        mixed = (mixed ^ mixed >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        mixed = (mixed ^ mixed >> 27) * UINT64_C(0x94d049bb133111eb);
        *state = (mixed ^ mixed >> 31) | 1;
    }
    return 1;
}

#endif
