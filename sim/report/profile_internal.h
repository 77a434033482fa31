/* Defines what the files of the profile share: kernels and their lines. */
#ifndef CMKIT_SIM_REPORT_PROFILE_INTERNAL_H
#define CMKIT_SIM_REPORT_PROFILE_INTERNAL_H

#include <stdio.h>
#include "sim/report/profile.h"

struct profile_line {
    struct sim_profile_text text;
    struct timing_line sum;
};

/* All launches of one kernel. */
struct profile_kernel {
    struct profile_kernel *next;
    char name[128];
    uint64_t hash, launches, flops;
    uint32_t simd;
    struct timing_counts counts; /* sums */
    size_t lines;
    struct profile_line *line;
    uint64_t longest; /* ticks of the launch that `series` is of */
    uint64_t each;
    uint64_t series[TIMING_SERIES][TIMING_BUCKETS];
};

/* What an earlier profile says of a kernel. */
struct profile_old {
    char name[128];
    double clocks, instructions, active, stalled, idle, dram;
};

struct profile {
    const struct platform *platform;
    const struct timing_machine *machine;
    struct timing_peaks peaks;
    struct profile_kernel *kernels;
    struct profile_old *old;
    size_t olds;
    char old_path[512];
};

/* Clocks of an EU, whole. */
static inline uint64_t profile_clocks(uint64_t ticks)
{
    return (ticks + 32) / 64;
}

/* Clocks that EUs spend on a line: issuing it or waiting for it. */
uint64_t profile_cost(const struct profile_line *line);

/* profile_old.c: reads the file. 0, or -1 after a message. */
int profile_read_old(struct profile *profile, const char *path);
/* NULL: there was no kernel of that name. */
const struct profile_old *profile_find_old(const struct profile *profile, const char *name);

void profile_write_json(FILE *out, const struct profile *profile);
void profile_write_page(FILE *out, const struct profile *profile);

#endif
