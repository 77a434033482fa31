#include "runtime/cmrun/times.h"

#include <inttypes.h>
#include <stdlib.h>

int times_add(struct times *times, uint64_t nanoseconds)
{
    if (times->count == times->room) {
        size_t room = times->room ? 2 * times->room : 16;
        uint64_t *grown = realloc(times->nanoseconds, room * sizeof *grown);
        if (!grown)
            return -1;
        times->nanoseconds = grown;
        times->room = room;
    }
    times->nanoseconds[times->count++] = nanoseconds;
    return 0;
}

static int compare(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return first < second ? -1 : first > second;
}

void times_print(FILE *out, const char *kernel, struct times *times)
{
    const uint64_t *ns = times->nanoseconds;
    size_t count = times->count;
    if (count < 2)
        return;
    qsort(times->nanoseconds, count, sizeof *ns, compare);
    uint64_t low = ns[(count - 1) / 2], high = ns[count / 2];
    fprintf(out, "cmrun: %s: %zu launches: minimum %" PRIu64 " ns, median %" PRIu64 " ns, maximum %" PRIu64 " ns\n",
            kernel, count, ns[0], low + (high - low) / 2, ns[count - 1]);
}

void times_free(struct times *times)
{
    free(times->nanoseconds);
    *times = (struct times){0};
}
