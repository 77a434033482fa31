/* Knows which accesses to global memory fences and atomic operations order before others (happens-before).
 *
 * A thread counts its fences of global memory. An atomic operation publishes at its address how many the thread has
 * made, and what it knows of others. A thread that later has an atomic operation there knows the same from then on, and
 * behind a barrier its group does. An access is ordered before what a thread does that knows of a fence behind it. */
#ifndef CMKIT_SIM_CHECK_ORDER_H
#define CMKIT_SIM_CHECK_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How many fences of which thread are known. */
struct order_clocks {
    struct order_clock {
        uint64_t thread; /* order_thread(); 0: empty */
        uint32_t fences;
    } *list;
    size_t used, room; /* a hash table; room: 0, or a power of two */
    bool is_full;      /* more than can be kept: all is taken for known */
};

/* What a launch's atomic operations have published. */
struct order_launch;

struct order_launch *order_launch_create(void);
void order_launch_destroy(struct order_launch *launch);

/* What the threads of a group know. */
struct order_group {
    struct order_launch *launch;
    uint32_t number, thread;    /* of the group; the one that runs */
    struct order_clocks common; /* known to all its threads since the last barrier */
    struct order_own {
        struct order_clocks known;
        uint32_t fences;
    } *own; /* per thread */
    size_t threads;
    uint64_t *pending; /* addresses of the atomic operations that the instruction at hand makes */
    size_t pending_count, pending_room;
};

/* Begins group `number`; `group` is zeroed, or was begun before. */
void order_group_start(struct order_group *group, struct order_launch *launch, uint32_t number);
void order_group_free(struct order_group *group);

/* Thread `thread` of the group runs from now on; the next instruction begins; the group has reached a barrier. */
void order_group_thread(struct order_group *group, uint32_t thread);
void order_group_instruction(struct order_group *group);
void order_group_barrier(struct order_group *group);

/* The running thread makes a fence of global memory; an atomic operation. */
void order_group_fence(struct order_group *group);
void order_group_atomic(struct order_group *group, uint64_t address);

/* Returns how many fences the running thread has made, up to ORDER_MOST_FENCES. */
enum { ORDER_MOST_FENCES = UINT8_MAX };
uint8_t order_group_fences(const struct order_group *group);

/* True if the running thread knows that an access is done: of thread `thread` of group `number`, behind `fences`
 * fences. */
bool order_group_knows(const struct order_group *group, uint32_t number, uint32_t thread, uint8_t fences,
                       bool is_atomic);

#endif
