/* Declares the parent process of cmbench: options, programs, results of the workers, reports. */
#ifndef CMKIT_BENCHMARKS_HARNESS_SUITE_H
#define CMKIT_BENCHMARKS_HARNESS_SUITE_H

#include "benchmarks/harness/workload.h"
#include "tables/platforms.h"

#include <stdio.h>

enum { BENCH_DRAWS = 16 }; /* times with constants of the model drawn from their ranges */
enum { MAXIMUM_DEVICES = 8, MAXIMUM_NAMES = 64 };

struct bench_device_choice {
    const struct platform *platform; /* what programs are compiled for */
    int simulated;                   /* under gensim, or the machine's GPU */
};

struct options {
    const char *names[MAXIMUM_NAMES]; /* workloads; none: all */
    size_t name_count;
    struct bench_device_choice devices[MAXIMUM_DEVICES];
    size_t device_count;
    unsigned sizes;       /* classes of inputs; 0: the numbers below */
    size_t n[4], n_count; /* --size 100x50 */
    const char *size_text;
    const char *input, *variant; /* only these; NULL: all */
    const char *json, *html, *programs, *threads;
    unsigned repeat;
    int list, timing;   /* timing: simulated GPUs have times, by gensim's model */
    int exit_status;    /* when there is nothing to run: after --help or a wrong option; else -1 */
    char command[1024]; /* the command line, for the reports */
};

/* options.c. Prints what is wrong and sets exit_status to 2. */
void options_read(const struct bench_table *table, int count, char **words, struct options *options);

enum outcome { OUTCOME_OK, OUTCOME_FAILED, OUTCOME_SKIPPED };

/* One variant on one input on one device. */
struct result {
    const struct workload *workload;
    const struct bench_variant *variant;
    const struct platform *platform;
    char input[64], input_text[160];
    enum outcome outcome;
    char reason[512]; /* unless it is OK */
    char device[256], driver[64];
    int counted; /* by gensim: the next four say something */
    uint64_t instructions, messages, bytes_read, bytes_written;
    uint64_t event_ns;
    int timed; /* by gensim's model: the next five say something */
    double time_ns, cycles, drawn_ns[BENCH_DRAWS];
    size_t draws;
    char dominant[32];     /* the class of the model's checks whose error the time has */
    int registers, spills; /* the largest of its kernels; bytes; -1: not known */
};

struct results {
    struct result *items;
    size_t count, room;
    char versions[1024]; /* of the compilers, a line each */
};

/* programs.c: the zebin of a variant for a platform, compiled at its first use, and what the finalizer says of a
 * kernel.
 */
struct programs {
    const struct bench_table *table;
    char folder[4096];
    int temporary;    /* the folder goes at the end */
    char tools[4096]; /* folder of cmc and gensim */
};
/* `folder`: where programs are taken from when they are there, and kept; NULL: a folder of this run. 0, or -1 after a
 * message. */
int programs_open(struct programs *programs, const struct bench_table *table, const char *folder);
void programs_close(struct programs *programs);
/* Writes the path of the program; -1 with the reason in `why`. */
int programs_get(const struct programs *programs, const struct workload *workload, const struct bench_variant *variant,
                 const struct platform *platform, char path[4096], char why[512]);
/* Registers and spilled bytes of `kernel`, -1 where not known. */
void programs_usage(const char *program, const char *kernel, int *registers, int *spills);
/* The lines in which cmc says its version and its finalizer's, and dpkg those of Intel's packages. */
void programs_versions(const struct programs *programs, char *text, size_t size);
/* A file of this run in the folder. */
void programs_file(const struct programs *programs, const char *name, char path[4096]);

/* process.c: runs words[0] (looked up in PATH) with its output going to `log`, and environment words NAME=VALUE on top;
 * the exit status, 128 + signal, or -1 after a failure to start. The first line of a log that matches best as a reason.
 */
int process_run(const char *const *words, const char *const *environment, const char *log);
void process_reason(const char *log, int status, char why[512]);

/* stats.c: adds the counts of the kernels named `kernel` in gensim's statistics. 0, or -1 if the file says nothing. */
int stats_add(const char *path, const char *kernel, struct result *result);

/* suite.c: 0; -1 after a message; 1: interrupted, the results are those so far. */
int suite_run(const struct bench_table *table, const struct options *options, struct results *results);

struct result *results_add(struct results *results);

/* Reports. */
void report_line(FILE *out, const struct result *result, int first_of_input);
void report_table(FILE *out, const struct results *results);
typedef void (*report_printer)(FILE *out, const struct options *options, const struct results *results);
void report_json(FILE *out, const struct options *options, const struct results *results);
void report_html(FILE *out, const struct options *options, const struct results *results);
/* Writes what one of these prints to a file, whole or not at all. 0, or -1 after a message. */
int report_write(const char *path, report_printer print, const struct options *options, const struct results *results);
/* The best right OpenCL variant beside `cm` (a right result of variant cm), NULL if there is none. By counts if they
 * were taken, else by time. */
const struct result *results_best(const struct results *results, const struct result *cm);
/* What is compared: the model's nanoseconds, or instructions under gensim without --timing, or nanoseconds. */
uint64_t result_cost(const struct result *result);

/* times.c: how much faster CM is than the OpenCL variant, both timed by the model. */
struct result_speedup {
    double middle, low, high; /* low to high: over the draws, widened by the model's error */
    int decided;              /* the range has no 1.0 in it and is not wider than 25 % each way */
};
struct result_speedup result_compare(const struct result *cm, const struct result *cl);
/* "1.3 (1.1 to 1.6)", with "not decided" where it is not. */
void result_describe(const struct result_speedup *speedup, char *text, size_t size);
/* A line for each timed CM result: times, speedup, what was published. */
void report_times(FILE *out, const struct results *results);

#endif
