#include "sim/check/init.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "sim/check/allocations.h"
#include "sim/check/group.h"
#include "sim/check/values.h"

enum { MOST_ORIGINS = 4095, KEPT = 1024, MOST_SPANS = 2048, SLM_BYTES = 256 << 10, RECENT = 64 };

/* The first read of an uninitialized value. */
struct origin {
    enum check_store store;
    uint64_t where;
    struct check_site site;
    bool is_used;     /* it was reported */
    uint32_t used_at; /* for the instruction at this offset */
};

/* Memory without an owner that got a shadow: it is cleared after the launch, since others may get it. */
struct span {
    uint64_t address, size;
};

struct check_init_launch {
    pthread_mutex_t lock;
    struct origin origins[1 + MOST_ORIGINS];
    unsigned count;
    struct span *marked;
    size_t marks, room;
};

/* A part of a message's move. */
struct moved {
    enum check_store store;
    uint64_t where, size;
    uint8_t *bytes;
};

struct check_init_group {
    uint8_t slm[SLM_BYTES];
    struct moved moved[MOST_SPANS];
    unsigned count;
    bool overwrites; /* atomic operations of the message at hand do */
    struct {         /* where a value without a writer was stored, and its origin */
        uint64_t key;
        check_origin origin;
    } stored[KEPT];
    struct { /* origins that reads found last */
        uint64_t key;
        check_origin origin;
    } recent[RECENT];
};

static bool is_started;

void check_init_start(void)
{
    is_started = true;
}

struct check_init_launch *check_init_launch_create(void)
{
    struct check_init_launch *init = calloc(1, sizeof *init);
    if (init)
        pthread_mutex_init(&init->lock, NULL);
    return init;
}

void check_init_launch_destroy(struct check_init_launch *init)
{
    if (!init)
        return;
    for (size_t i = 0; i < init->marks; i++)
        check_bits_fill(init->marked[i].address, init->marked[i].size, 0);
    pthread_mutex_destroy(&init->lock);
    free(init->marked);
    free(init);
}

struct check_init_group *check_init_group_create(void)
{
    return calloc(1, sizeof(struct check_init_group));
}

void check_init_group_destroy(struct check_init_group *init)
{
    free(init);
}

void check_init_group_start(struct check_init_group *init, uint32_t slm_bytes)
{
    memset(init->slm, 0xff, slm_bytes < sizeof init->slm ? slm_bytes : sizeof init->slm);
}

bool check_follows_values(const struct check_group *group)
{
    return group->init != NULL;
}

/* --- origins ------------------------------------------------------------------------------------------------------ */

static bool is_same_read(const struct origin *origin, enum check_store store, uint64_t where, uint32_t ip)
{
    return origin->store == store && origin->site.ip == ip && (store != CHECK_STORE_REGISTER || origin->where == where);
}

/* Returns the launch's origin for reads at an instruction: of one register, or of memory of one kind. */
static check_origin find_origin(struct check_group *group, enum check_store store, uint64_t where)
{
    struct check_init_launch *launch = group->launch->init;
    unsigned i = 1;
    pthread_mutex_lock(&launch->lock);
    while (i <= launch->count && !is_same_read(&launch->origins[i], store, where, group->now.ip))
        i++;
    if (i > launch->count && launch->count < MOST_ORIGINS)
        launch->origins[++launch->count] =
            (struct origin){.store = store, .where = where, .site = check_site_of(&group->now)};
    i = i > launch->count ? launch->count : i;
    pthread_mutex_unlock(&launch->lock);
    return (check_origin)i;
}

check_origin check_origin_at(struct check_group *group, enum check_store store, uint64_t where)
{
    uint64_t key = (uint64_t)group->now.ip << 20 | (store == CHECK_STORE_REGISTER ? where : 4000 + (uint64_t)store);
    unsigned slot = (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> 58);
    if (group->init->recent[slot].origin == 0 || group->init->recent[slot].key != key) {
        group->init->recent[slot].key = key;
        group->init->recent[slot].origin = find_origin(group, store, where);
    }
    return group->init->recent[slot].origin;
}

/* Marks the origin as used at the instruction at hand. False: another instruction was reported for it. */
static bool use(struct check_group *group, check_origin number, struct origin *origin)
{
    struct check_init_launch *launch = group->launch->init;
    pthread_mutex_lock(&launch->lock);
    struct origin *found = &launch->origins[number & ~CHECK_COMPUTED];
    bool first = !found->is_used;
    if (first) {
        found->is_used = true;
        found->used_at = group->now.ip;
    }
    *origin = *found;
    pthread_mutex_unlock(&launch->lock);
    return first || origin->used_at == group->now.ip;
}

