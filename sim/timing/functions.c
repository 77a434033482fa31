/* Takes messages through the shared functions of a subslice: data port, local memory, sampler, and their caches. */
#include "sim/timing/memory_internal.h"

#include "sim/timing/growing.h"
#include "sim/timing/program.h"

static uint32_t line_of(const struct timing_message *message, unsigned i)
{
    switch (message->form) {
    case RECORD_RUN: return message->line[0] + i;
    case RECORD_NEAR: return i == 0 ? message->line[0] : message->line[1 + i];
    default: return message->line[2 * i];
    }
}

/* Asks L3 for a line. Returns the number of the request plus one, 0: there is no memory. */
static uint32_t ask(struct timing_requests *list, const struct timing_request *request)
{
    struct timing_request *grown = growing_array(list->request, list->count, &list->room, sizeof *grown);
    if (!grown) {
        list->failed = true;
        return 0;
    }
    list->request = grown;
    list->request[list->count++] = *request;
    return list->count;
}

/* Where the lines of a message go first. */
struct first_cache {
    struct cache *cache;
    struct timing_cache_counts *counts;
    uint64_t *port; /* where lines that it lacks wait for each other, or NULL */
    uint64_t latency;
};

/* A subslice's own cache in front of L3, for reads. Returns the tick of its answer, 0 if it has asked L3. */
static uint64_t access_first(const struct timing_memory *m, const struct first_cache *first, uint64_t now,
                             uint32_t line, enum record_direction direction, struct timing_requests *requests)
{
    struct cache_line victim, *held = cache_find(first->cache, line);
    struct timing_request request = {.at = now, .line = line};
    if (direction != RECORD_READ || !first->cache->lines) {
        if (held)
            held->number = 0;
        ask(requests, &request);
        return 0;
    }
    request.least = now + first->latency;
    if (held) {
        first->counts->hits++;
        request.fetched = held->fetch;
        if (!held->fetch)
            return larger(held->ready, request.least);
        ask(requests, &request);
        return 0;
    }
    first->counts->misses++;
    if (first->port)
        request.at = take(first->port, now, m->sampler_line);
    request.held = cache_replace(first->cache, line, &victim);
    request.held->fetch = ask(requests, &request);
    return 0;
}

/* The data port takes a dword of each of 16 lanes at a time. */
static unsigned passes_of(const struct timing_message *message)
{
    unsigned back = message->destination_registers * 32, bytes = message->bytes > back ? message->bytes : back;
    return bytes > LINE_BYTES ? (bytes + LINE_BYTES - 1) / LINE_BYTES : 1;
}

/* Ticks for which a message takes its function, and those between two of its lines. */
static uint64_t service(const struct timing_memory *m, const struct timing_message *message, uint64_t *each)
{
    uint64_t back = message->destination_registers * m->k[TIMING_return_register];
    uint64_t least = passes_of(message) * m->k[TIMING_port_message];
    unsigned lines = message->lines; /* of RECORD_DATA once for each pass that has some of it */
    *each = m->k[TIMING_port_line];
    switch (message->path) {
    case RECORD_BLOCK: *each = least = m->k[TIMING_block_line]; break;
    case RECORD_BYTE: least = m->k[TIMING_byte_message]; break;
    case RECORD_TYPED: least = m->k[TIMING_typed_message]; break;
    case RECORD_MEDIA:
        least = m->k[TIMING_port_message];
        *each = larger(m->k[TIMING_media_row], m->k[TIMING_block_line]);
        break;
    case RECORD_SAMPLER:
        *each = TIMING_TICKS / larger(1, (uint64_t)m->value[TIMING_sampler_texels]); /* wherever texels lie */
        least = message->lanes * *each;
        break;
    case RECORD_DATA:
        if (message->direction != RECORD_ATOMIC && message->passes > lines)
            lines = message->passes;
        break;
    default: break;
    }
    return larger(larger(least, lines * *each), back);
}

static uint64_t send_local(const struct timing_memory *m, struct subslice *s, uint64_t now,
                           const struct timing_message *message, struct timing_counts *counts)
{
    bool own = m->value[TIMING_slm_own_port] > 0;
    uint64_t *queue = own ? &s->local_free : &s->data_free;
    uint64_t passes = (message->passes ? message->passes : 1) * m->k[TIMING_slm_cycle];
    if (message->direction == RECORD_ATOMIC)
        passes = m->k[TIMING_slm_cycle] + message->passes * m->k[TIMING_slm_atomic];
    uint64_t ticks = larger(passes, message->destination_registers * m->k[TIMING_return_register]);
    if (!own)
        ticks = larger(ticks, m->k[TIMING_port_message]);
    counts->local_bytes += message->bytes;
    return take(queue, now, ticks) + passes + m->k[TIMING_slm_latency];
}

static uint64_t send_lines(const struct timing_memory *m, struct subslice *s, uint64_t now,
                           const struct timing_message *message, struct timing_counts *counts,
                           struct timing_requests *requests)
{
    bool samples = message->path == RECORD_SAMPLER;
    const struct first_cache first = {.cache = samples ? &s->sampler : &s->l1,
                                      .counts = samples ? &counts->sampler : &counts->l1,
                                      .port = samples ? &s->sampler_port_free : NULL,
                                      .latency = m->k[samples ? TIMING_sampler_latency : TIMING_data_l1_latency]};
    uint64_t each, ticks = service(m, message, &each);
    uint64_t start = take(samples ? &s->sampler_free : &s->data_free, now, ticks);
    uint64_t done = start + (samples ? first.latency : m->k[TIMING_other_latency]);
    for (unsigned i = 0; i < message->lines; i++) {
        uint64_t there = access_first(m, &first, start + i * each, line_of(message, i), message->direction, requests);
        done = larger(done, there);
    }
    return done;
}

const uint64_t *timing_memory_queue(const struct timing_memory *m, unsigned subslice, enum record_path path)
{
    const struct subslice *s = &m->subslice[subslice % m->subslices];
    switch (path) {
    case RECORD_LOCAL: return m->value[TIMING_slm_own_port] > 0 ? &s->local_free : &s->data_free;
    case RECORD_SAMPLER: return &s->sampler_free;
    case RECORD_FENCE:
    case RECORD_LOCAL_FENCE:
    case RECORD_OTHER:
    case RECORD_BARRIER:
    case RECORD_END: return NULL;
    default: return &s->data_free;
    }
}

uint64_t timing_memory_send(struct timing_memory *m, unsigned subslice, uint64_t now,
                            const struct timing_message *message, struct timing_counts *counts,
                            struct timing_requests *requests)
{
    struct subslice *s = &m->subslice[subslice % m->subslices];
    uint64_t done;
    switch (message->path) {
    case RECORD_LOCAL: done = send_local(m, s, now, message, counts); break;
    case RECORD_FENCE: done = now + m->k[TIMING_fence_latency]; break;
    case RECORD_LOCAL_FENCE: done = now + m->k[TIMING_slm_fence_latency]; break;
    case RECORD_OTHER:
    case RECORD_BARRIER:
    case RECORD_END: done = now + m->k[TIMING_other_latency]; break;
    default: done = send_lines(m, s, now, message, counts, requests); break;
    }
    s->last = larger(s->last, done);
    return done;
}
