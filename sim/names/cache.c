/* Caches names that were found: a search is slow, and a kernel is launched many times. */
#include <pthread.h>
#include <stdlib.h>
#include "sim/names/names.h"

struct known {
    struct known *next;
    uint64_t hash;
    struct kernel_name name;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct known *all;

/* Resets the lock in a forked child: its owner may not exist there. */
static void forget(void)
{
    pthread_mutex_init(&lock, NULL);
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, forget);
}

const char *kernel_name_of_hash(uint64_t hash, const uint8_t *code, size_t available)
{
    const struct kernel_code searched = {.bytes = code, .available = available};
    pthread_mutex_lock(&lock);
    struct known *known = all;
    while (known && known->hash != hash)
        known = known->next;
    if (!known && (known = calloc(1, sizeof *known))) {
        known->hash = hash;
        if (!kernel_name_find(&searched, &known->name))
            known->name.name[0] = 0;
        known->next = all;
        all = known;
    }
    pthread_mutex_unlock(&lock);
    return known ? known->name.name : "";
}
