/* Keeps the sizes of arguments in shared local memory: see locals.h. */
#include "sim/check/locals.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

struct local {
    struct local *next;
    uint32_t index;
    size_t bytes;
    char kernel[];
};

static struct {
    pthread_rwlock_t lock;
    struct local *first;
    bool is_lost;
} all = {.lock = PTHREAD_RWLOCK_INITIALIZER};

static struct local *find(const char *kernel, uint32_t index)
{
    struct local *local = all.first;
    while (local && (local->index != index || strcmp(local->kernel, kernel) != 0))
        local = local->next;
    return local;
}

void check_locals_set(const char *kernel, uint32_t index, size_t bytes)
{
    size_t length = strlen(kernel) + 1;
    pthread_rwlock_wrlock(&all.lock);
    struct local *local = find(kernel, index);
    if (!local && (local = calloc(1, sizeof *local + length))) {
        local->index = index;
        memcpy(local->kernel, kernel, length);
        local->next = all.first;
        all.first = local;
    }
    if (!local)
        all.is_lost = true;
    else if (bytes > local->bytes)
        local->bytes = bytes;
    pthread_rwlock_unlock(&all.lock);
}

void check_locals_lose(void)
{
    pthread_rwlock_wrlock(&all.lock);
    all.is_lost = true;
    pthread_rwlock_unlock(&all.lock);
}

size_t check_locals_most(const char *kernel, uint32_t index)
{
    pthread_rwlock_rdlock(&all.lock);
    const struct local *local = all.is_lost ? NULL : find(kernel, index);
    size_t bytes = local ? local->bytes : 0;
    pthread_rwlock_unlock(&all.lock);
    return bytes;
}
