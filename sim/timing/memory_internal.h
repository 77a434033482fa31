/* Defines the state of the memory model, for its own files: memory.c (L3 and what is below), functions.c (the shared
 * functions of a subslice). */
#ifndef CMKIT_SIM_TIMING_MEMORY_INTERNAL_H
#define CMKIT_SIM_TIMING_MEMORY_INTERNAL_H

#include "sim/timing/cache.h"
#include "sim/timing/memory.h"

enum { LINE_BYTES = 64, MOST_BANKS = 32, MOST_MISSES = 256 };

/* An L3 bank: when it is free, and when each of its misses under way comes back, oldest first. */
struct bank {
    uint64_t free, misses[MOST_MISSES];
    uint32_t next_miss, last_atomic;
};

struct subslice {
    _Alignas(HOST_LINE) uint64_t data_free, local_free, sampler_free; /* alone on its lines of the host's cache */
    uint64_t sampler_port_free;                                       /* from L3 to the sampler's cache */
    uint64_t last;                                                    /* the end of everything so far */
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

/* Takes a queue at `now` or when it is free: returns when. */
static inline uint64_t take(uint64_t *is_free, uint64_t now, uint64_t ticks)
{
    uint64_t start = *is_free > now ? *is_free : now;
    *is_free = start + ticks;
    return start;
}

static inline uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#endif
