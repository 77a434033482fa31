/* Keeps, for each eight bytes of memory, the latest accesses of different threads: the shadow memory of the race check.
 *
 * The layout follows ThreadSanitizer's (Serebryany and Iskhodzhanov 2009): a fixed number of slots for each eight
 * bytes. When all are in use, one is overwritten, so that a race can be missed and none is invented. */
#ifndef CMKIT_SIM_CHECK_SHADOW_H
#define CMKIT_SIM_CHECK_SHADOW_H

#include <stdatomic.h>
#include "sim/check/check.h"
#include "sim/check/fences.h"
#include "sim/check/order.h"

enum { SHADOW_UNIT = 8, SHADOW_SLOTS = 4, SHADOW_PAGE = 4096, SHADOW_UNITS = SHADOW_PAGE / SHADOW_UNIT };

/* One access to some of the eight bytes. */
struct shadow_slot {
    uint32_t group, epoch, ip;
    uint16_t thread, hardware_slot;
    uint8_t bytes;  /* bit i: byte i of the eight */
    uint8_t access; /* 0: the slot is empty; 1 + enum check_access */
    uint8_t lane;   /* or CHECK_NO_LANE */
    uint8_t fences; /* that the thread made before it: of global memory; of local memory, in the same epoch */
};

struct shadow_page {
    struct shadow_page *next;
    uint64_t number; /* address / SHADOW_PAGE */
    atomic_flag lock;
    uint8_t victim; /* the slot to overwrite next */
    struct shadow_slot slots[SHADOW_UNITS][SHADOW_SLOTS];
};

struct shadow;

/* Creates a shadow for about `pages` pages; more cost time. NULL: out of memory. */
struct shadow *shadow_create(unsigned pages);
void shadow_destroy(struct shadow *shadow);

/* Forgets all accesses. No other thread may use the shadow meanwhile. */
void shadow_clear(struct shadow *shadow);

/* Returns the page of page number `number`, created when it is new, locked; NULL: out of memory. Any thread may call
 * it. Unlock the page with shadow_unlock(). */
struct shadow_page *shadow_lock(struct shadow *shadow, uint64_t number);
void shadow_unlock(struct shadow_page *page);

enum shadow_order {
    SHADOW_ORDERED,
    SHADOW_RACE,
    SHADOW_UNFENCED /* a barrier lies between the two, but its writer made no fence before it */
};

/* Records `access`, and looks for an earlier one by another thread to a common byte, at least one of the two a write
 * and not both atomic. If there is one that is not ordered before it, `*earlier` is a copy of that. `fences`: those of
 * the group, for memory that needs them; else NULL. `order`: what the thread knows of accesses to global memory; NULL:
 * the memory is local. */
enum shadow_order shadow_record(struct shadow_page *page, unsigned unit, const struct shadow_slot *access,
                                const struct check_fences *fences, const struct check_order_group *order,
                                struct shadow_slot *earlier);

#endif
