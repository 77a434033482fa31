#include "sim/check/order.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CLOCKS = 1 << 14, PLACES = 1 << 12 };

/* An address that has been published at. */
struct place {
    struct place *next;
    uint64_t address;
    struct check_order_clocks known;
};

struct check_order_launch {
    pthread_mutex_t lock;
    atomic_bool is_used; /* a thread has made a fence */
    struct place *places[PLACES];
};

static uint64_t thread_key(uint32_t group, uint32_t thread)
{
    return ((uint64_t)group << 32 | thread) + 1;
}

static size_t hash(uint64_t key)
{
    return (size_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> 32);
}

/* ---- clocks ---- */

/* Returns the entry of a thread, or the empty one where it would be. */
static struct check_order_clock *find(const struct check_order_clocks *c, uint64_t key)
{
    size_t at = hash(key) & (c->room - 1);
    while (c->list[at].thread && c->list[at].thread != key)
        at = (at + 1) & (c->room - 1);
    return &c->list[at];
}

static void clear(struct check_order_clocks *c)
{
    free(c->list);
    *c = (struct check_order_clocks){0};
}

static bool grow(struct check_order_clocks *c)
{
    struct check_order_clocks larger = {.room = c->room ? 2 * c->room : 16};
    larger.list = larger.room <= MOST_CLOCKS ? calloc(larger.room, sizeof *larger.list) : NULL;
    if (!larger.list)
        return false;
    for (size_t k = 0; k < c->room; k++)
        if (c->list[k].thread)
            *find(&larger, c->list[k].thread) = c->list[k];
    free(c->list);
    c->list = larger.list;
    c->room = larger.room;
    return true;
}

/* Notes that `fences` fences of a thread are known. */
static void raise(struct check_order_clocks *c, uint64_t key, uint32_t fences)
{
    if (c->is_full || !fences)
        return;
    if (2 * c->used >= c->room && !grow(c)) {
        clear(c);
        c->is_full = true;
        return;
    }
    struct check_order_clock *clock = find(c, key);
    c->used += !clock->thread;
    clock->thread = key;
    clock->fences = fences > clock->fences ? fences : clock->fences;
}

static void join(struct check_order_clocks *to, const struct check_order_clocks *from)
{
    if (from->is_full) {
        clear(to);
        to->is_full = true;
    }
    for (size_t k = 0; k < from->room; k++)
        if (from->list[k].thread)
            raise(to, from->list[k].thread, from->list[k].fences);
}

static uint32_t known(const struct check_order_clocks *c, uint64_t key)
{
    return c->is_full ? UINT32_MAX : c->room ? find(c, key)->fences : 0;
}

/* ---- launches ---- */

struct check_order_launch *check_order_launch_create(void)
{
    struct check_order_launch *launch = calloc(1, sizeof *launch);
    if (launch)
        pthread_mutex_init(&launch->lock, NULL);
    return launch;
}

void check_order_launch_destroy(struct check_order_launch *launch)
{
    for (size_t k = 0; launch && k < PLACES; k++) {
        while (launch->places[k]) {
            struct place *next = launch->places[k]->next;
            clear(&launch->places[k]->known);
            free(launch->places[k]);
            launch->places[k] = next;
        }
    }
    if (launch)
        pthread_mutex_destroy(&launch->lock);
    free(launch);
}

/* Returns what is published at an address, or makes room for it. The launch is locked. */
static struct check_order_clocks *place_of(struct check_order_launch *launch, uint64_t address, bool makes)
{
    struct place **bucket = &launch->places[hash(address) % PLACES], *place = *bucket;
    while (place && place->address != address)
        place = place->next;
    if (!place && makes && (place = calloc(1, sizeof *place))) {
        place->address = address;
        place->next = *bucket;
        *bucket = place;
    }
    return place ? &place->known : NULL;
}

/* ---- groups ---- */

static void forget_threads(struct check_order_group *group)
{
    for (size_t k = 0; k < group->threads; k++)
        clear(&group->own[k].known);
    group->threads = 0;
}

