/* Knows which threads of a group had a fence of shared local memory before the group's last barrier. */
#ifndef CMKIT_SIM_CHECK_FENCES_H
#define CMKIT_SIM_CHECK_FENCES_H

#include <stdbool.h>
#include <stdint.h>

enum { CHECK_FENCED_THREADS = 1024, CHECK_MOST_FENCES = UINT8_MAX };

/* The last fences of a thread: how many of them in which epoch, which is the number of barriers before it. */
struct check_fence {
    uint32_t epoch;
    uint8_t count; /* at most CHECK_MOST_FENCES */
};

struct check_fences {
    unsigned threads;                                    /* that made a fence: up to this one */
    struct check_fence now[CHECK_FENCED_THREADS];        /* by thread */
    struct check_fence at_barrier[CHECK_FENCED_THREADS]; /* by thread, as it was at the last barrier */
};

/* Forgets all fences: a group starts. */
void check_fences_start(struct check_fences *fences);

/* Notes a fence of a thread. Returns how many it has made in the epoch. */
uint8_t check_fences_add(struct check_fences *fences, unsigned thread, uint32_t epoch);

/* Returns how many fences the thread has made in the epoch. */
uint8_t check_fences_count(const struct check_fences *fences, unsigned thread, uint32_t epoch);

/* The group has reached a barrier. */
void check_fences_barrier(struct check_fences *fences);

/* True if no fence of the thread lies between an access, made in `epoch` behind `count` fences, and the last barrier.
 */
bool check_fences_miss(const struct check_fences *fences, unsigned thread, uint32_t epoch, uint8_t count);

#endif
