/* Models a set-associative cache: which lines it holds, and until when a line is on its way. */
#ifndef CMKIT_SIM_TIMING_CACHE_H
#define CMKIT_SIM_TIMING_CACHE_H

#include <stdbool.h>
#include <stdint.h>

struct cache_line {
    uint32_t number; /* of the line, plus one; 0: empty */
    uint32_t used;   /* the cache's count of accesses at the last use */
    uint64_t ready;  /* tick at which its data are there */
    uint32_t fetch;  /* request that fetches it and has no answer yet, plus one; 0: `ready` is known */
    bool dirty;
};

struct cache {
    struct cache_line *lines;
    uint32_t sets, ways, accesses;
};

/* Makes an empty cache of `kilobytes` in lines of 64 bytes. False: no memory. */
bool cache_create(struct cache *cache, double kilobytes, double ways);
void cache_destroy(struct cache *cache);

/* Forgets all lines. */
void cache_clear(struct cache *cache);

/* The line if the cache holds it, else NULL. A cache without lines holds none. */
struct cache_line *cache_find(struct cache *cache, uint32_t line);

/* A place for the line, the least recently used of its set. `*victim` is what it held. NULL: the cache has no lines. */
struct cache_line *cache_replace(struct cache *cache, uint32_t line, struct cache_line *victim);

#endif
