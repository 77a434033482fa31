/* Checks that a host that reads the clock during a batch sees no less time pass than its own clock does, up to the
 * begin of the next batch: drivers order "queued", "submitted" and "started" by that. */
#include <stdint.h>
#include <time.h>

#include "check.h"
#include "sim/base/clock.h"

enum { HZ = 12000000 };

static uint64_t host_ticks(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * HZ + (uint64_t)time.tv_nsec * HZ / 1000000000;
}

static void wait_ms(long count)
{
    nanosleep(&(struct timespec){.tv_nsec = 1000000 * count}, NULL);
}

/* A batch counts `ticks`; the host reads the clock behind them, waits, and the next batch begins. */
static void check_next_begin(uint64_t ticks)
{
    sim_clock_batch_begin(HZ);
    sim_clock_advance(ticks);
    uint64_t read = sim_clock_read(HZ), host = host_ticks();
    wait_ms(5);
    sim_clock_batch_end(HZ);
    uint64_t elapsed = host_ticks() - host;
    sim_clock_batch_begin(HZ);
    uint64_t begin = sim_clock_advance(0);
    sim_clock_batch_end(HZ);
    CHECK(elapsed >= HZ / 1000 * 5);
    CHECK(begin + 1 >= read + elapsed); /* both clocks drop a part of a tick */
}

int main(void)
{
    uint64_t first = sim_clock_read(HZ);
    CHECK(sim_clock_read(HZ) > first);
    check_next_begin(1);         /* the batch is behind the host */
    check_next_begin(HZ);        /* a second ahead */
    check_next_begin(HZ / 1000); /* a millisecond more */
    return 0;
}
