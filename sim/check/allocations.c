#include "sim/check/allocations.h"
#include "sim/check/init.h"

#include <inttypes.h>

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct allocation {
    uint64_t address, bytes;
    const char *function;
    bool is_free, may_be_reused;
    unsigned properties;
    const void *owner;
    uint64_t object, object_end; /* of the driver's object that is the owner's alone; 0, 0: not known */
};

/* Sorted by address; no two overlap. */
static struct {
    atomic_uint_fast64_t version;
    pthread_rwlock_t lock;
    struct allocation *list;
    size_t count, room;
    bool has_unknown; /* there may be others between them */
} all = {.lock = PTHREAD_RWLOCK_INITIALIZER};

/* Returns the index of the first allocation that ends behind `address`. */
static size_t first_behind(uint64_t address)
{
    size_t low = 0, high = all.count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (all.list[middle].address + all.list[middle].bytes <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Makes room for one more allocation. */
static bool grow(void)
{
    if (all.count < all.room)
        return true;
    size_t room = all.room ? 2 * all.room : 64;
    struct allocation *list = realloc(all.list, room * sizeof *list);
    if (!list)
        return false;
    all.list = list;
    all.room = room;
    return true;
}

void check_allocation_add(uint64_t address, uint64_t bytes, const char *function, unsigned properties,
                          const void *owner)
{
    if (bytes == 0 || bytes > UINT64_MAX - address)
        return;
    pthread_rwlock_wrlock(&all.lock);
    atomic_fetch_add(&all.version, 1);
    size_t from = first_behind(address), end = from;
    while (end < all.count && all.list[end].address < address + bytes)
        end++; /* freed ones whose addresses the driver uses again */
    if (end > from || grow()) {
        size_t removed = end > from ? end - from - 1 : 0;
        memmove(all.list + from + 1, all.list + from + (end > from) + removed,
                (all.count - from - (end > from) - removed) * sizeof *all.list);
        all.count += (end == from) - removed;
        all.list[from] = (struct allocation){address, bytes, function, false, false, properties, owner, 0, 0};
    }
    pthread_rwlock_unlock(&all.lock);
}

void check_allocation_free(uint64_t address)
{
    pthread_rwlock_wrlock(&all.lock);
    atomic_fetch_add(&all.version, 1);
    size_t i = first_behind(address);
    if (i < all.count && all.list[i].address == address) {
        all.list[i].is_free = true;
        if (all.list[i].properties & CHECK_PRIVATE)
            check_memory_has_values(address, all.list[i].bytes); /* others may get it */
    }
    pthread_rwlock_unlock(&all.lock);
}

void check_allocation_bound(uint64_t address, uint64_t object, uint64_t object_end)
{
    pthread_rwlock_wrlock(&all.lock);
    size_t i = first_behind(address);
    if (i < all.count && all.list[i].address == address) {
        all.list[i].object = object;
        all.list[i].object_end = object_end;
    }
    pthread_rwlock_unlock(&all.lock);
}

void check_allocation_reused(uint64_t from, uint64_t to)
{
    pthread_rwlock_wrlock(&all.lock);
    size_t kept = first_behind(from);
    for (size_t i = kept; i < all.count; i++)
        if (!all.list[i].is_free || all.list[i].address >= to)
            all.list[kept++] = all.list[i];
    if (kept < all.count)
        all.count = kept;
    pthread_rwlock_unlock(&all.lock);
}

void check_allocation_forget(uint64_t address, const void *owner)
{
    pthread_rwlock_wrlock(&all.lock);
    atomic_fetch_add(&all.version, 1);
    size_t i = first_behind(address);
    if (i < all.count && all.list[i].address == address && all.list[i].owner == owner) {
        check_memory_has_values(address, all.list[i].bytes);
        memmove(&all.list[i], &all.list[i + 1], (all.count - i - 1) * sizeof *all.list);
        all.count--;
    }
    pthread_rwlock_unlock(&all.lock);
}

void check_allocation_has_unknown(void)
{
    pthread_rwlock_wrlock(&all.lock);
    all.has_unknown = true;
    for (size_t i = 0; i < all.count; i++)
        all.list[i].may_be_reused = all.list[i].is_free && !all.list[i].owner;
    pthread_rwlock_unlock(&all.lock);
}

uint64_t check_allocation_version(void)
{
    return atomic_load_explicit(&all.version, memory_order_relaxed);
}

int check_allocation_find(uint64_t address, uint64_t size, struct check_allocation *allocation)
{
    pthread_rwlock_rdlock(&all.lock);
    size_t i = first_behind(address);
    const struct allocation *a = i < all.count ? &all.list[i] : NULL;
    int found = a && !a->is_free && a->address <= address && address + size <= a->address + a->bytes;
    if (found) {
        *allocation = (struct check_allocation){a->address, a->address + a->bytes, all.version, a->properties};
    }
    pthread_rwlock_unlock(&all.lock);
    return found;
}

struct check_allocation_kept *check_allocation_all(size_t *count)
{
    pthread_rwlock_rdlock(&all.lock);
    struct check_allocation_kept *list = all.count ? calloc(all.count, sizeof *list) : NULL;
    *count = list ? all.count : 0;
    for (size_t i = 0; i < *count; i++) {
        const struct allocation *a = &all.list[i];
        list[i] = (struct check_allocation_kept){.address = a->address,
                                                 .bytes = a->bytes,
                                                 .object = a->object,
                                                 .object_end = a->object_end,
                                                 .function = a->function,
                                                 .properties = a->properties,
                                                 .is_free = a->is_free};
    }
    pthread_rwlock_unlock(&all.lock);
    return list;
}

void check_allocation_restore(const struct check_allocation_kept *kept)
{
    static const char owner; /* any: the driver's objects do not change any more */
    check_allocation_add(kept->address, kept->bytes, kept->function, kept->properties,
                         kept->object_end ? &owner : NULL);
    check_allocation_bound(kept->address, kept->object, kept->object_end);
    if (kept->is_free)
        check_allocation_free(kept->address);
}

static void describe(const struct allocation *a, uint64_t address, uint64_t size, char *text, size_t room)
{
    char relation[96];
    if (a->is_free)
        snprintf(relation, sizeof relation, "inside");
    else if (address >= a->address + a->bytes)
        snprintf(relation, sizeof relation, "%" PRIu64 " bytes behind", address - a->address - a->bytes);
    else if (address < a->address)
        snprintf(relation, sizeof relation, "%" PRIu64 " bytes before", a->address - address);
    else
        snprintf(relation, sizeof relation, "%" PRIu64 " bytes over the end of",
                 address + size - a->address - a->bytes);
    snprintf(text, room, "%s the %" PRIu64 " bytes that %s allocated at 0x%" PRIx64 "%s", relation, a->bytes,
             a->function, a->address, a->is_free ? ", which the program has freed" : "");
}

/* Drivers place parts of a pool at multiples of this. */
enum { POOL_ALIGNMENT = 256 };

/* True if an address behind the allocation may be in another one, of which nothing is known. */
static bool may_be_unknown(const struct allocation *before, uint64_t address)
{
    uint64_t end = before->address + before->bytes;
    return all.has_unknown && !before->owner && address >= (end + POOL_ALIGNMENT - 1) / POOL_ALIGNMENT * POOL_ALIGNMENT;
}

void check_allocation_fault(uint64_t address, uint64_t size, uint64_t object, uint64_t object_end,
                            struct check_allocation *near, char *text, size_t room)
{
    const struct allocation *named = NULL;
    text[0] = 0;
    pthread_rwlock_rdlock(&all.lock);
    size_t i = first_behind(address);
    const struct allocation *at = i < all.count ? &all.list[i] : NULL, *before = i > 0 ? &all.list[i - 1] : NULL;
    bool inside = at && at->address <= address;
    if (before && before->owner && address >= before->object_end)
        before = NULL; /* another object follows */
    if (at && at->owner && address < at->object)
        at = NULL;
    if (before && may_be_unknown(before, address))
        before = NULL;
    if (at && !at->owner && all.has_unknown && !inside)
        at = NULL; /* others may end where it begins */
    if (inside && ((at->is_free && !at->may_be_reused) || address + size > at->address + at->bytes))
        named = at;
    else if (!inside && before && !before->is_free && before->address >= object)
        named = before;
    else if (!inside && at && !at->is_free && at->address < object_end)
        named = at;
    *near = (struct check_allocation){.from = 0};
    if (named) {
        describe(named, address, size, text, room);
        near->from = named->address;
        near->to = named->address + named->bytes;
    }
    pthread_rwlock_unlock(&all.lock);
}

bool check_allocation_is_freed(uint64_t address)
{
    pthread_rwlock_rdlock(&all.lock);
    size_t i = first_behind(address);
    bool freed = i < all.count && all.list[i].address <= address && all.list[i].is_free;
    pthread_rwlock_unlock(&all.lock);
    return freed;
}

void check_allocation_describe(uint64_t address, char *text, size_t room)
{
    text[0] = 0;
    pthread_rwlock_rdlock(&all.lock);
    size_t i = first_behind(address);
    if (i < all.count && all.list[i].address <= address)
        snprintf(text, room, "byte %" PRIu64 " of the %" PRIu64 " that %s allocated at 0x%" PRIx64 "%s",
                 address - all.list[i].address, all.list[i].bytes, all.list[i].function, all.list[i].address,
                 all.list[i].is_free ? ", which the program has freed" : "");
    pthread_rwlock_unlock(&all.lock);
}

void check_allocation_near(uint64_t address, char *text, size_t room)
{
    enum { FAR = 64 << 10 };
    text[0] = 0;
    pthread_rwlock_rdlock(&all.lock);
    size_t i = first_behind(address);
    const struct allocation *at = i < all.count ? &all.list[i] : NULL, *before = i > 0 ? &all.list[i - 1] : NULL;
    uint64_t down = before && !before->is_free ? address - before->address - before->bytes : FAR,
             up = at && !at->is_free ? at->address - address : FAR;
    if (down < FAR && down <= up)
        describe(before, address, 1, text, room);
    else if (up < FAR)
        describe(at, address, 1, text, room);
    pthread_rwlock_unlock(&all.lock);
}
