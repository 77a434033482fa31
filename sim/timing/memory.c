/* Takes messages through queues and caches. */
#include "sim/timing/memory.h"

#include <stdlib.h>
#include <string.h>
#include "sim/timing/cache.h"
#include "sim/timing/program.h"

enum { LINE_BYTES = 64, MOST_BANKS = 32, MOST_MISSES = 256, MOST_SUBSLICES = 32 };

/* An L3 bank: when it is free, and when each of its misses under way comes back, oldest first. */
struct bank {
    uint64_t free, misses[MOST_MISSES];
    uint32_t next_miss, last_atomic;
};

struct subslice {
    uint64_t data_free, local_free, sampler_free;
    uint64_t sampler_port_free; /* from L3 to the sampler's cache */
    struct cache l1, sampler;
};

struct timing_memory {
    uint64_t k[TIMING_CONSTANTS]; /* ticks */
    double value[TIMING_CONSTANTS];
    const struct timing_machine *machine;
    struct timing_counts *counts; /* of the launch */
    unsigned subslices, banks, misses;
    struct subslice subslice[MOST_SUBSLICES];
    struct bank bank[MOST_BANKS];
    struct cache l3, l3_local, llc; /* l3_local: while kernels use local memory */
    struct cache *used;             /* l3 or l3_local */
    uint64_t gti_read_free, gti_write_free, dram_free;
    uint64_t gti_read_line, gti_write_line, dram_read_line, dram_write_line; /* ticks for a line */
    uint64_t sampler_line;
    uint64_t last; /* the end of everything so far */
};

static uint32_t line_of(const struct timing_message *message, unsigned i)
{
    switch (message->form) {
    case RECORD_RUN: return message->line[0] + i;
    case RECORD_NEAR: return i == 0 ? message->line[0] : message->line[1 + i];
    default: return message->line[2 * i];
    }
}

static bool create_caches(struct timing_memory *m)
{
    double slices = m->machine->slices;
    bool good = cache_create(&m->l3, slices * m->value[TIMING_l3_kilobytes], m->value[TIMING_l3_ways]) &&
                cache_create(&m->l3_local, slices * m->value[TIMING_l3_slm_kilobytes], m->value[TIMING_l3_ways]) &&
                cache_create(&m->llc, m->machine->llc, m->value[TIMING_llc_ways]);
    for (unsigned i = 0; i < m->subslices && good; i++)
        good = cache_create(&m->subslice[i].l1, m->value[TIMING_data_l1_kilobytes], 16) &&
               cache_create(&m->subslice[i].sampler, m->value[TIMING_sampler_kilobytes], 16);
    return good;
}

static unsigned bounded(double value, unsigned least, unsigned most)
{
    return value < least ? least : value > most ? most : (unsigned)value;
}

/* Ticks that `bytes` per clock take for a line. */
static uint64_t line_ticks(double bytes)
{
    return timing_ticks(LINE_BYTES / (bytes > 0.01 ? bytes : 0.01));
}

struct timing_memory *timing_memory_create(const struct timing_machine *machine,
                                           const struct timing_constants *constants)
{
    struct timing_memory *m = calloc(1, sizeof *m);
    if (!m)
        return NULL;
    m->machine = machine;
    for (size_t i = 0; i < TIMING_CONSTANTS; i++) {
        m->value[i] = constants->value[i];
        m->k[i] = timing_ticks(constants->value[i]);
    }
    m->subslices = bounded(machine->slices * machine->subslices, 1, MOST_SUBSLICES);
    m->banks = bounded(m->value[TIMING_l3_banks] * machine->slices, 1, MOST_BANKS);
    m->misses = bounded(m->value[TIMING_l3_misses], 1, MOST_MISSES);
    double fill = m->value[TIMING_fill_bytes] * machine->slices, gti = m->value[TIMING_gti_read_bytes];
    m->gti_read_line = line_ticks(fill < gti ? fill : gti);
    m->sampler_line = line_ticks(m->value[TIMING_sampler_bytes]);
    m->gti_write_line = line_ticks(m->value[TIMING_gti_write_bytes]);
    m->dram_read_line = line_ticks(machine->dram * m->value[TIMING_dram_efficiency] / machine->mhz);
    m->dram_write_line = (uint64_t)((double)m->dram_read_line * (1 + m->value[TIMING_dram_turn]));
    if (create_caches(m))
        return m;
    timing_memory_destroy(m);
    return NULL;
}

