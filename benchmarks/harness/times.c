/* Compares times of gensim's timing model: speedups draw by draw, widened by the model's error. */
#include "benchmarks/harness/suite.h"

#include <math.h>

static const double WIDEST = 1.25; /* of a decided speedup, each way */

struct result_speedup result_compare(const struct result *cm, const struct result *cl)
{
    struct result_speedup speedup = {0, 0, 0, 0};
    size_t draws = cm->draws < cl->draws ? cm->draws : cl->draws;
    if (!cm->timed || !cl->timed || cm->time_ns <= 0)
        return speedup;
    speedup.middle = speedup.low = speedup.high = cl->time_ns / cm->time_ns;
    for (size_t i = 0; i < draws; i++) {
        double ratio = cm->drawn_ns[i] > 0 ? cl->drawn_ns[i] / cm->drawn_ns[i] : speedup.middle;
        speedup.low = ratio < speedup.low ? ratio : speedup.low;
        speedup.high = ratio > speedup.high ? ratio : speedup.high;
    }
    double error = fmax(cm->error, cl->error);
    speedup.low *= exp(-error);
    speedup.high *= exp(error);
    speedup.decided = (speedup.low > 1 || speedup.high < 1) && speedup.high <= speedup.middle * WIDEST &&
                      speedup.low >= speedup.middle / WIDEST;
    return speedup;
}

void result_describe(const struct result_speedup *speedup, char *text, size_t size)
{
    snprintf(text, size, "%.3g (%.3g to %.3g)%s", speedup->middle, speedup->low, speedup->high,
             speedup->decided ? "" : ", not decided");
}

static void describe_published(const struct bench_published *published, char *text, size_t size)
{
    if (published->high <= 0)
        snprintf(text, size, "-");
    else if (published->low == published->high)
        snprintf(text, size, "%.3g (%s)", published->high, published->text);
    else if (published->low > 0)
        snprintf(text, size, "%.3g to %.3g (%s)", published->low, published->high, published->text);
    else
        snprintf(text, size, "up to %.3g (%s)", published->high, published->text);
}

static size_t draws_of(const struct results *results)
{
    size_t most = 0;
    for (size_t i = 0; i < results->count; i++)
        most = results->items[i].draws > most ? results->items[i].draws : most;
    return most;
}

void report_times(FILE *out, const struct results *results)
{
    fprintf(out,
            "\nTimes by gensim's timing model. Speedup: best OpenCL over CM, with the range of %zu draws of the "
            "model's constants, widened by its error.\n"
            "%-12s %-16s %-6s %10s %10s  %-34s %-16s %s\n",
            draws_of(results), "workload", "input", "device", "CM us", "OpenCL us", "speedup", "hangs on", "published");
    for (size_t i = 0; i < results->count; i++) {
        const struct result *cm = &results->items[i], *best;
        char range[64], published[128];
        if (!cm->timed || cm->variant->language != BENCH_CM || cm->outcome != OUTCOME_OK ||
            !(best = results_best(results, cm)))
            continue;
        struct result_speedup speedup = result_compare(cm, best);
        result_describe(&speedup, range, sizeof range);
        describe_published(&cm->workload->published, published, sizeof published);
        fprintf(out, "%-12s %-16s %-6s %10.3g %10.3g  %-34s %-16s %s\n", cm->workload->name, cm->input,
                cm->platform->ocloc, cm->time_ns / 1000, best->time_ns / 1000, range, cm->dominant, published);
    }
}
