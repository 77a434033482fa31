/* Maps GPU address ranges to host memory for one submission. The kernel interface builds the map when a batch is
 * submitted, and it does not change while the batch runs, so readers need no lock. */
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

/* Creates a space over `count` ranges (copied and sorted). NULL: out of memory, or two ranges overlap with different
 * host addresses. */
struct sim_space *sim_space_create(const struct sim_range *ranges, size_t count);
void sim_space_destroy(struct sim_space *space);

/* Finds the range that holds `gpu`, or NULL. Bits above 48 of `gpu` are ignored. */
const struct sim_range *sim_space_find(const struct sim_space *space, uint64_t gpu);

/* Returns the ranges by rising address; touching ones may be joined. */
const struct sim_range *sim_space_ranges(const struct sim_space *space, size_t *count);

/* Returns the host memory of [gpu, gpu + size). NULL: no single range covers it. */
void *sim_space_map(const struct sim_space *space, uint64_t gpu, uint64_t size);

#endif
