#include "sim/trace/pages.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct trace_pages {
    const struct sim_space *space;
    uint64_t serial; /* of all, so that a thread's last page is known to be of this launch */
    pthread_mutex_t lock;
    struct trace_page *list;
    size_t count, room;
    uint32_t *places; /* hash table of 1 + index in the list, of `places_room` entries, a power of two */
    size_t places_room;
    int has_failed;
};

/* The page that this thread has touched last. */
static _Thread_local struct {
    uint64_t serial, gpu;
    atomic_uint_fast64_t *written;
} latest;

struct trace_pages *trace_pages_create(const struct sim_space *space)
{
    static atomic_uint_fast64_t serials;
    assert(space);
    struct trace_pages *pages = calloc(1, sizeof *pages);
    if (!pages)
        return NULL;
    pages->space = space;
    pages->serial = atomic_fetch_add(&serials, 1) + 1;
    pthread_mutex_init(&pages->lock, NULL);
    return pages;
}

void trace_pages_destroy(struct trace_pages *pages)
{
    if (!pages)
        return;
    for (size_t i = 0; i < pages->count; i++) {
        free(pages->list[i].before);
        free(pages->list[i].after);
        free(pages->list[i].written);
    }
    free(pages->list);
    free(pages->places);
    pthread_mutex_destroy(&pages->lock);
    free(pages);
}

static size_t place_of(const struct trace_pages *pages, uint64_t gpu)
{
    size_t at = (size_t)(gpu / TRACE_PAGE * UINT64_C(0x9e3779b97f4a7c15) >> 20) & (pages->places_room - 1);
    while (pages->places[at] && pages->list[pages->places[at] - 1].gpu != gpu)
        at = (at + 1) & (pages->places_room - 1);
    return at;
}

/* Makes room for one more page in list and table. */
static int grow(struct trace_pages *pages)
{
    if (pages->count == pages->room) {
        size_t room = pages->room ? 2 * pages->room : 64;
        struct trace_page *list = realloc(pages->list, room * sizeof *list);
        if (!list)
            return 0;
        pages->list = list;
        pages->room = room;
    }
    if (2 * (pages->count + 1) <= pages->places_room)
        return 1;
    size_t room = pages->places_room ? 2 * pages->places_room : 128;
    uint32_t *places = calloc(room, sizeof *places);
    if (!places)
        return 0;
    free(pages->places);
    pages->places = places;
    pages->places_room = room;
    for (size_t i = 0; i < pages->count; i++)
        places[place_of(pages, pages->list[i].gpu)] = (uint32_t)i + 1;
    return 1;
}

/* Copies what the page holds now. NULL: out of memory. */
static uint8_t *copy(const struct trace_pages *pages, uint64_t gpu)
{
    uint8_t *bytes = calloc(1, TRACE_PAGE);
    for (uint64_t at = gpu; bytes && at < gpu + TRACE_PAGE;) {
        const struct sim_range *range = sim_space_find(pages->space, at);
        uint64_t size = gpu + TRACE_PAGE - at;
        if (range && range->gpu + range->size - at < size)
            size = range->gpu + range->size - at;
        if (!range)
            size = 64; /* objects begin at multiples of it */
        if (range)
            memcpy(bytes + (at - gpu), range->host + (at - range->gpu), size);
        at += size;
    }
    return bytes;
}

/* Returns the page, which is copied if it is new; NULL: out of memory. Call it with the lock held. */
static struct trace_page *find_page(struct trace_pages *pages, uint64_t gpu)
{
    if (!grow(pages))
        return NULL;
    size_t at = place_of(pages, gpu);
    if (!pages->places[at]) {
        uint8_t *before = copy(pages, gpu);
        if (!before)
            return NULL;
        pages->list[pages->count++] = (struct trace_page){.gpu = gpu, .before = before};
        pages->places[at] = (uint32_t)pages->count;
    }
    return &pages->list[pages->places[at] - 1];
}