static void describe_origin(const struct origin *origin, char *text, size_t room)
{
    char inside[192] = "";
    if (origin->store == CHECK_STORE_SLM) {
        snprintf(text, room, "nothing had written offset %" PRIu64 " of shared local memory when it was read",
                 origin->where);
    } else if (origin->store == CHECK_STORE_GLOBAL) {
        check_allocation_describe(origin->where, inside, sizeof inside);
        snprintf(text, room, "nothing had written 0x%" PRIx64 "%s%s when it was read", origin->where,
                 inside[0] ? ", " : "", inside);
    } else if (origin->where < CHECK_FLAGS) {
        snprintf(text, room, "nothing had written r%" PRIu64 " when it was read", origin->where);
    } else {
        static const char *const names[] = {"the flag", "the accumulator", "the address register"};
        snprintf(text, room, "nothing had written %s when it was read", names[origin->where - CHECK_FLAGS]);
    }
}

void check_value_used(struct check_group *group, const char *what, uint32_t lanes, check_origin number)
{
    struct origin origin;
    char sentence[256], from[320], which[192] = "";
    assert(number & ~CHECK_COMPUTED);
    if (!use(group, number, &origin))
        return;
    if (lanes)
        check_lanes_describe(lanes, which, sizeof which);
    snprintf(sentence, sizeof sentence, "%s%s%s", what, lanes ? ": " : "", which);
    describe_origin(&origin, from, sizeof from);
    check_report(&(struct check_finding){.kind = SIM_CHECK_INIT,
                                         .hash = group->launch->hash,
                                         .what = sentence,
                                         .address = "",
                                         .did = "used",
                                         .other_did = from,
                                         .site = check_site_of(&group->now),
                                         .other = origin.site},
                 group->launch->describe, group->launch->context);
}

/* --- memory ------------------------------------------------------------------------------------------------------- */

static uint64_t key_of(enum check_store store, uint64_t where)
{
    return (where & ~UINT64_C(3)) << 2 | (uint64_t)store;
}

static unsigned slot_of(uint64_t key)
{
    return (unsigned)(key * UINT64_C(0x9e3779b97f4a7c15) >> 54);
}

static bool is_marked(const uint8_t *bytes, uint64_t size)
{
    uint8_t any = 0;
    for (uint64_t i = 0; i < size; i++)
        any |= bytes[i];
    return any != 0;
}

uint8_t *check_values_at(struct check_group *group, enum check_store store, uint64_t where, uint64_t size, bool writes)
{
    struct check_init_group *init = group->init;
    assert(store != CHECK_STORE_REGISTER);
    uint8_t *bytes = store == CHECK_STORE_GLOBAL                       ? check_bits_at(where, size)
                     : where <= SLM_BYTES && size <= SLM_BYTES - where ? init->slm + where
                                                                       : NULL;
    bool matters = bytes && (writes || is_marked(bytes, size));
    if (matters && init->count < MOST_SPANS)
        init->moved[init->count++] = (struct moved){store, where, size, bytes};
    return bytes;
}

/* Returns the first uninitialized byte of a part. */
static uint64_t first_mark(const struct moved *moved)
{
    uint64_t i = 0;
    while (i + 1 < moved->size && moved->bytes[i] == 0)
        i++;
    return moved->where + i;
}

/* Returns the origin of what a message has read: that of a value that was stored there, or the memory itself. */
static check_origin origin_of_read(struct check_group *group)
{
    const struct moved *moved = &group->init->moved[0];
    if (group->init->count == 0)
        return 0;
    uint64_t where = first_mark(moved), key = key_of(moved->store, where);
    unsigned slot = slot_of(key);
    if (group->init->stored[slot].key == key && group->init->stored[slot].origin)
        return group->init->stored[slot].origin;
    return check_origin_at(group, moved->store, where);
}

