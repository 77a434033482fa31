#include "sim/stream/programs.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include "sim/report/save.h"

enum { BUCKETS = 256 };

/* A cached program. If its code's bytes change, it is retired: removed from the table, and freed when the last dispatch
 * releases it. */
struct entry {
    struct entry *next;
    const struct platform *platform; /* with the number of registers of its mode */
    uint64_t address, hash;
    struct eu_program *program;
    unsigned users;
    int retired;
};

struct program_cache {
    pthread_mutex_t lock;
    struct entry *buckets[BUCKETS];
};

struct program_cache *program_cache_create(void)
{
    struct program_cache *cache = calloc(1, sizeof *cache);
    if (cache)
        pthread_mutex_init(&cache->lock, NULL);
    return cache;
}

static void free_entry(struct entry *entry)
{
    eu_program_destroy(entry->program);
    free(entry);
}

void program_cache_destroy(struct program_cache *cache)
{
    if (!cache)
        return;
    for (unsigned i = 0; i < BUCKETS; i++)
        for (struct entry *entry = cache->buckets[i], *next; entry; entry = next) {
            next = entry->next;
            free_entry(entry);
        }
    pthread_mutex_destroy(&cache->lock);
    free(cache);
}

static struct entry **bucket_of(struct program_cache *cache, uint64_t address)
{
    return &cache->buckets[(address >> 6) % BUCKETS];
}

/* FNV-1a hash over the decoded bytes. */
static uint64_t hash_code(const uint8_t *code, size_t size)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325);
    for (size_t i = 0; i < size; i++)
        hash = (hash ^ code[i]) * UINT64_C(0x100000001b3);
    return hash;
}

/* Returns the entry for the code as it is now; an entry for other code at that address is retired. Call it with the
 * lock held. */
static struct entry *find_current(struct program_cache *cache, const struct platform *platform, uint64_t address,
                                  const uint8_t *code, size_t available)
{
    for (struct entry **link = bucket_of(cache, address), *entry; (entry = *link); link = &entry->next) {
        if (entry->address != address || entry->platform != platform || entry->retired)
            continue;
        if (eu_program_matches(entry->program, code, available))
            return entry;
        entry->retired = 1;
        if (!entry->users) {
            *link = entry->next;
            free_entry(entry);
        }
        return NULL;
    }
    return NULL;
}

static struct entry *decode(struct program_cache *cache, const struct platform *platform, uint64_t address,
                            const uint8_t *code, size_t available, struct sim_fault *fault)
{
    struct entry *entry = calloc(1, sizeof *entry);
    if (!entry) {
        sim_fault_raise(fault, "no memory to decode the kernel");
        return NULL;
    }
    entry->address = address;
    entry->platform = platform;
    entry->program = eu_program_decode(platform, code, available, fault);
    if (!entry->program) {
        free(entry);
        return NULL;
    }
    entry->hash = hash_code(code, eu_program_bytes(entry->program));
    sim_save_kernel(platform, entry->hash, code, eu_program_bytes(entry->program));
    struct entry **bucket = bucket_of(cache, address);
    entry->next = *bucket;
    *bucket = entry;
    return entry;
}

const struct eu_program *program_cache_get(struct program_cache *cache, const struct platform *platform,
                                           uint64_t address, const uint8_t *code, size_t available, uint64_t *hash,
                                           struct sim_fault *fault)
{
    assert(platform && code && hash && fault);
    pthread_mutex_lock(&cache->lock);
    struct entry *entry = find_current(cache, platform, address, code, available);
    if (!entry)
        entry = decode(cache, platform, address, code, available, fault);
    if (entry) {
        entry->users++;
        *hash = entry->hash;
    }
    pthread_mutex_unlock(&cache->lock);
    return entry ? entry->program : NULL;
}

void program_cache_put(struct program_cache *cache, const struct eu_program *program)
{
    assert(program);
    pthread_mutex_lock(&cache->lock);
    for (unsigned i = 0; i < BUCKETS; i++)
        for (struct entry **link = &cache->buckets[i], *entry; (entry = *link); link = &entry->next) {
            if (entry->program != program)
                continue;
            if (--entry->users == 0 && entry->retired) {
                *link = entry->next;
                free_entry(entry);
            }
            pthread_mutex_unlock(&cache->lock);
            return;
        }
    pthread_mutex_unlock(&cache->lock);
}
