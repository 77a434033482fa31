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

/* What is compared with an earlier profile. */
enum profile_figure {
    FIGURE_LAUNCHES,
    FIGURE_CLOCKS,
    FIGURE_NS,
    FIGURE_INSTRUCTIONS,
    FIGURE_ACTIVE, /* this and the next three: percent */
    FIGURE_STALLED,
    FIGURE_IDLE,
    FIGURE_OCCUPANCY,
    FIGURE_L3, /* this and the next three: bytes */
    FIGURE_LOCAL,
    FIGURE_DRAM_READ,
    FIGURE_DRAM_WRITTEN,
    PROFILE_FIGURES
};

/* Clocks that EUs spent on a source line. */
struct profile_old_line {
    char source[192];
    double cycles;
};

/* What an earlier profile says of a kernel. */
struct profile_old {
    char name[128];
    double figure[PROFILE_FIGURES];
    double stalled[TIMING_CAUSES]; /* percent */
    struct profile_old_line *line;
    size_t lines;
};

struct profile {
    const struct platform *platform;
    const struct timing_machine *machine;
    struct timing_peaks peaks;
    struct profile_kernel *kernels;
    struct profile_old *old;
    size_t olds;
    char old_path[512], old_machine[64];
    char sources[512]; /* folder of source files that are not where their names say; "" for none */
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
/* Clocks that EUs spent on a source line; 0 if the kernel had no such line. */
double profile_old_cycles(const struct profile_old *old, const char *source);

/* profile_compare.c: both runs of a kernel side by side. */
void profile_write_comparison(FILE *out, const struct profile *p, const struct profile_kernel *k,
                              const struct profile_old *old);
/* A bar of the EUs' time, in percent; stalled[i] is that of cause i, stalled[TIMING_CAUSE_NO_THREAD] of idle EUs. */
void profile_write_bar(FILE *out, double active, const double stalled[TIMING_CAUSES]);

void profile_write_json(FILE *out, const struct profile *profile);
void profile_write_page(FILE *out, const struct profile *profile);

#endif
