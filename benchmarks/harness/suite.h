/* Declares the parent process of cmbench: options, programs, results of the workers, reports. */
#ifndef CMKIT_BENCHMARKS_HARNESS_SUITE_H
#define CMKIT_BENCHMARKS_HARNESS_SUITE_H

#include "benchmarks/harness/shard.h"
#include "benchmarks/harness/workload.h"
#include "tables/platforms.h"

#include <stdio.h>

enum { BENCH_DRAWS = 16, BENCH_MOST_DRAWS = 128 }; /* times with constants of the model drawn from their ranges */
enum { MAXIMUM_DEVICES = 8, MAXIMUM_NAMES = 64 };

struct bench_device_choice {
    const struct platform *platform; /* the platform that programs are compiled for */
    int simulated;                   /* under gensim, or the machine's GPU */
};

struct options {
    const char *names[MAXIMUM_NAMES]; /* workloads; none: all */
    size_t name_count;
    struct bench_device_choice devices[MAXIMUM_DEVICES];
    size_t device_count;
    unsigned sizes;       /* classes of inputs; 0: use the numbers below */
    size_t n[4], n_count; /* --size 100x50 */
    const char *size_text;
    const char *input, *variant; /* only these; NULL: all */
    const char *json, *html, *programs, *threads;
    const char *profile;    /* folder for a page of each variant; NULL: none */
    unsigned repeat, draws; /* 0: as usual */
    struct shard shard;     /* of the inputs of all devices and workloads */
    int list, timing;       /* timing: simulated GPUs report times, by gensim's model */
    int exit_status;        /* if nothing runs: after --help or a wrong option; else -1 */
    char command[1024];     /* the command line, for the reports */
};

/* devices.c: finds a device by its name, gpu or that of a simulated one. Returns 0, or -1 with the reason. */
int device_choose(const char *name, struct bench_device_choice *choice, char why[512]);

/* options.c: prints one line about a wrong command line and sets *exit_status to 2; nothing if it is set already. */
void options_wrong(int *exit_status, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* options.c: prints what is wrong and sets exit_status to 2. */
void options_read(const struct bench_table *table, int count, char **words, struct options *options);

enum outcome { OUTCOME_OK, OUTCOME_FAILED, OUTCOME_SKIPPED };

/* One variant on one input on one device. */
struct result {
    const struct workload *workload;
    const struct bench_variant *variant;
    const struct platform *platform;
    char input[64], input_text[160];
    enum outcome outcome;
    char reason[512]; /* unless the outcome is OK */
    char device[256], driver[64];
    int counted; /* by gensim: the next four are valid */
    uint64_t instructions, messages, bytes_read, bytes_written;
    uint64_t event_ns;
    int timed; /* by gensim's model: the next six are valid */
    double time_ns, cycles, drawn_ns[BENCH_MOST_DRAWS];
    size_t draws;
    char dominant[32];     /* the class of the model's checks whose error applies to the time */
    double error;          /* of that class: |ln(model / published)| */
    int registers, spills; /* the largest of its kernels; bytes; -1: unknown */
};

struct results {
    struct result *items;
    size_t count, room;
    char versions[1024]; /* of the compilers, a line each */
};

/* programs.c: the zebin of a variant for a platform, compiled at its first use, and the finalizer's figures for a
 * kernel. */
struct programs {
    const struct bench_table *table;
    char folder[4096];
    int temporary;    /* the folder is removed at the end */
    int lines;        /* programs have debug lines */
    char tools[4096]; /* folder of cmc and gensim */
};
/* `folder`: programs are taken from there and kept there; NULL: a folder of this run. Returns 0, or -1 after a message.
 */
int programs_open(struct programs *programs, const struct bench_table *table, const char *folder);
void programs_close(struct programs *programs);
/* Writes the path of the program; -1 with the reason in `why`. */
int programs_get(const struct programs *programs, const struct workload *workload, const struct bench_variant *variant,
                 const struct platform *platform, char path[4096], char why[512]);
/* Returns registers and spilled bytes of `kernel`, -1 if unknown. */
void programs_usage(const char *program, const char *kernel, int *registers, int *spills);
/* Returns the largest of all kernels of the program. */
void programs_most_usage(const char *program, int *registers, int *spills);
/* Returns the version lines of cmc, of its finalizer, and of Intel's packages by dpkg. */
void programs_versions(const struct programs *programs, char *text, size_t size);
/* Returns the path of a file of this run in the folder. */
void programs_file(const struct programs *programs, const char *name, char path[4096]);

/* process.c: runs words[0] (looked up in PATH) with its output going to `log`, and additional environment words
 * NAME=VALUE. Returns the exit status, 128 + signal, or -1 if it could not start. process_reason() returns the line of
 * a log that fits best as a reason. */
int process_run(const char *const *words, const char *const *environment, const char *log);
void process_reason(const char *log, int status, char why[512]);
/* From the first call on, SIGINT and SIGTERM end a running program and no longer this one, which asks for them. */
void process_watch_interrupts(void);
int process_interrupted(void);

/* stats.c: adds the counts of the kernels named `kernel` in gensim's statistics. Returns 0, or -1 if the file has none.
 */
int stats_add(const char *path, const char *kernel, struct result *result);

/* suite.c: returns 0; -1 after a message; 1 if interrupted, with the results so far. */
int suite_run(const struct bench_table *table, const struct options *options, struct results *results);

struct result *results_add(struct results *results);

/* Reports. */
void report_line(FILE *out, const struct result *result, int first_of_input);
void report_table(FILE *out, const struct results *results);
typedef void (*report_printer)(FILE *out, const struct options *options, const struct results *results);
void report_json(FILE *out, const struct options *options, const struct results *results);
void report_html(FILE *out, const struct options *options, const struct results *results);
/* Writes a file, completely or not at all. Returns 0, or -1 after a message. */
int report_save(const char *path, const char *text, size_t size);
/* Writes the output of one of these to a file, completely or not at all. Returns 0, or -1 after a message. */
int report_write(const char *path, report_printer print, const struct options *options, const struct results *results);
/* Returns the best correct OpenCL variant for `cm` (a correct result of variant cm), NULL if there is none. Compares
 * counts if there are any, else times. */
const struct result *results_best(const struct results *results, const struct result *cm);
/* Returns the compared figure: the model's nanoseconds, or instructions under gensim without --timing, or nanoseconds.
 */
uint64_t result_cost(const struct result *result);

/* times.c: the speedup of CM over the OpenCL variant, both timed by the model. */
struct result_speedup {
    double middle, low, high; /* low to high: over the draws, widened by the model's error */
    int decided;              /* the range does not include 1.0 and is at most 25 % wide each way */
};
struct result_speedup result_compare(const struct result *cm, const struct result *cl);
/* Writes "1.3 (1.1 to 1.6)", with "not decided" if so. */
void result_describe(const struct result_speedup *speedup, char *text, size_t size);
/* Prints a line for each timed CM result: times, speedup, the published figure. */
void report_times(FILE *out, const struct results *results);

#endif
