/* Finds and replaces lines of a cache. */
#include "sim/timing/cache.h"

#include <stdlib.h>
#include <string.h>

enum { LINES_PER_KILOBYTE = 16 };

bool cache_create(struct cache *cache, double kilobytes, double ways)
{
    memset(cache, 0, sizeof *cache);
    cache->ways = ways < 1 ? 1 : (uint32_t)ways;
    cache->sets = (uint32_t)(kilobytes * LINES_PER_KILOBYTE / cache->ways);
    if (cache->sets == 0)
        return true;
    cache->lines = calloc((size_t)cache->sets * cache->ways, sizeof *cache->lines);
    return cache->lines != NULL;
}

void cache_destroy(struct cache *cache)
{
    free(cache->lines);
    cache->lines = NULL;
}

void cache_clear(struct cache *cache)
{
    if (cache->lines)
        memset(cache->lines, 0, (size_t)cache->sets * cache->ways * sizeof *cache->lines);
}

/* Lines side by side go to different sets; each further round of all sets begins a few sets later. */
static struct cache_line *set_of(const struct cache *cache, uint32_t line)
{
    uint32_t round = line / cache->sets;
    return cache->lines + (size_t)((line + round * 7) % cache->sets) * cache->ways;
}

struct cache_line *cache_find(struct cache *cache, uint32_t line)
{
    if (!cache->lines)
        return NULL;
    struct cache_line *set = set_of(cache, line);
    for (uint32_t way = 0; way < cache->ways; way++)
        if (set[way].number == line + 1) {
            set[way].used = ++cache->accesses;
            return &set[way];
        }
    return NULL;
}

struct cache_line *cache_replace(struct cache *cache, uint32_t line, struct cache_line *victim)
{
    *victim = (struct cache_line){0};
    if (!cache->lines)
        return NULL;
    struct cache_line *set = set_of(cache, line), *oldest = set;
    for (uint32_t way = 0; way < cache->ways && oldest->number; way++)
        if (!set[way].number || (int32_t)(set[way].used - oldest->used) < 0)
            oldest = &set[way];
    *victim = *oldest;
    *oldest = (struct cache_line){.number = line + 1, .used = ++cache->accesses};
    return oldest;
}
