/* Records launches for `gensim --stats`. Any thread may record. The file is written once, when the process ends. */
#ifndef CMKIT_SIM_STATS_H
#define CMKIT_SIM_STATS_H

#include <stddef.h>
#include <stdint.h>
#include "sim/base/count.h"
#include "sim/timing/timing.h"
#include "tables/platforms.h"

struct sim_launch {
    uint64_t kernel_address; /* GPU address of the first instruction */
    const char *name;        /* that the driver's binary has for it, "" if not known; lives as long as the process */
    uint64_t kernel_hash;    /* FNV-1a of the kernel's first kernel_bytes bytes: the GPU knows no names */
    uint64_t kernel_bytes;   /* of code that can be reached */
    uint64_t groups;
    uint64_t threads;                   /* EU threads, all groups together */
    uint64_t instructions;              /* Gen instructions issued */
    uint32_t simd;                      /* dispatch width: 8, 16, 32 */
    uint32_t context;                   /* the command streamer */
    const struct timing_result *timing; /* read by sim_stats_record() only */
    uint64_t clocks, mhz;               /* sim_stats_record() fills these: 0 when the launch was not timed */
    uint64_t *drawn;                    /* clocks with drawn constants, `draws` of them */
    unsigned draws;
};

enum { SIM_MOST_COUNTS = 300 };

/* Counts that a launch adds to its kernel's sums. */
struct sim_kernel_counts {
    size_t classes, messages, surfaces;           /* rows in use */
    struct sim_count by_class[16];                /* instructions issued, channels that they worked on */
    struct sim_count by_message[SIM_MOST_COUNTS]; /* messages sent */
    struct sim_count by_surface[SIM_MOST_COUNTS]; /* bytes read, bytes written */
};

/* True if statistics are recorded: counting costs time. */
int sim_stats_wanted(void);

/* Starts recording for `path` (copied; %p becomes the process id). Without this call nothing is recorded. */
void sim_stats_start(const struct platform *platform, const char *path);

/* `counts` may be NULL. */
void sim_stats_record(const struct sim_launch *launch, const struct sim_kernel_counts *counts);

/* Writes a temporary file in the same folder and renames it. Prints an error to stderr if that fails. Does nothing in a
 * process that did not start the recording (a fork). */
void sim_stats_write(void);

#endif