/* Adds memory to that whose shadow ends with the launch. False: out of memory. */
static bool add_span(struct check_init_launch *launch, uint64_t address, uint64_t size)
{
    struct span *last = launch->marks ? &launch->marked[launch->marks - 1] : NULL;
    if (last && last->address + last->size == address) {
        last->size += size;
        return true;
    }
    if (launch->marks == launch->room) {
        size_t room = launch->room ? 2 * launch->room : 256;
        struct span *marked = realloc(launch->marked, room * sizeof *marked);
        if (marked) {
            launch->marked = marked;
            launch->room = room;
        }
    }
    if (launch->marks == launch->room)
        return false;
    launch->marked[launch->marks++] = (struct span){address, size};
    return true;
}

/* Remembers memory that is not the program's, so that its shadow ends with the launch. */
static void mark(struct check_init_launch *launch, const struct moved *moved)
{
    pthread_mutex_lock(&launch->lock);
    if (!add_span(launch, moved->where, moved->size))
        memset(moved->bytes, 0, moved->size);
    pthread_mutex_unlock(&launch->lock);
}

/* A value without a writer was stored: what was computed, or comes from a register, is a result if the memory is the
 * program's. A copy of memory is none: it may have bytes that belong to no member of a structure. True: it is one. */
static bool is_result(struct check_group *group, const struct moved *moved, check_origin origin)
{
    if (moved->store != CHECK_STORE_GLOBAL)
        return false;
    bool is_copy = !(origin & CHECK_COMPUTED) && group->launch->init->origins[origin].store == CHECK_STORE_GLOBAL;
    const struct check_allocation *allocation = check_group_allocation(group, moved->where, moved->size);
    if (!allocation) {
        mark(group->launch->init, moved);
        return false;
    }
    if (is_copy && !(allocation->properties & CHECK_PRIVATE))
        memset(moved->bytes, 0, moved->size); /* the program may write it unseen */
    return !is_copy;
}

static void note_stored(struct check_group *group, const struct moved *moved, check_origin origin)
{
    for (uint64_t where = moved->where & ~UINT64_C(3); where < moved->where + moved->size; where += 4) {
        uint64_t key = key_of(moved->store, where);
        unsigned slot = slot_of(key);
        group->init->stored[slot].key = key;
        group->init->stored[slot].origin = origin;
    }
}

static void store(struct check_group *group, check_origin origin, uint32_t lanes)
{
    bool reports = false;
    for (unsigned i = 0; i < group->init->count; i++) {
        const struct moved *moved = &group->init->moved[i];
        if (!is_marked(moved->bytes, moved->size))
            continue;
        if (origin && is_result(group, moved, origin)) {
            memset(moved->bytes, 0, moved->size); /* one report is enough */
            reports = true;
        } else {
            note_stored(group, moved, origin);
        }
    }
    if (reports)
        check_value_used(group, "an uninitialized value is stored in memory", lanes, origin);
}

check_origin check_values_moved(struct check_group *group, bool writes, check_origin origin, uint32_t lanes)
{
    check_origin found = 0;
    if (writes)
        store(group, origin, lanes);
    else
        found = origin_of_read(group);
    group->init->count = 0;
    return found;
}

void check_init_atomic(struct check_group *group, uint64_t address, uint64_t size, bool is_slm)
{
    enum check_store kind = is_slm ? CHECK_STORE_SLM : CHECK_STORE_GLOBAL;
    uint8_t *bytes = check_values_at(group, kind, address, size, false);
    if (group->init->count && !group->init->overwrites)
        check_value_used(group, "an atomic operation changes uninitialized memory", 0, origin_of_read(group));
    if (group->init->count)
        memset(bytes, 0, size);
    group->init->count = 0;
}

void check_atomic_overwrites(struct check_group *group, bool overwrites)
{
    group->init->overwrites = overwrites;
}

bool check_launch_follows_values(const struct check_launch *launch)
{
    return launch->init != NULL;
}

void check_launch_private(struct check_launch *launch, uint64_t address, uint64_t size)
{
    pthread_mutex_lock(&launch->init->lock);
    bool good = add_span(launch->init, address, size);
    pthread_mutex_unlock(&launch->init->lock);
    if (good)
        check_bits_fill(address, size, 0xff);
}

void check_scratch_begin(uint64_t address, uint64_t size)
{
    check_bits_fill(address, size, 0xff);
}

void check_scratch_end(uint64_t address, uint64_t size)
{
    check_bits_fill(address, size, 0);
}

void check_memory_is_fresh(uint64_t address, uint64_t size)
{
    if (is_started)
        check_bits_fill(address, size, 0xff);
}

void check_memory_has_values(uint64_t address, uint64_t size)
{
    if (is_started)
        check_bits_fill(address, size, 0);
}
