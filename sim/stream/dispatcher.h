/* Runs thread groups on a pool of host threads. All contexts share the pool, as they share the hardware's EUs. */
#ifndef CMKIT_SIM_STREAM_DISPATCHER_H
#define CMKIT_SIM_STREAM_DISPATCHER_H

#include <stdbool.h>
#include <stdint.h>
#include "sim/eu/eu.h"
#include "sim/base/fault.h"
#include "sim/message/message.h"
#include "sim/report/stats.h"
#include "sim/stream/progress.h"
#include "sim/timing/timing.h"
#include "tables/platforms.h"

struct dispatcher;

/* A position in a dispatch. */
struct dispatch_position {
    int active;
    uint64_t kernel;
    uint32_t group[3];
    uint32_t thread; /* in the group */
};

/* One GPGPU_WALKER after reading its state: the common data of its thread groups. */
struct dispatch {
    const struct eu_program *program;
    struct message_state state;       /* slm is set for each group */
    uint64_t kernel;                  /* GPU address */
    uint64_t instruction_base;        /* GPU address that the register ip counts from */
    uint32_t first[3], end[3];        /* group ids from first to end - 1, x fastest */
    uint32_t simd;                    /* channels of a thread */
    uint32_t width, height, depth;    /* threads in a group */
    uint32_t right_mask, bottom_mask; /* channels of the last thread in a row, of the threads in the last row */
    uint32_t header[8];               /* r0 without group ids and thread slot */
    int numbers_threads;              /* r0.2 holds the thread's number in its group */
    unsigned named_barriers;          /* barriers of the kernel, from Xe-HPC on */
    uint32_t scratch_pointer;         /* low bits of the scratch pool's offset from general_base */
    const uint8_t *per_thread;        /* registers of each thread, one after the other */
    uint32_t per_thread_bytes;
    const uint8_t *cross_thread; /* registers that all threads get */
    uint32_t cross_thread_bytes;
    uint64_t hash;                     /* of the kernel's code */
    FILE *trace;                       /* --trace: where this kernel's threads may be written, NULL: nowhere */
    struct sim_kernel_counts *counts;  /* --stats: dispatcher_run() fills them; NULL: not wanted */
    struct check_launch *check;        /* --check: of this dispatch, NULL: unchecked */
    const struct gensim_kernel *shown; /* --plugin: this dispatch, NULL: no plug-in */
    void *shown_data;                  /* the plug-in's */
    struct timing_result *timed;       /* --timing: dispatcher_run() fills it; NULL: not wanted */
    struct timing *timing;             /* the dispatcher's own, NULL: not timed */
    struct clock_readings *clock;      /* of the threads' clocks, NULL: they count instructions */
    bool reads_timed_clock;            /* threads read `clock`, and nothing is timed; false: the readings are noted */
    struct progress *progress;         /* the dispatcher's own */
    struct dispatcher *dispatcher;     /* itself */
};

/* Threads of a group, and groups. */
static inline uint32_t dispatch_threads(const struct dispatch *dispatch)
{
    return dispatch->width * dispatch->height * dispatch->depth;
}

static inline uint64_t dispatch_groups(const struct dispatch *dispatch)
{
    uint64_t groups = 1;
    for (int i = 0; i < 3; i++)
        groups *= dispatch->end[i] - dispatch->first[i];
    return groups;
}

/* Creates a dispatcher of `threads` host threads (1 or more), including the one that calls dispatcher_run(). It stops
 * the program with a fault after `max_instructions` (0: no limit). NULL: out of memory. */
struct dispatcher *dispatcher_create(const struct platform *platform, unsigned threads, uint64_t max_instructions);
/* Times all dispatches from now on if the options ask for it. NULL, or a static sentence that says why it cannot. */
const char *dispatcher_time(struct dispatcher *dispatcher, const struct sim_options *options);

void dispatcher_destroy(struct dispatcher *dispatcher);

/* Whether dispatches are timed. */
bool dispatcher_is_timed(const struct dispatcher *dispatcher);

/* Whether a check, a plug-in or a debugger watches dispatches. */
bool dispatcher_is_watched(void);

/* Checks memory accesses in all dispatches from now on: `checks` is a sum of enum sim_check. */
void dispatcher_check(unsigned checks);

/* Lets a plug-in watch all dispatches from now on: FILE or FILE=OPTIONS. NULL, or a static sentence that says why it
 * cannot. */
const char *dispatcher_show(const struct platform *platform, const char *plugin);

/* Tells the plug-in that the program ends. */
void dispatcher_finish(void);

/* Lets a debugger watch all dispatches from now on; `connection` is what gdb_start() takes. NULL, or a static sentence
 * that says why it cannot. */
const char *dispatcher_debug(const struct platform *platform, const char *connection);

enum { DISPATCHER_MOST_REGISTERS = 256 };

/* Returns the dispatcher's platform in the mode in which a thread has `count` registers, a multiple of 32 from 32 to
 * DISPATCHER_MOST_REGISTERS. */
const struct platform *dispatcher_with_registers(const struct dispatcher *dispatcher, unsigned count);

/* Runs all groups of the dispatch and returns when the last has ended. `*instructions` is the number issued, the same
 * for any number of host threads. 1, or 0 with the first fault and its position. */
int dispatcher_run(struct dispatcher *dispatcher, const struct dispatch *dispatch, uint64_t *instructions,
                   struct sim_fault *fault, struct dispatch_position *position);

/* Returns the decoded kernel or function at `code` for `platform` in the mode of the dispatch, whose GPU address is
 * `address`; at most `available` bytes may be read. It is decoded once, and again if its bytes have changed. Return it
 * with dispatcher_release(). `*hash` identifies the code. NULL with the fault raised. */
const struct eu_program *dispatcher_program(struct dispatcher *dispatcher, const struct platform *platform,
                                            uint64_t address, const uint8_t *code, size_t available, uint64_t *hash,
                                            struct sim_fault *fault);
void dispatcher_release(struct dispatcher *dispatcher, const struct eu_program *program);

/* Counts a command of a batch towards the limit of instructions, so that endless batches are stopped as well: 1, or 0
 * when the limit is reached. */
int dispatcher_count_command(struct dispatcher *dispatcher);

#endif