void timing_memory_destroy(struct timing_memory *m)
{
    if (!m)
        return;
    for (unsigned i = 0; i < m->subslices; i++) {
        cache_destroy(&m->subslice[i].l1);
        cache_destroy(&m->subslice[i].sampler);
    }
    cache_destroy(&m->l3);
    cache_destroy(&m->l3_local);
    cache_destroy(&m->llc);
    free(m);
}

/* Everything in the cache has been there for long. */
static void settle(struct cache *cache)
{
    for (size_t i = 0; cache->lines && i < (size_t)cache->sets * cache->ways; i++)
        cache->lines[i].ready = 0;
}

void timing_memory_begin(struct timing_memory *m, bool warm, bool uses_local, struct timing_counts *counts)
{
    m->counts = counts;
    m->used = uses_local ? &m->l3_local : &m->l3;
    m->gti_read_free = m->gti_write_free = m->dram_free = m->last = 0;
    memset(m->bank, 0, sizeof m->bank);
    for (unsigned i = 0; i < m->subslices; i++) {
        struct subslice *s = &m->subslice[i];
        s->data_free = s->local_free = s->sampler_free = s->sampler_port_free = 0;
        cache_clear(&s->l1);
        cache_clear(&s->sampler);
    }
    if (warm) {
        settle(m->used);
        settle(&m->llc);
    } else {
        cache_clear(m->used);
        cache_clear(&m->llc);
    }
}

/* Takes a queue at `now` or when it is free: returns when. */
static uint64_t take(uint64_t *is_free, uint64_t now, uint64_t ticks)
{
    uint64_t start = *is_free > now ? *is_free : now;
    *is_free = start + ticks;
    return start;
}

/* A line leaves L3 for the last-level cache, which passes it on to memory at once. */
static void write_below(struct timing_memory *m, uint64_t now, uint32_t line)
{
    struct cache_line victim;
    uint64_t start = take(&m->gti_write_free, now, m->gti_write_line);
    m->counts->gti_written += LINE_BYTES;
    struct cache_line *held = cache_find(&m->llc, line);
    if (!held)
        cache_replace(&m->llc, line, &victim);
    take(&m->dram_free, start, m->dram_write_line);
    m->counts->dram_written += LINE_BYTES;
}

/* A line comes from below: the tick at which it is there. */
static uint64_t read_below(struct timing_memory *m, uint64_t now, uint32_t line)
{
    struct cache_line victim, *held = cache_find(&m->llc, line);
    uint64_t start = take(&m->gti_read_free, now, m->gti_read_line);
    m->counts->gti_read += LINE_BYTES;
    if (held) {
        uint64_t done = start + m->k[TIMING_llc_latency];
        m->counts->llc.hits++;
        return held->ready > done ? held->ready : done;
    }
    m->counts->llc.misses++;
    m->counts->dram_read += LINE_BYTES;
    uint64_t done = take(&m->dram_free, start, m->dram_read_line) + m->k[TIMING_dram_latency];
    held = cache_replace(&m->llc, line, &victim);
    if (held)
        held->ready = done;
    return done;
}

static struct bank *bank_of(struct timing_memory *m, uint32_t line)
{
    return &m->bank[(line ^ line >> 3 ^ line >> 7 ^ line >> 11) % m->banks];
}

/* Ticks that a bank is taken: atomics on one dword, or on the line of the atomic before, go one by one. */
static uint64_t bank_ticks(const struct timing_memory *m, struct bank *bank, uint32_t line,
                           const struct timing_message *message)
{
    if (message->direction != RECORD_ATOMIC)
        return m->k[TIMING_l3_bank_cycle];
    unsigned further = message->passes > 1 ? message->passes - 1 : 0;
    bool again = bank->last_atomic == line + 1;
    bank->last_atomic = line + 1;
    return (again ? m->k[TIMING_atomic_lane] : m->k[TIMING_atomic_line]) + further * m->k[TIMING_atomic_lane];
}

