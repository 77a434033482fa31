#include "sim/base/clock.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

enum { ALIGNMENT = 16 }; /* ticks */

/* The clock's first value. It is not zero, because drivers take a timestamp of zero for "not written". */
static _Atomic uint64_t now = 1000;
static atomic_uint running;      /* batches */
static _Atomic uint64_t started; /* host time of the first read, ns; 0: not read yet */
static _Atomic uint64_t lead;    /* ticks by which batches are ahead of the host's time */

/* Resets the state in a forked child: it has no batches yet; its clock continues from its parent's. */
static void forget(void)
{
    atomic_store(&running, 0);
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, forget);
}

uint64_t sim_clock_advance(uint64_t ticks)
{
    return atomic_fetch_add(&now, ticks) + ticks;
}

void sim_clock_set(uint64_t time)
{
    atomic_store(&now, time);
}

static uint64_t host_ns(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

/* Returns the ticks of the host's time since the first read. */
static uint64_t host_ticks(uint64_t hz)
{
    uint64_t host = host_ns(), none = 0;
    if (atomic_compare_exchange_strong(&started, &none, host))
        return 0;
    uint64_t elapsed = host - atomic_load(&started);
    return elapsed / 1000000000 * hz + elapsed % 1000000000 * hz / 1000000000;
}

/* Advances an idle clock to the host's time since the first read. */
static void follow_host(uint64_t hz)
{
    uint64_t wanted = host_ticks(hz) + atomic_load(&lead), seen = atomic_load(&now);
    while (seen < wanted && !atomic_compare_exchange_weak(&now, &seen, wanted))
        ;
}

/* Records how far the clock is ahead of the host, because a batch issued more instructions than the clock has ticks in
 * that time. The clock must not stop until the host catches up: drivers compare readings of both. */
static void keep_lead(uint64_t hz)
{
    uint64_t old = atomic_load(&lead), wanted = host_ticks(hz) + old, seen = atomic_load(&now);
    if (seen > wanted)
        atomic_compare_exchange_strong(&lead, &old, old + seen - wanted);
}

uint64_t sim_clock_read(uint64_t hz)
{
    assert(hz);
    if (atomic_load(&running) == 0)
        follow_host(hz);
    else
        keep_lead(hz); /* the host's time from here to the batch's end passes for the reader too */
    return sim_clock_advance(1);
}

/* Drivers drop the lowest bits of stamps: a batch starts where they are zero, so that its durations do not depend on
 * when it starts. */
static void align(void)
{
    uint64_t seen = atomic_load(&now);
    while (!atomic_compare_exchange_weak(&now, &seen, (seen + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT))
        ;
}

void sim_clock_batch_begin(uint64_t hz)
{
    assert(hz);
    if (atomic_fetch_add(&running, 1) == 0) {
        follow_host(hz);
        align();
    }
}

void sim_clock_batch_end(uint64_t hz)
{
    assert(hz);
    keep_lead(hz);
    atomic_fetch_sub(&running, 1);
}
