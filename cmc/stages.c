/* Time per stage, for --time-report. */
#include <stdio.h>
#include <time.h>
#include "cmc/phases.h"

enum { MAX_STAGES = 16 };

static struct {
    const char *name;
    double seconds;
} stages[MAX_STAGES];
static unsigned stage_count;
static struct timespec last;

void cmc_stage_begin(void)
{
    clock_gettime(CLOCK_MONOTONIC, &last);
}

void cmc_stage_end(const char *name)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    if (stage_count < MAX_STAGES) {
        stages[stage_count].name = name;
        stages[stage_count++].seconds = (double)(now.tv_sec - last.tv_sec) + (double)(now.tv_nsec - last.tv_nsec) / 1e9;
    }
    last = now;
}

void cmc_stage_report(void)
{
    double sum = 0;
    for (unsigned i = 0; i < stage_count; i++) {
        fprintf(stderr, "%9.4f s  %s\n", stages[i].seconds, stages[i].name);
        sum += stages[i].seconds;
    }
    fprintf(stderr, "%9.4f s  total\n", sum);
}
