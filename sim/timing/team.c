/* Shares out work among host threads.
 *
 * `ticket` is the number of the work above the number of its next part: who takes a part of it moves it on with a
 * compare-and-exchange, which fails when that work is over. Work is short, so those who wait for it look at the ticket
 * for a while before they sleep. */
#include "sim/timing/team.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { PART_BITS = 32, LOOKS = 20000 /* 0.4 milliseconds on a Xeon */ };

struct team {
    _Atomic(uint64_t) ticket;
    _Atomic(uint32_t) parts, done;
    _Atomic(team_work *) work;
    _Atomic(void *) context;
    _Atomic(uint32_t) helpers, sleepers, wakes;
    pthread_mutex_t lock; /* of sleepers' waiting */
    pthread_cond_t woken;
};

struct team *team_create(void)
{
    struct team *team = calloc(1, sizeof *team);
    if (!team)
        return NULL;
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->woken, NULL);
    return team;
}

void team_destroy(struct team *team)
{
    if (!team)
        return;
    pthread_cond_destroy(&team->woken);
    pthread_mutex_destroy(&team->lock);
    free(team);
}

static inline void pause_briefly(void)
{
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/* Takes parts of that work until none is left. */
static void take_parts(struct team *team, uint64_t number)
{
    for (;;) {
        uint64_t ticket = atomic_load(&team->ticket);
        uint32_t part = (uint32_t)ticket;
        team_work *work = atomic_load(&team->work);
        void *context = atomic_load(&team->context);
        if (ticket >> PART_BITS != number || part >= atomic_load(&team->parts))
            return;
        if (!atomic_compare_exchange_weak(&team->ticket, &ticket, ticket + 1))
            continue;
        work(context, part);
        atomic_fetch_add(&team->done, 1);
    }
}

static void wake_sleepers(struct team *team)
{
    if (atomic_load(&team->sleepers) == 0)
        return;
    pthread_mutex_lock(&team->lock);
    pthread_cond_broadcast(&team->woken);
    pthread_mutex_unlock(&team->lock);
}

void team_run(struct team *team, uint32_t parts, team_work *work, void *context)
{
    if (atomic_load(&team->helpers) == 0) {
        for (uint32_t i = 0; i < parts; i++)
            work(context, i);
        return;
    }
    /* All parts of the work before are done: nobody reads these for it. */
    atomic_store(&team->parts, parts);
    atomic_store(&team->done, 0);
    atomic_store(&team->work, work);
    atomic_store(&team->context, context);
    uint64_t number = (atomic_load(&team->ticket) >> PART_BITS) + 1;
    atomic_store(&team->ticket, number << PART_BITS);
    wake_sleepers(team);
    take_parts(team, number);
    for (uint32_t looks = 0; atomic_load(&team->done) < parts; looks++) {
        if (looks < LOOKS)
            pause_briefly();
        else
            sched_yield();
    }
}

/* Waits for work after number `last`, or for team_wake(). */
static void wait_for_work(struct team *team, uint64_t last, uint32_t wakes)
{
    for (uint32_t looks = 0; looks < LOOKS; looks++) {
        if (atomic_load(&team->ticket) >> PART_BITS != last || atomic_load(&team->wakes) != wakes)
            return;
        pause_briefly();
    }
    pthread_mutex_lock(&team->lock);
    atomic_fetch_add(&team->sleepers, 1);
    while (atomic_load(&team->ticket) >> PART_BITS == last && atomic_load(&team->wakes) == wakes)
        pthread_cond_wait(&team->woken, &team->lock);
    atomic_fetch_sub(&team->sleepers, 1);
    pthread_mutex_unlock(&team->lock);
}

void team_help(struct team *team, bool (*is_over)(void *context), void *context)
{
    uint64_t last = 0;
    atomic_fetch_add(&team->helpers, 1);
    for (;;) {
        uint32_t wakes = atomic_load(&team->wakes);
        if (is_over(context))
            break;
        wait_for_work(team, last, wakes);
        last = atomic_load(&team->ticket) >> PART_BITS;
        take_parts(team, last);
    }
    atomic_fetch_sub(&team->helpers, 1);
}

void team_wake(struct team *team)
{
    atomic_fetch_add(&team->wakes, 1);
    wake_sleepers(team);
}
