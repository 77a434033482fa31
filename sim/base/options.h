/* Passes options from `gensim` to the preloaded library through the environment, so that the program between them needs
 * no change. */
#ifndef CMKIT_SIM_OPTIONS_H
#define CMKIT_SIM_OPTIONS_H

#include <stdint.h>
#include "tables/platforms.h"

#define GENSIM_ENV_DEVICE       "GENSIM_DEVICE"           /* a platform's name */
#define GENSIM_ENV_INTERFACE    "GENSIM_INTERFACE"        /* a kernel interface of the platform */
#define GENSIM_ENV_TOPOLOGY     "GENSIM_TOPOLOGY"         /* SLICESxSUBSLICESxEUS */
#define GENSIM_ENV_STATS        "GENSIM_STATS"            /* file to write; %p is replaced by the process id */
#define GENSIM_ENV_SAVE         "GENSIM_SAVE_KERNELS"     /* folder for the kernels that are launched */
#define GENSIM_ENV_FIDELITY     "GENSIM_FIDELITY"         /* set: print how exact everything is that was run */
#define GENSIM_ENV_SCOREBOARD   "GENSIM_CHECK_SCOREBOARD" /* set: check the software scoreboard's waits */
#define GENSIM_ENV_CHECK        "GENSIM_CHECK"            /* list of checks, or "all" */
#define GENSIM_ENV_GDB          "GENSIM_GDB"              /* "listen FD ADDRESS" or "pipe IN OUT" */
#define GENSIM_ENV_SUPPRESS     "GENSIM_SUPPRESS"         /* file of findings that are not reported */
#define GENSIM_ENV_REPORT       "GENSIM_REPORT"           /* file for findings as JSON; %p: the process id */
#define GENSIM_ENV_SUPPRESSIONS "GENSIM_GEN_SUPPRESSIONS" /* file for lines that suppress the findings; %p */
#define GENSIM_ENV_ERROR_EXIT   "GENSIM_ERROR_EXIT" /* exit status of a program in which a check found something */
#define GENSIM_ENV_PLUGIN       "GENSIM_PLUGIN"     /* FILE.so[=OPTIONS] */
#define GENSIM_ENV_SAVE_TRACE   "GENSIM_SAVE_TRACE" /* folder for recorded launches */
#define GENSIM_ENV_THREADS      "GENSIM_THREADS"    /* host threads that run EU threads */
#define GENSIM_ENV_INSTRUCTIONS "GENSIM_MAX_INSTRUCTIONS" /* Gen instructions before the run is stopped */
#define GENSIM_ENV_TRACE        "GENSIM_TRACE"            /* KERNEL[:GROUP[:THREAD]] */
#define GENSIM_ENV_TRACE_FILE   "GENSIM_TRACE_FILE"       /* trace file; %p is replaced by the process id */
#define GENSIM_ENV_ON_FAULT     "GENSIM_ON_FAULT"         /* "stop" or "continue" */
#define GENSIM_ENV_TIMING       "GENSIM_TIMING"           /* a machine's name: tables/timing_machines.def */
#define GENSIM_ENV_TIMING_SET   "GENSIM_TIMING_SET"       /* NAME=VALUE,... of tables/timing.def */
#define GENSIM_ENV_TIMING_WARM  "GENSIM_TIMING_WARM"      /* set: caches keep what earlier launches left */
#define GENSIM_ENV_TIMING_DRAWS "GENSIM_TIMING_DRAWS"     /* COUNT[:SEED] further timings with drawn constants */
#define GENSIM_ENV_PROFILE      "GENSIM_PROFILE"          /* page to write; its data go beside it, .json */
#define GENSIM_ENV_AGAINST      "GENSIM_PROFILE_AGAINST"  /* data of an earlier profile */
#define GENSIM_ENV_SOURCES      "GENSIM_PROFILE_SOURCES"  /* folder of source files */
#define GENSIM_ENV_EVENTS       "GENSIM_TRACE_EVENTS"     /* file of Chrome's trace format to write */
#define GENSIM_ENV_WINDOW       "GENSIM_TRACE_WINDOW"     /* FROM:TO of it, microseconds */
#define GENSIM_ENV_LIBRARY      "GENSIM_LIBRARY"          /* the library to preload, for the launcher only */

