/* Chooses the next point of `cmbench tune`: the same one for the same database, so that a stopped search goes on as it
 * would have. */
#include "benchmarks/harness/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Measured points, by their numbers in the list, and log(time / estimate). */
struct measured {
    size_t point;
    double error;
};

static size_t list_measured(const struct points *points, const struct tunings *tunings, struct measured *measured)
{
    size_t count = 0;
    for (size_t i = 0; i < points->count; i++) {
        const struct tuning *tuning = tunings_find(tunings, points->items[i].name);
        if (tuning && tuning->outcome == TUNED_RIGHT)
            measured[count++] = (struct measured){i, log(tuning->time_ns / points->items[i].estimate)};
    }
    return count;
}

/* Steps between two points of a family; far for points of two families. */
static double distance(const struct point *one, const struct point *other)
{
    double steps = 0;
    if (one->family != other->family)
        return 20;
    for (size_t i = 0; i < family_parameters(one->family); i++)
        steps += fabs((double)one->choice[i] - (double)other->choice[i]);
    return steps;
}

/* The logarithm of the time that the point should take; of no unit while nothing is measured. */
static double predict(const struct points *points, const struct point *point, const struct measured *measured,
                      size_t count)
{
    double sum = 0, weights = 0;
    for (size_t i = 0; i < count; i++) {
        double steps = 1 + distance(point, &points->items[measured[i].point]);
        sum += measured[i].error / (steps * steps);
        weights += 1 / (steps * steps);
    }
    return log(point->estimate) + (weights > 0 ? sum / weights : 0);
}

static int is_open(const struct points *points, size_t i, const struct shard *shard, const struct tunings *tunings)
{
    return shard_has(shard, i) && !points->items[i].refused && !tunings_find(tunings, points->items[i].name);
}

/* The open point of the least time; known ones before all others. */
static const struct point *find_least(const struct points *points, const struct shard *shard,
                                      const struct tunings *tunings, const struct measured *measured, size_t count)
{
    const struct point *best = NULL;
    double least = INFINITY;
    for (size_t i = 0; i < points->count; i++) {
        const struct point *point = &points->items[i];
        if (!is_open(points, i, shard, tunings))
            continue;
        if (point->known)
            return point;
        double predicted = predict(points, point, measured, count);
        if (predicted < least || !best) {
            least = predicted;
            best = point;
        }
    }
    return best;
}

const struct point *tune_next(const struct points *points, const struct shard *shard, const struct tunings *tunings)
{
    struct measured *measured = malloc((points->count + 1) * sizeof *measured);
    if (!measured) {
        fputs("cmbench: error: out of memory\n", stderr);
        exit(1);
    }
    const struct point *next = find_least(points, shard, tunings, measured, list_measured(points, tunings, measured));
    free(measured);
    return next;
}
