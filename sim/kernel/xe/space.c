/* Implements changing address spaces as a sorted array of bindings, from which versions are made. */
#include "sim/kernel/xe/space.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct binding {
    uint64_t address, size;
    uint8_t *host;
    struct object *object; /* a reference, or NULL */
};

struct xe_space {
    atomic_uint references;
    bool has_scratch_page;
    pthread_mutex_t lock;
    struct binding *bindings; /* by rising address; no two overlap */
    size_t count, room;
    struct xe_version *newest; /* NULL: it has changed since the last version */
};

struct xe_version {
    atomic_uint references;
    struct sim_space *space;
    size_t count;
    struct object *objects[];
};

struct xe_space *xe_space_create(bool has_scratch_page)
{
    struct xe_space *space = calloc(1, sizeof *space);
    if (space) {
        space->references = 1;
        space->has_scratch_page = has_scratch_page;
        pthread_mutex_init(&space->lock, NULL);
    }
    return space;
}

bool xe_space_has_scratch_page(const struct xe_space *space)
{
    return space->has_scratch_page;
}

struct xe_space *xe_space_reference(struct xe_space *space)
{
    atomic_fetch_add(&space->references, 1);
    return space;
}

void xe_space_release(struct xe_space *space)
{
    if (atomic_fetch_sub(&space->references, 1) != 1)
        return;
    for (size_t i = 0; i < space->count; i++)
        object_release(space->bindings[i].object);
    xe_version_release(space->newest);
    pthread_mutex_destroy(&space->lock);
    free(space->bindings);
    free(space);
}

static void forget_version(struct xe_space *space)
{
    xe_version_release(space->newest);
    space->newest = NULL;
}

/* Makes room for `more` bindings. */
static int reserve(struct xe_space *space, size_t more)
{
    if (space->count + more <= space->room)
        return 0;
    size_t room = 2 * space->room + more + 16;
    struct binding *grown = realloc(space->bindings, room * sizeof *grown);
    if (!grown)
        return -ENOMEM;
    space->bindings = grown;
    space->room = room;
    return 0;
}

/* The index of the first binding that ends behind `address`. */
static size_t find_first(const struct xe_space *space, uint64_t address)
{
    size_t low = 0, high = space->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct binding *binding = &space->bindings[middle];
        if (binding->address + binding->size <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void insert(struct xe_space *space, size_t at, struct binding binding)
{
    memmove(space->bindings + at + 1, space->bindings + at, (space->count - at) * sizeof binding);
    space->bindings[at] = binding;
    space->count++;
}

static void erase(struct xe_space *space, size_t at)
{
    object_release(space->bindings[at].object);
    space->count--;
    memmove(space->bindings + at, space->bindings + at + 1, (space->count - at) * sizeof *space->bindings);
}

/* Cuts off the first `bytes` of a binding. */
static void cut_front(struct binding *binding, uint64_t bytes)
{
    binding->address += bytes;
    binding->host += bytes;
    binding->size -= bytes;
}

/* Hides [start, end). There is room for one more binding. */
static void hide(struct xe_space *space, uint64_t start, uint64_t end)
{
    size_t at = find_first(space, start);
    while (at < space->count && space->bindings[at].address < end) {
        struct binding *binding = &space->bindings[at], rest = *binding;
        uint64_t last = binding->address + binding->size;
        if (binding->address >= start && last <= end) {
            erase(space, at);
        } else if (binding->address >= start) {
            cut_front(binding, end - binding->address);
        } else {
            binding->size = start - binding->address;
            at++;
            if (last > end) {
                cut_front(&rest, end - rest.address);
                if (rest.object)
                    object_reference(rest.object);
                insert(space, at, rest);
            }
        }
    }
}

int xe_space_map(struct xe_space *space, uint64_t address, uint64_t size, uint8_t *host, struct object *object)
{
    pthread_mutex_lock(&space->lock);
    int error = reserve(space, 2);
    if (!error) {
        forget_version(space);
        hide(space, address, address + size);
        insert(space, find_first(space, address),
               (struct binding){address, size, host, object ? object_reference(object) : NULL});
    }
    pthread_mutex_unlock(&space->lock);
    return error;
}

int xe_space_unmap(struct xe_space *space, uint64_t address, uint64_t size)
{
    pthread_mutex_lock(&space->lock);
    int error = reserve(space, 1);
    if (!error) {
        forget_version(space);
        hide(space, address, address + size);
    }
    pthread_mutex_unlock(&space->lock);
    return error;
}

void xe_space_unmap_object(struct xe_space *space, const struct object *object)
{
    pthread_mutex_lock(&space->lock);
    forget_version(space);
    for (size_t i = space->count; i-- > 0;)
        if (space->bindings[i].object == object)
            erase(space, i);
    pthread_mutex_unlock(&space->lock);
}

/* With the lock held. */
static struct xe_version *make_version(const struct xe_space *space)
{
    struct xe_version *version = calloc(1, sizeof *version + space->count * sizeof version->objects[0]);
    struct sim_range *ranges = malloc((space->count + 1) * sizeof *ranges);
    for (size_t i = 0; version && ranges && i < space->count; i++)
        ranges[i] = (struct sim_range){space->bindings[i].address, space->bindings[i].size, space->bindings[i].host};
    if (version && ranges)
        version->space = sim_space_create(ranges, space->count);
    free(ranges);
    if (!version || !version->space) {
        free(version);
        return NULL;
    }
    version->references = 1;
    for (size_t i = 0; i < space->count; i++)
        if (space->bindings[i].object)
            version->objects[version->count++] = object_reference(space->bindings[i].object);
    return version;
}

struct xe_version *xe_space_newest(struct xe_space *space)
{
    pthread_mutex_lock(&space->lock);
    if (!space->newest)
        space->newest = make_version(space);
    struct xe_version *version = space->newest;
    if (version)
        atomic_fetch_add(&version->references, 1);
    pthread_mutex_unlock(&space->lock);
    return version;
}

const struct sim_space *xe_version_space(const struct xe_version *version)
{
    return version->space;
}

void xe_version_release(struct xe_version *version)
{
    if (!version || atomic_fetch_sub(&version->references, 1) != 1)
        return;
    for (size_t i = 0; i < version->count; i++)
        object_release(version->objects[i]);
    sim_space_destroy(version->space);
    free(version);
}

void xe_space_before_fork(struct xe_space *space)
{
    pthread_mutex_lock(&space->lock);
}

void xe_space_after_fork(struct xe_space *space, int in_child)
{
    if (in_child)
        pthread_mutex_init(&space->lock, NULL);
    else
        pthread_mutex_unlock(&space->lock);
}
