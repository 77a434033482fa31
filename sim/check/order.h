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
struct check_order_clocks {
    struct check_order_clock {
        uint64_t thread; /* thread_key(); 0: empty */
        uint32_t fences;
    } *list;
    size_t used, room; /* a hash table; room: 0, or a power of two */
    bool is_full;      /* more than can be kept: all is taken for known */
};

/* What a launch's atomic operations have published. */
struct check_order_launch;

struct check_order_launch *check_order_launch_create(void);
void check_order_launch_destroy(struct check_order_launch *launch);

/* What the threads of a group know. */
struct check_order_group {
    struct check_order_launch *launch;
    uint32_t number, thread;          /* of the group; the one that runs */
    struct check_order_clocks common; /* known to all its threads since the last barrier */
    struct check_order_own {
        struct check_order_clocks known;
        uint32_t fences;
    } *own; /* per thread */
    size_t threads;
    uint64_t *pending; /* addresses of the atomic operations that the instruction at hand makes */
    size_t pending_count, pending_room;
};

/* Begins group `number`; `group` is zeroed, or was begun before. */
void check_order_group_start(struct check_order_group *group, struct check_order_launch *launch, uint32_t number);
void check_order_group_free(struct check_order_group *group);

/* Thread `thread` of the group runs from now on; the next instruction begins; the group has reached a barrier. */
void check_order_group_thread(struct check_order_group *group, uint32_t thread);
void check_order_group_instruction(struct check_order_group *group);
void check_order_group_barrier(struct check_order_group *group);

/* The running thread makes a fence of global memory; an atomic operation. */
void check_order_group_fence(struct check_order_group *group);
void check_order_group_atomic(struct check_order_group *group, uint64_t address);

/* Returns how many fences the running thread has made, up to CHECK_ORDER_MOST_FENCES. */
enum { CHECK_ORDER_MOST_FENCES = UINT8_MAX };
uint8_t check_order_group_fences(const struct check_order_group *group);

/* True if the running thread knows that an access is done: of thread `thread` of group `number`, behind `fences`
 * fences. */
bool check_order_group_knows(const struct check_order_group *group, uint32_t number, uint32_t thread, uint8_t fences,
                             bool is_atomic);

#endif