enum { GENSIM_MAX_THREADS = 256, GENSIM_MAX_DRAWS = 128 };

/* Which threads to trace. */
struct sim_options_trace {
    char kernel[128]; /* "*", the first digits of the hash that --stats prints, or a name */
    int has_group, has_thread;
    uint32_t group[3], thread;
    const char *file; /* NULL: standard error */
};

/* What --check looks for. */
enum sim_check {
    SIM_CHECK_MEMORY = 1,
    SIM_CHECK_RACE = 2,
    SIM_CHECK_BARRIER = 4,
    SIM_CHECK_SCOREBOARD = 8,
    SIM_CHECK_INIT = 16
};

/* Returns the name of one check. */
const char *sim_check_name(enum sim_check check);

/* Limits of the drivers. */
enum { GENSIM_MAX_SLICES = 4, GENSIM_MAX_SUBSLICES = 8, GENSIM_MAX_EUS = 16 };

struct sim_options {
    const struct platform *platform;
    const char *interface;     /* kernel interface: a NAME of tables/kernel_devices.def */
    unsigned threads;          /* 1..GENSIM_MAX_THREADS */
    uint64_t max_instructions; /* 0: no limit */
    int continue_on_faults;    /* leave bad accesses out instead of stopping */
    const char *stats;         /* NULL: no statistics */
    int tracing;
    struct sim_options_trace trace; /* if tracing */
    const char *save_kernels;       /* NULL: do not save */
    int fidelity, check_scoreboard;
    unsigned checks;                       /* sum of enum sim_check, 0: none */
    const char *suppress;                  /* NULL: nothing is suppressed */
    const char *report, *gen_suppressions; /* files to write; NULL: none */
    int error_exit;                        /* 0: the program's own status */
    const char *gdb;                       /* descriptors of a debugger's connection; NULL: none */

    const char *plugin;     /* FILE.so[=OPTIONS]; NULL: none */
    const char *save_trace; /* folder; NULL: launches are not recorded */

    const char *timing;     /* a machine's name; NULL: no timing */
    const char *timing_set; /* NULL: constants as in the tables */
    int timing_warm;        /* caches keep what earlier launches left */
    unsigned timing_draws;  /* further timings of each launch, up to GENSIM_MAX_DRAWS */
    uint64_t timing_seed;   /* of the draws */
    const char *profile;    /* NULL: no page */
    const char *events;     /* NULL: no trace of events */
    uint64_t window[2];     /* of events: microseconds of the GPU's time */
    const char *against;    /* NULL: the page compares with nothing */
    const char *sources;    /* folder of source files that are not where their names say; NULL: none */
};

/* Reads the variables above. Returns NULL, or a static sentence that says what is wrong with them. */
const char *sim_options_read(struct sim_options *options);

/* Parses all of `text` as KERNEL[:X[,Y[,Z]][:THREAD]]: 1, or 0 if it is something else. Does not set the file. */
int sim_options_trace(const char *text, struct sim_options_trace *trace);

/* Parses all of `text` as a list of checks with commas between, or "all": 1 and their sum, or 0. */
int sim_options_check(const char *text, unsigned *checks);

/* Returns the platform's kernel interface `name`, or its first one where `name` is NULL. NULL: it has none of that
 * name. */
const char *sim_options_interface(const struct platform *platform, const char *name);

/* Changes the platform's topology to SLICESxSUBSLICESxEUS, which is all of `text`: 1, or 0 if it is something else. */
int sim_options_topology(const char *text, struct platform *platform);

/* Parses all of `text` as COUNT or COUNT:SEED, COUNT from 1 to GENSIM_MAX_DRAWS: 1, or 0 if it is something else. */
int sim_options_draws(const char *text, unsigned *count, uint64_t *seed);

/* Parses all of `text` as FROM:TO, whole microseconds, FROM < TO: 1, or 0 if it is something else. */
int sim_options_window(const char *text, uint64_t window[2]);

/* Parses all of `text` as a decimal number within [low, high]: 1 and `*value`, or 0. */
int sim_options_number(const char *text, uint64_t low, uint64_t high, uint64_t *value);

#endif
