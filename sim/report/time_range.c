#include "sim/report/time_range.h"

#include <math.h>
#include <pthread.h>
#include "sim/report/timing_stats.h"
#include "sim/timing/program.h"

static struct {
    pthread_mutex_t lock;
    int is_known;
    struct gensim_time_range range;
} last = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* A forked child has launched nothing yet, and the lock's owner may not exist there. */
static void forget(void)
{
    pthread_mutex_init(&last.lock, NULL);
    last.is_known = 0;
}

__attribute__((constructor)) static void watch_forks(void)
{
    pthread_atfork(NULL, NULL, forget);
}

static struct gensim_time_range range_of(const struct timing_result *timed)
{
    double clock = 1000.0 / timed->machine->mhz;
    double time = (double)timed->counts.elapsed / TIMING_TICKS * clock;
    enum timing_class class = sim_stats_dominant(&timed->counts, timed->machine);
    struct gensim_time_range range = {
        time, time, time, timed->draws, timing_class_name(class), timing_class_error(timed->machine, class)};
    for (unsigned i = 0; i < timed->draws; i++) {
        range.low = fmin(range.low, (double)timed->drawn_clocks[i] * clock);
        range.high = fmax(range.high, (double)timed->drawn_clocks[i] * clock);
    }
    range.low *= exp(-range.error);
    range.high *= exp(range.error);
    return range;
}

void sim_time_range_record(const struct timing_result *timed)
{
    if (!timed->is_timed)
        return;
    const struct gensim_time_range range = range_of(timed);
    pthread_mutex_lock(&last.lock);
    last.range = range;
    last.is_known = 1;
    pthread_mutex_unlock(&last.lock);
}

int sim_time_range_last(struct gensim_time_range *range)
{
    pthread_mutex_lock(&last.lock);
    int is_known = last.is_known;
    if (is_known)
        *range = last.range;
    pthread_mutex_unlock(&last.lock);
    return is_known;
}
