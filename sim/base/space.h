/* A GPU address space as one submission sees it: GPU address ranges over host memory. It is built by the kernel
 * interface when a batch is submitted and does not change while the batch runs, so readers need no lock. */
#ifndef CMKIT_SIM_SPACE_H
#define CMKIT_SIM_SPACE_H

#include <stddef.h>
#include <stdint.h>

struct sim_space;

struct sim_range {
    uint64_t gpu;  /* first GPU address, canonical bits stripped (48 bits) */
    uint64_t size; /* bytes */
    uint8_t *host; /* where it lives in this process */
};

/* A space over `count` ranges (copied, sorted inside). NULL when out of memory or two ranges overlap with different
 * host addresses. */
struct sim_space *sim_space_create(const struct sim_range *ranges, size_t count);
void sim_space_destroy(struct sim_space *space);

/* The range that holds `gpu`, or NULL. Bits above 48 of `gpu` are ignored. */
const struct sim_range *sim_space_find(const struct sim_space *space, uint64_t gpu);

/* Host memory of [gpu, gpu + size), or NULL if any byte of it is not covered by one range. */
void *sim_space_map(const struct sim_space *space, uint64_t gpu, uint64_t size);

#endif
