/* Keeps the memory that the program has allocated through Level Zero: the driver's own objects are rounded up to pages,
 * so only the interface knows where an allocation ends. Any thread may call these functions. */
#ifndef CMKIT_SIM_CHECK_ALLOCATIONS_H
#define CMKIT_SIM_CHECK_ALLOCATIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Properties of an allocation: only kernels and functions of the API write it; no kernel of the program writes it. */
enum { CHECK_PRIVATE = 1, CHECK_READ_ONLY = 2 };

/* Adds an allocation. `function` (a literal) is what the program called. `owner` distinguishes it from later ones at
 * its address, NULL where there are none before it is freed. Without memory nothing is added. */
void check_allocation_add(uint64_t address, uint64_t bytes, const char *function, unsigned properties,
                          const void *owner);

/* Marks the allocation as freed. It is remembered until its addresses are used again. */
void check_allocation_free(uint64_t address);

/* Says that the allocation at `address` has the driver's object [object, object_end) for itself: what lies beyond is
 * not its. */
void check_allocation_bound(uint64_t address, uint64_t object, uint64_t object_end);

/* Forgets freed allocations in [from, to), where the driver has put a new object. */
void check_allocation_reused(uint64_t from, uint64_t to);

/* Forgets the owner's allocation: what is at its address from now on is something else. */
void check_allocation_forget(uint64_t address, const void *owner);

/* Says that the program has a new allocation in a pool of the driver, at an address that nobody tells. It may be where
 * a freed one was. */
void check_allocation_has_unknown(void);

/* Finds the live allocation that holds all of [address, address + size). Returns 1, and the allocation's bounds and
 * properties with the number that check_allocation_version() has while they hold. */
struct check_allocation {
    uint64_t from, to, version;
    unsigned properties;
};
int check_allocation_find(uint64_t address, uint64_t size, struct check_allocation *found);

/* Describes what is wrong with an access of `size` bytes at `address`, in the driver's object [object, object_end):
 * "16 bytes behind the 1000 bytes that zeMemAllocShared allocated at 0x..."; "" if nothing is. Objects without
 * allocations of the program are the driver's own. *near gets the bounds of the allocation that is named. */
void check_allocation_fault(uint64_t address, uint64_t size, uint64_t object, uint64_t object_end,
                            struct check_allocation *near, char *text, size_t room);

/* An allocation as it is kept, for traces. */
struct check_allocation_kept {
    uint64_t address, bytes, object, object_end;
    const char *function;
    unsigned properties;
    int is_free;
};
/* Returns a copy of all, to be freed; NULL: there are none, or no memory. */
struct check_allocation_kept *check_allocation_all(size_t *count);
void check_allocation_restore(const struct check_allocation_kept *kept);

/* A number that changes with each allocation and each freeing. */
uint64_t check_allocation_version(void);

/* True if an address lies in an allocation that the program has freed. */
bool check_allocation_is_freed(uint64_t address);

/* Describes an address that lies in an allocation, which may be freed: "byte 40 of the 4096 that ..."; "" if it lies in
 * none. */
void check_allocation_describe(uint64_t address, char *text, size_t room);

/* The same of the nearest allocation within 64 KB: "16 bytes before the 64 bytes that ... allocated at 0x...". */
void check_allocation_near(uint64_t address, char *text, size_t room);

#endif