void check_order_group_start(struct check_order_group *group, struct check_order_launch *launch, uint32_t number)
{
    forget_threads(group);
    clear(&group->common);
    group->launch = launch;
    group->number = number;
    group->pending_count = 0;
}

void check_order_group_free(struct check_order_group *group)
{
    forget_threads(group);
    clear(&group->common);
    free(group->own);
    free(group->pending);
}

/* Returns the running thread's own state; NULL: out of memory, or there is none yet, and none is to be made. */
static struct check_order_own *own_of(struct check_order_group *group, bool makes)
{
    if (group->thread < group->threads)
        return &group->own[group->thread];
    struct check_order_own *larger =
        makes ? realloc(group->own, ((size_t)group->thread + 1) * sizeof *group->own) : NULL;
    if (!larger)
        return NULL;
    memset(larger + group->threads, 0, (group->thread + 1 - group->threads) * sizeof *larger);
    group->own = larger;
    group->threads = (size_t)group->thread + 1;
    return &group->own[group->thread];
}

/* Learns what has been published where the last instruction had atomic operations: now that it is done, what it has
 * read was published before. */
void check_order_group_instruction(struct check_order_group *group)
{
    if (!group->pending_count)
        return;
    struct check_order_own *own = own_of(group, true);
    pthread_mutex_lock(&group->launch->lock);
    for (size_t k = 0; own && k < group->pending_count; k++) {
        const struct check_order_clocks *found = place_of(group->launch, group->pending[k], false);
        if (found)
            join(&own->known, found);
    }
    pthread_mutex_unlock(&group->launch->lock);
    group->pending_count = 0;
}

void check_order_group_thread(struct check_order_group *group, uint32_t thread)
{
    check_order_group_instruction(group);
    group->thread = thread;
}

void check_order_group_barrier(struct check_order_group *group)
{
    check_order_group_instruction(group);
    for (size_t k = 0; k < group->threads; k++) {
        join(&group->common, &group->own[k].known);
        raise(&group->common, thread_key(group->number, (uint32_t)k), group->own[k].fences);
        clear(&group->own[k].known);
    }
}

void check_order_group_fence(struct check_order_group *group)
{
    struct check_order_own *own = own_of(group, true);
    if (own)
        own->fences++;
    atomic_store(&group->launch->is_used, true);
}

void check_order_group_atomic(struct check_order_group *group, uint64_t address)
{
    if (!atomic_load(&group->launch->is_used))
        return;
    const struct check_order_own *own = own_of(group, false);
    if ((own && (own->fences || own->known.used || own->known.is_full)) || group->common.used) {
        pthread_mutex_lock(&group->launch->lock);
        struct check_order_clocks *published = place_of(group->launch, address, true);
        if (published) {
            join(published, &group->common);
            if (own)
                join(published, &own->known);
            raise(published, thread_key(group->number, group->thread), own ? own->fences : 0);
        }
        pthread_mutex_unlock(&group->launch->lock);
    }
    if (group->pending_count == group->pending_room) {
        size_t room = 2 * group->pending_room + 32;
        uint64_t *larger = realloc(group->pending, room * sizeof *larger);
        if (!larger)
            return;
        group->pending = larger;
        group->pending_room = room;
    }
    group->pending[group->pending_count++] = address;
}

uint8_t check_order_group_fences(const struct check_order_group *group)
{
    uint32_t fences = group->thread < group->threads ? group->own[group->thread].fences : 0;
    return (uint8_t)(fences < CHECK_ORDER_MOST_FENCES ? fences : CHECK_ORDER_MOST_FENCES);
}

bool check_order_group_knows(const struct check_order_group *group, uint32_t number, uint32_t thread, uint8_t fences,
                             bool is_atomic)
{
    uint64_t key = thread_key(number, thread);
    uint32_t common = known(&group->common, key),
             own = group->thread < group->threads ? known(&group->own[group->thread].known, key) : 0;
    uint32_t most = common > own ? common : own;
    if (!most)
        return false;
    /* Published were fences behind the access; or an atomic operation was, itself. */
    return most > fences || (most == fences && (is_atomic || fences == CHECK_ORDER_MOST_FENCES));
}