/* Makes the page that of this thread's last access. 0: out of memory. */
static int enter(struct trace_pages *pages, uint64_t gpu, int writes)
{
    if (latest.serial == pages->serial && latest.gpu == gpu && (latest.written || !writes))
        return 1;
    pthread_mutex_lock(&pages->lock);
    struct trace_page *page = find_page(pages, gpu);
    if (page && writes && !page->written)
        page->written = calloc(TRACE_PAGE / 64, sizeof *page->written);
    int good = page && (page->written || !writes);
    latest.serial = pages->serial;
    latest.gpu = gpu;
    latest.written = page ? page->written : NULL;
    pages->has_failed |= !good;
    pthread_mutex_unlock(&pages->lock);
    return good;
}

/* Sets the bits from `from` to `end` - 1. */
static void set_bits(atomic_uint_fast64_t *bits, unsigned from, unsigned end)
{
    while (from < end) {
        unsigned next = (from / 64 + 1) * 64 < end ? (from / 64 + 1) * 64 : end;
        uint64_t mask = UINT64_MAX >> (64 - (next - from)) << from % 64;
        atomic_fetch_or_explicit(&bits[from / 64], mask, memory_order_relaxed);
        from = next;
    }
}

void trace_pages_touch(struct trace_pages *pages, uint64_t gpu, uint64_t size, int writes)
{
    const struct sim_range *range = sim_space_find(pages->space, gpu);
    uint64_t inside = range ? gpu - range->gpu : 0;
    if (!range || size == 0)
        return;
    if (size > range->size - inside)
        size = range->size - inside;
    for (uint64_t at = gpu / TRACE_PAGE * TRACE_PAGE; at < gpu + size; at += TRACE_PAGE) {
        uint64_t from = at < gpu ? gpu - at : 0, end = gpu + size - at < TRACE_PAGE ? gpu + size - at : TRACE_PAGE;
        if (enter(pages, at, writes) && writes)
            set_bits(latest.written, (unsigned)from, (unsigned)end);
    }
}

static int compare_pages(const void *left, const void *right)
{
    const struct trace_page *a = left, *b = right;
    return a->gpu < b->gpu ? -1 : a->gpu > b->gpu;
}

const struct trace_page *trace_pages_finish(struct trace_pages *pages, size_t *count)
{
    for (size_t i = 0; i < pages->count && !pages->has_failed; i++) {
        struct trace_page *page = &pages->list[i];
        page->after = page->written ? copy(pages, page->gpu) : NULL;
        pages->has_failed |= page->written && !page->after;
        for (unsigned byte = 0; page->after && byte < TRACE_PAGE; byte++)
            if (!(page->written[byte / 64] >> byte % 64 & 1))
                page->after[byte] = page->before[byte];
        if (page->after && memcmp(page->before, page->after, TRACE_PAGE) == 0) {
            free(page->after);
            page->after = NULL;
        }
    }
    *count = pages->count;
    if (pages->has_failed)
        return NULL;
    qsort(pages->list, pages->count, sizeof *pages->list, compare_pages);
    return pages->list;
}

/* Writes the page's bytes back that the launch has written. Objects begin at multiples of 64 bytes. */
static void restore(const struct trace_pages *pages, const struct trace_page *page)
{
    for (unsigned word = 0; word < TRACE_PAGE / 64; word++) {
        uint64_t written = page->written[word], gpu = page->gpu + 64 * (uint64_t)word;
        const struct sim_range *range = written ? sim_space_find(pages->space, gpu) : NULL;
        for (; range && written; written &= written - 1) {
            unsigned byte = (unsigned)__builtin_ctzll(written);
            range->host[gpu + byte - range->gpu] = page->before[64 * word + byte];
        }
    }
}

int trace_pages_restore(struct trace_pages *pages)
{
    if (pages->has_failed)
        return 0;
    for (size_t i = 0; i < pages->count; i++)
        if (pages->list[i].written)
            restore(pages, &pages->list[i]);
    return 1;
}
