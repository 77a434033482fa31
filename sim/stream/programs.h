/* Caches decoded kernels by the GPU address of their first instruction. */
#ifndef CMKIT_SIM_STREAM_PROGRAMS_H
#define CMKIT_SIM_STREAM_PROGRAMS_H

#include "sim/eu/eu.h"

struct program_cache;

struct program_cache *program_cache_create(void);
void program_cache_destroy(struct program_cache *cache);

/* Like dispatcher_program(). */
const struct eu_program *program_cache_get(struct program_cache *cache, const struct platform *platform,
                                           uint64_t address, const uint8_t *code, size_t available, uint64_t *hash,
                                           struct sim_fault *fault);
void program_cache_put(struct program_cache *cache, const struct eu_program *program);

#endif