/* A line of L3 is read, written or both. */
static uint64_t access_l3(struct timing_memory *m, uint64_t now, uint32_t line, const struct timing_message *message)
{
    struct bank *bank = bank_of(m, line);
    uint64_t ticks = bank_ticks(m, bank, line, message);
    uint64_t start = take(&bank->free, now, ticks), done = start + m->k[TIMING_l3_latency] + ticks;
    struct cache_line victim, *held = cache_find(m->used, line);
    m->counts->l3_bytes += LINE_BYTES;
    if (message->direction == RECORD_ATOMIC)
        done += m->k[TIMING_atomic_latency];
    if (held) {
        m->counts->l3.hits++;
        held->dirty = held->dirty || message->direction != RECORD_READ;
        return held->ready > done ? held->ready : done;
    }
    m->counts->l3.misses++;
    held = cache_replace(m->used, line, &victim);
    if (victim.dirty)
        write_below(m, start, victim.number - 1);
    if (held)
        held->dirty = message->direction != RECORD_READ;
    if (message->direction == RECORD_WRITE)
        return done;
    uint64_t *oldest = &bank->misses[bank->next_miss++ % m->misses];
    uint64_t there = read_below(m, *oldest > start ? *oldest : start, line);
    *oldest = there;
    if (held)
        held->ready = there;
    return there > done ? there : done;
}

/* A subslice's own cache in front of L3, for reads. `port`: where lines that it lacks wait for each other, or NULL. */
static uint64_t access_first(struct timing_memory *m, struct cache *cache, struct timing_cache_counts *counts,
                             uint64_t *port, uint64_t latency, uint64_t now, uint32_t line,
                             const struct timing_message *message)
{
    struct cache_line victim, *held = cache_find(cache, line);
    if (message->direction != RECORD_READ || !cache->lines) {
        if (held)
            held->number = 0;
        return access_l3(m, now, line, message);
    }
    if (held) {
        counts->hits++;
        return held->ready > now + latency ? held->ready : now + latency;
    }
    counts->misses++;
    uint64_t done = access_l3(m, port ? take(port, now, m->sampler_line) : now, line, message);
    held = cache_replace(cache, line, &victim);
    held->ready = done;
    return done > now + latency ? done : now + latency;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
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

static uint64_t send_local(struct timing_memory *m, struct subslice *s, uint64_t now,
                           const struct timing_message *message)
{
    bool own = m->value[TIMING_slm_own_port] > 0;
    uint64_t *queue = own ? &s->local_free : &s->data_free;
    uint64_t passes = (message->passes ? message->passes : 1) * m->k[TIMING_slm_cycle];
    if (message->direction == RECORD_ATOMIC)
        passes = m->k[TIMING_slm_cycle] + message->passes * m->k[TIMING_slm_atomic];
    uint64_t ticks = larger(passes, message->destination_registers * m->k[TIMING_return_register]);
    if (!own)
        ticks = larger(ticks, m->k[TIMING_port_message]);
    m->counts->local_bytes += message->bytes;
    return take(queue, now, ticks) + passes + m->k[TIMING_slm_latency];
}

static uint64_t send_lines(struct timing_memory *m, struct subslice *s, uint64_t now,
                           const struct timing_message *message)
{
    bool samples = message->path == RECORD_SAMPLER;
    uint64_t *queue = samples ? &s->sampler_free : &s->data_free, each;
    uint64_t ticks = service(m, message, &each), done;
    uint64_t latency = m->k[samples ? TIMING_sampler_latency : TIMING_data_l1_latency];
    uint64_t start = take(queue, now, ticks);
    done = start + (samples ? latency : m->k[TIMING_other_latency]);
    for (unsigned i = 0; i < message->lines; i++) {
        uint64_t there = access_first(m, samples ? &s->sampler : &s->l1, samples ? &m->counts->sampler : &m->counts->l1,
                                      samples ? &s->sampler_port_free : NULL, latency, start + i * each,
                                      line_of(message, i), message);
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
                            const struct timing_message *message)
{
    struct subslice *s = &m->subslice[subslice % m->subslices];
    uint64_t done;
    switch (message->path) {
    case RECORD_LOCAL: done = send_local(m, s, now, message); break;
    case RECORD_FENCE: done = now + m->k[TIMING_fence_latency]; break;
    case RECORD_LOCAL_FENCE: done = now + m->k[TIMING_slm_fence_latency]; break;
    case RECORD_OTHER:
    case RECORD_BARRIER:
    case RECORD_END: done = now + m->k[TIMING_other_latency]; break;
    default: done = send_lines(m, s, now, message); break;
    }
    m->last = larger(m->last, done);
    return done;
}

uint64_t timing_memory_end(struct timing_memory *m, uint64_t now)
{
    now = larger(now, m->last);
    for (size_t i = 0; m->used->lines && i < (size_t)m->used->sets * m->used->ways; i++)
        if (m->used->lines[i].dirty) {
            write_below(m, now, m->used->lines[i].number - 1);
            m->used->lines[i].dirty = false;
        }
    return larger(larger(now, m->gti_write_free), m->dram_free);
}
