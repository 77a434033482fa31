#include "runtime/cmrun/times.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <math.h>
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

void times_add_range(struct times *times, uint64_t nanoseconds)
{
    struct gensim_time_range *all = &times->range, one;
    gensim_time_range_function *ask = NULL;
    *(void **)&ask = dlsym(RTLD_DEFAULT, "gensim_time_range");
    if (!ask || !ask(&one))
        return;
    one.low *= (double)nanoseconds / one.time; /* the event has some commands beside the kernel, as wide a range */
    one.high *= (double)nanoseconds / one.time;
    if (all->high > 0) {
        one.low = one.low < all->low ? one.low : all->low;
        one.high = one.high > all->high ? one.high : all->high;
    }
    *all = one;
}

static int compare(const void *a, const void *b)
{
    uint64_t first = *(const uint64_t *)a, second = *(const uint64_t *)b;
    return first < second ? -1 : first > second;
}

/* Three digits of a number. */
static double rounded(double value)
{
    double unit = pow(10, floor(log10(value)) - 2);
    return unit > 1 ? round(value / unit) * unit : round(value);
}

static void print_range(FILE *out, const char *kernel, const struct gensim_time_range *range)
{
    fprintf(out, "cmrun: %s: range %.0f to %.0f ns: ", kernel, rounded(range->low), rounded(range->high));
    if (range->draws)
        fprintf(out, "%u draws of the model's constants, ", range->draws);
    fprintf(out, "its error by measurements of the class '%s' is %.0f %%\n", range->error_class, 100 * range->error);
}

static void print_middle(FILE *out, const char *kernel, struct times *times)
{
    const uint64_t *ns = times->nanoseconds;
    size_t count = times->count;
    qsort(times->nanoseconds, count, sizeof *ns, compare);
    uint64_t low = ns[(count - 1) / 2], high = ns[count / 2];
    fprintf(out, "cmrun: %s: %zu launches: minimum %" PRIu64 " ns, median %" PRIu64 " ns, maximum %" PRIu64 " ns\n",
            kernel, count, ns[0], low + (high - low) / 2, ns[count - 1]);
}

void times_print(FILE *out, const char *kernel, struct times *times)
{
    if (times->count > 1)
        print_middle(out, kernel, times);
    if (times->range.high > 0)
        print_range(out, kernel, &times->range);
}

void times_free(struct times *times)
{
    free(times->nanoseconds);
    *times = (struct times){0};
}
