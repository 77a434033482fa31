#include "sim/stream/progress.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { AGAIN_AFTER = 200000000 /* ns */ };

static unsigned patience = 2000;

void progress_set_patience(unsigned milliseconds)
{
    patience = milliseconds;
}

static uint64_t nanoseconds(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

void progress_start(struct progress *progress, const char *(*name)(const struct dispatch *),
                    const struct dispatch *dispatch, uint64_t hash, uint64_t groups)
{
    assert(name);
    progress->name = name;
    progress->dispatch = dispatch;
    atomic_init(&progress->wanted, isatty(STDERR_FILENO));
    progress->hash = hash;
    progress->groups = groups;
    atomic_init(&progress->done, 0);
    atomic_init(&progress->instructions, 0);
    atomic_init(&progress->shown, 0);
    if (!atomic_load(&progress->wanted))
        return;
    progress->started = nanoseconds();
    atomic_init(&progress->next, progress->started + patience * UINT64_C(1000000));
}

static void show(struct progress *progress, uint64_t now)
{
    char line[256], digits[17];
    const char *name = progress->name(progress->dispatch);
    double seconds = (double)(now - progress->started) / 1e9;
    double rate = seconds > 0 ? (double)atomic_load(&progress->instructions) / seconds / 1e6 : 0;
    snprintf(digits, sizeof digits, "%016" PRIx64, progress->hash);
    name = name[0] ? name : digits;
    int length =
        snprintf(line, sizeof line,
                 "\r\033[Kgensim: kernel %s: %" PRIuFAST64 " of %" PRIu64 " groups, %.1f million instructions a second",
                 name, atomic_load(&progress->done), progress->groups, rate);
    atomic_store(&progress->shown, 1);
    if (length > 0 && write(STDERR_FILENO, line, (size_t)length) < 0)
        atomic_store(&progress->wanted, 0);
}

void progress_advance(struct progress *progress, uint64_t instructions, unsigned groups)
{
    if (!atomic_load(&progress->wanted))
        return;
    atomic_fetch_add(&progress->instructions, instructions);
    atomic_fetch_add(&progress->done, groups);
    uint64_t now = nanoseconds();
    uint_fast64_t next = atomic_load(&progress->next);
    /* Whoever moves the time of the next line on writes this one. */
    if (now >= next && atomic_compare_exchange_strong(&progress->next, &next, now + AGAIN_AFTER))
        show(progress, now);
}

void progress_end(struct progress *progress)
{
    static const char erase[] = "\r\033[K";
    if (atomic_load(&progress->shown) && write(STDERR_FILENO, erase, sizeof erase - 1) < 0)
        atomic_store(&progress->wanted, 0);
}
