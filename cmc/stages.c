/* Measures processor time per stage for --time-report, with the finalizer's process included. Processor time hardly
 * depends on the machine's other load. */
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include "cmc/phases.h"

enum { MAX_STAGES = 128 }; /* more than there are passes */

static struct {
    const char *name;
    double seconds;
    bool is_pass;
} stages[MAX_STAGES];
static unsigned stage_count;
static double stage_start, pass_start;

static double seconds_of(int who)
{
    struct rusage usage;
    getrusage(who, &usage);
    return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
           (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e6;
}

static double now(void)
{
    return seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN);
}

/* Adds to a stage's time. A stage that runs for several kernels is one line. */
static void add(const char *name, double seconds, bool is_pass)
{
    for (unsigned i = 0; i < stage_count && !is_pass; i++)
        if (!stages[i].is_pass && strcmp(stages[i].name, name) == 0) {
            stages[i].seconds += seconds;
            return;
        }
    if (stage_count == MAX_STAGES)
        return;
    stages[stage_count].name = name;
    stages[stage_count].seconds = seconds;
    stages[stage_count++].is_pass = is_pass;
}

void cmc_stage_begin(void)
{
    stage_start = pass_start = now();
}

void cmc_stage_end(const char *name)
{
    assert(name);
    double end = now();
    add(name, end - stage_start, false);
    stage_start = pass_start = end;
}

void cmc_pass_end(const char *name)
{
    assert(name);
    double end = now();
    add(name, end - pass_start, true);
    pass_start = end;
}

void cmc_stage_report(void)
{
    double sum = 0, own = 0;
    for (unsigned i = 0; i < stage_count; i++) {
        fprintf(stderr, stages[i].is_pass ? "    %9.4f s  %s\n" : "%9.4f s  %s\n", stages[i].seconds, stages[i].name);
        if (stages[i].is_pass)
            continue;
        sum += stages[i].seconds;
        if (strcmp(stages[i].name, CMC_STAGE_FRONT_END) != 0 && strcmp(stages[i].name, CMC_STAGE_FINALIZER) != 0)
            own += stages[i].seconds;
    }
    fprintf(stderr, "%9.4f s  middle end and emission: all but Clang and the finalizer\n", own);
    fprintf(stderr, "%9.4f s  total\n", sum);
}
