/* Defines the state of checks, for the files of sim/check/. */
#ifndef CMKIT_SIM_CHECK_GROUP_H
#define CMKIT_SIM_CHECK_GROUP_H

#include "sim/check/allocations.h"
#include "sim/check/order.h"
#include "sim/check/report.h"
#include "sim/check/shadow.h"

struct check_init_group;
struct check_init_launch;

struct check_launch {
    unsigned kinds;
    uint64_t hash;
    check_describe *describe;
    check_argument *argument;
    const void *context;
    atomic_int whose;  /* the program's kernel or one of the driver's own; 0: not asked yet */
    bool needs_fences; /* shared local memory does, before a barrier */
    struct shadow *global;
    struct check_order_launch *order; /* of accesses to global memory */
    struct check_init_launch *init;   /* --check=init, else NULL */
    uint32_t local_bytes;             /* of shared local memory that the kernel declares; 0: not known */
};

enum { CHECK_KNOWN = 4 };

struct check_group {
    struct check_launch *launch;
    struct shadow *local;
    struct check_fences fences;                 /* of shared local memory */
    struct check_order_group order;             /* by fences of global memory */
    struct shadow_slot now;                     /* the access at hand: thread, instruction, epoch */
    unsigned lane_bytes;                        /* of each lane from now.lane on; 0: one lane */
    struct check_allocation known[CHECK_KNOWN]; /* that accesses found last: most accesses find one of them */
    unsigned oldest;
    struct check_init_group *init; /* --check=init, else NULL */
};

/* Returns the program's allocation that holds all of [address, address + size), NULL if there is none. */
const struct check_allocation *check_group_allocation(struct check_group *group, uint64_t address, uint64_t size);

/* Writes "lanes 0-7, 12". */
void check_lanes_describe(uint32_t lanes, char *text, size_t room);

static inline struct check_site check_site_of(const struct shadow_slot *slot)
{
    return (struct check_site){slot->group, slot->thread, slot->ip, slot->lane};
}

/* init.c: state of a launch and of a group. NULL: out of memory. */
struct check_init_launch *check_init_launch_create(void);
void check_init_launch_destroy(struct check_init_launch *init);
struct check_init_group *check_init_group_create(void);
void check_init_group_destroy(struct check_init_group *init);

/* The group's shared local memory has no values any more. */
void check_init_group_start(struct check_init_group *init, uint32_t slm_bytes);

/* Reports an atomic operation on memory without a value. */
void check_init_atomic(struct check_group *group, uint64_t address, uint64_t size, bool is_slm);

#endif
