#include "sim/base/poll.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

/* Waits of polling programs. Stores by kernels are not announced here, so a poller also wakes up by itself: soon at
 * first, then later, because each wake-up takes processor time from the simulation. */
enum { SHORTEST_NS = 200000, LONGEST_NS = 3200000 };
static _Thread_local long patience = SHORTEST_NS;

static atomic_uint running, waiting;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t written = PTHREAD_COND_INITIALIZER;

/* Resets the state in a forked child: it has no batches yet and none of the waiting threads. */
static void forget(void)
{
    pthread_mutex_init(&lock, NULL);
    pthread_cond_init(&written, NULL);
    atomic_store(&running, 0);
    atomic_store(&waiting, 0);
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, forget);
}

void sim_poll_batch_begin(void)
{
    atomic_fetch_add(&running, 1);
}

void sim_poll_batch_end(void)
{
    atomic_fetch_sub(&running, 1);
    sim_poll_written();
}

void sim_poll_written(void)
{
    if (atomic_load(&waiting) == 0)
        return;
    pthread_mutex_lock(&lock);
    pthread_cond_broadcast(&written);
    pthread_mutex_unlock(&lock);
}

int sim_poll_wait(void)
{
    struct timespec until;
    if (atomic_load(&running) == 0)
        return 0;
    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += patience;
    if (until.tv_nsec >= 1000000000) {
        until.tv_nsec -= 1000000000;
        until.tv_sec++;
    }
    pthread_mutex_lock(&lock);
    atomic_fetch_add(&waiting, 1);
    int result = pthread_cond_timedwait(&written, &lock, &until);
    patience = result != ETIMEDOUT ? SHORTEST_NS : patience < LONGEST_NS ? 2 * patience : LONGEST_NS;
    atomic_fetch_sub(&waiting, 1);
    pthread_mutex_unlock(&lock);
    return 1;
}
