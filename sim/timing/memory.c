/* Takes the lines for which subslices ask through L3, the last-level cache and memory. */
#include "sim/timing/memory_internal.h"

#include <stdlib.h>
#include <string.h>
#include "sim/timing/program.h"

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
    struct timing_memory *m = aligned_alloc(HOST_LINE, sizeof *m);
    if (!m)
        return NULL;
    memset(m, 0, sizeof *m);
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
        s->data_free = s->local_free = s->sampler_free = s->sampler_port_free = s->last = 0;
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

uint64_t timing_memory_answer(struct timing_memory *m, const struct timing_message *message,
                              struct timing_requests *requests, uint32_t first, uint32_t count)
{
    uint64_t last = 0;
    for (uint32_t i = first; i < first + count; i++) {
        struct timing_request *request = &requests->request[i];
        uint64_t there = request->fetched ? requests->request[request->fetched - 1].done
                                          : access_l3(m, request->at, request->line, message);
        request->done = larger(there, request->least);
        last = larger(last, request->done);
        if (request->held && request->held->fetch == i + 1) {
            request->held->ready = there;
            request->held->fetch = 0;
        }
    }
    m->last = larger(m->last, last);
    return last;
}

uint64_t timing_memory_end(struct timing_memory *m, uint64_t now)
{
    now = larger(now, m->last);
    for (unsigned i = 0; i < m->subslices; i++)
        now = larger(now, m->subslice[i].last);
    for (size_t i = 0; m->used->lines && i < (size_t)m->used->sets * m->used->ways; i++)
        if (m->used->lines[i].dirty) {
            write_below(m, now, m->used->lines[i].number - 1);
            m->used->lines[i].dirty = false;
        }
    return larger(larger(now, m->gti_write_free), m->dram_free);
}
