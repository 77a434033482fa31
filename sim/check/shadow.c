#include "sim/check/shadow.h"

#include <assert.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

struct shadow {
    unsigned count;
    atomic_bool is_used;
    _Atomic(struct shadow_page *) buckets[];
};

struct shadow *shadow_create(unsigned pages)
{
    assert(pages > 0);
    struct shadow *shadow = calloc(1, sizeof *shadow + pages * sizeof shadow->buckets[0]);
    if (shadow)
        shadow->count = pages;
    return shadow;
}

void shadow_clear(struct shadow *shadow)
{
    if (!atomic_exchange(&shadow->is_used, false))
        return;
    for (unsigned i = 0; i < shadow->count; i++) {
        struct shadow_page *page = atomic_exchange(&shadow->buckets[i], NULL);
        while (page) {
            struct shadow_page *next = page->next;
            free(page);
            page = next;
        }
    }
}

void shadow_destroy(struct shadow *shadow)
{
    if (!shadow)
        return;
    shadow_clear(shadow);
    free(shadow);
}

static struct shadow_page *find(struct shadow_page *from, const struct shadow_page *end, uint64_t number)
{
    while (from != end && from->number != number)
        from = from->next;
    return from == end ? NULL : from;
}

/* Adds a page in front of its bucket, unless another thread has added it meanwhile. */
static struct shadow_page *add(_Atomic(struct shadow_page *) *bucket, struct shadow_page *first, uint64_t number)
{
    struct shadow_page *page = calloc(1, sizeof *page);
    if (!page)
        return NULL;
    page->number = number;
    atomic_flag_clear(&page->lock);
    page->next = first;
    while (!atomic_compare_exchange_weak(bucket, &page->next, page)) {
        struct shadow_page *other = find(page->next, first, number);
        if (other) {
            free(page);
            return other;
        }
        first = page->next;
    }
    return page;
}

struct shadow_page *shadow_lock(struct shadow *shadow, uint64_t number)
{
    _Atomic(struct shadow_page *) *bucket =
        &shadow->buckets[(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) % shadow->count];
    struct shadow_page *first = atomic_load(bucket), *page = find(first, NULL, number);
    if (!page) {
        page = add(bucket, first, number);
        atomic_store(&shadow->is_used, true);
    }
    if (!page)
        return NULL;
    while (atomic_flag_test_and_set_explicit(&page->lock, memory_order_acquire))
        sched_yield();
    return page;
}

void shadow_unlock(struct shadow_page *page)
{
    atomic_flag_clear_explicit(&page->lock, memory_order_release);
}

static bool is_same_thread(const struct shadow_slot *a, const struct shadow_slot *b)
{
    return a->group == b->group && a->thread == b->thread;
}

/* True if a barrier lies between the two, or one thread ended before the other started on its hardware slot. */
static bool is_ordered(const struct shadow_slot *a, const struct shadow_slot *b)
{
    return a->group == b->group ? a->epoch != b->epoch : a->hardware_slot == b->hardware_slot;
}

/* True if the two could be a race: nothing is said yet about their order. */
static bool conflicts(const struct shadow_slot *a, const struct shadow_slot *b)
{
    bool both_read = a->access == 1 + CHECK_READ && b->access == 1 + CHECK_READ;
    bool both_atomic = a->access == 1 + CHECK_ATOMIC && b->access == 1 + CHECK_ATOMIC;
    return (a->bytes & b->bytes) && !both_read && !both_atomic && !is_same_thread(a, b);
}

/* True if every later race with `old` is also one with `now`, so that `old` can be forgotten. A write races with all
 * that an atomic operation or a read races with. */
static bool replaces(const struct shadow_slot *now, const struct shadow_slot *old)
{
    return is_same_thread(now, old) && (old->bytes & ~now->bytes) == 0 &&
           (now->access == old->access || now->access == 1 + CHECK_WRITE);
}

/* The order of an access behind an earlier one that it conflicts with. A read needs no fence behind it: the thread
 * waits for what it reads. */
static enum shadow_order order_of(const struct shadow_slot *access, const struct shadow_slot *earlier,
                                  const struct check_fences *fences, const struct check_order_group *order)
{
    if (!is_ordered(access, earlier)) {
        bool knows = order && check_order_group_knows(order, earlier->group, earlier->thread, earlier->fences,
                                                      earlier->access == 1 + CHECK_ATOMIC);
        return knows ? SHADOW_ORDERED : SHADOW_RACE;
    }
    bool misses = fences && access->group == earlier->group && earlier->access != 1 + CHECK_READ &&
                  check_fences_miss(fences, earlier->thread, earlier->epoch, earlier->fences);
    return misses ? SHADOW_UNFENCED : SHADOW_ORDERED;
}

enum shadow_order shadow_record(struct shadow_page *page, unsigned unit, const struct shadow_slot *access,
                                const struct check_fences *fences, const struct check_order_group *order,
                                struct shadow_slot *earlier)
{
    assert(unit < SHADOW_UNITS && access->access != 0);
    struct shadow_slot *slots = page->slots[unit], *place = NULL, *empty = NULL;
    enum shadow_order result = SHADOW_ORDERED;
    for (unsigned i = 0; i < SHADOW_SLOTS; i++) {
        if (slots[i].access == 0) {
            empty = empty ? empty : &slots[i];
        } else if (replaces(access, &slots[i])) {
            place = &slots[i];
        } else if (result == SHADOW_ORDERED && conflicts(access, &slots[i])) {
            result = order_of(access, &slots[i], fences, order);
            *earlier = slots[i];
        }
    }
    if (!place)
        place = empty ? empty : &slots[page->victim++ % SHADOW_SLOTS];
    *place = *access;
    return result;
}
