/* Measures one variant on one input: its program, a worker under gensim or on the machine's GPU, its report. */
#include "benchmarks/harness/measure.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void fail(struct result *result, const char *why)
{
    result->outcome = OUTCOME_FAILED;
    snprintf(result->reason, sizeof result->reason, "%s", why);
}

/* Reads a worker's report. Without an outcome the worker was stopped, and its log has the reason. */
static void read_report(const char *path, const char *program, const char *stats, struct result *result)
{
    char line[2048], why[512] = "";
    int done = 0;
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        char *value = strchr(line, ' ');
        if (value)
            *value++ = 0;
        else
            value = line + strlen(line);
        if (strcmp(line, "device") == 0)
            snprintf(result->device, sizeof result->device, "%s", value);
        else if (strcmp(line, "driver") == 0)
            snprintf(result->driver, sizeof result->driver, "%s", value);
        else if (strcmp(line, "event_ns") == 0)
            result->event_ns = strtoull(value, NULL, 10);
        else if (strcmp(line, "kernel") == 0) {
            programs_usage(program, value, &result->registers, &result->spills);
            if (stats && stats_add(stats, value, result) != 0) { /* counts would be too small */
                snprintf(why, sizeof why, "gensim's statistics have no kernel %s", value);
                break;
            }
        } else {
            result->outcome = strcmp(line, "ok") == 0        ? OUTCOME_OK
                              : strcmp(line, "skipped") == 0 ? OUTCOME_SKIPPED
                                                             : OUTCOME_FAILED;
            snprintf(result->reason, sizeof result->reason, "%s", value);
            done = 1;
        }
    }
    if (file)
        fclose(file);
    if (!done)
        fail(result, why);
}

enum { MOST_WORDS = 40 };

struct paths {
    char program[4096], report[4096], stats[4096], log[4096], kept[4096], profile[4096], sources[4096];
};

struct words {
    const char *word[MOST_WORDS];
    size_t count;
};

static void add(struct words *words, const char *word)
{
    assert(words->count < MOST_WORDS);
    words->word[words->count++] = word;
}

static void add_two(struct words *words, const char *option, const char *value)
{
    if (value) {
        add(words, option);
        add(words, value);
    }
}

/* gensim's part of the command line. */
static void add_gensim(struct words *words, const struct measure *measure, const char *gensim,
                       const struct paths *paths, const struct platform *platform)
{
    add(words, gensim);
    add_two(words, "-d", platform->ocloc);
    add_two(words, "--driver", platform->needs_current ? "current" : NULL);
    add_two(words, "--stats", paths->stats);
    add_two(words, "--threads", measure->threads);
    if (measure->timing) {
        add(words, "--timing");
        add_two(words, "--timing-machine", measure->machine);
        add_two(words, "--timing-draws", measure->draws);
        add_two(words, "--profile", measure->profile ? paths->profile : NULL);
        add_two(words, "--profile-sources", measure->profile ? paths->sources : NULL);
    }
    add(words, "--");
}

/* Runs one worker. `kept`: true if the CM results of this input are stored. */
static void run_worker(const struct measure *measure, const struct bench_input *input, const struct paths *paths,
                       int kept, struct result *result)
{
    char self[64], gensim[4200], n[4][24], repeat[16];
    unsigned usual = measure->simulated ? 1 : 10;
    int keep = result->variant == result->workload->variants;
    struct words words = {0};
    snprintf(self, sizeof self, "/proc/%d/exe", (int)getpid());
    snprintf(gensim, sizeof gensim, "%s/gensim", measure->programs->tools);
    snprintf(repeat, sizeof repeat, "%u", measure->repeat ? measure->repeat : usual);
    for (size_t i = 0; i < 4; i++)
        snprintf(n[i], sizeof n[i], "%zu", input->n[i]);
    if (measure->simulated)
        add_gensim(&words, measure, gensim, paths, result->platform);
    const char *own[] = {self,
                         "--worker",
                         result->workload->name,
                         result->input,
                         result->variant->name,
                         n[0],
                         n[1],
                         n[2],
                         n[3],
                         paths->program,
                         repeat,
                         paths->report,
                         keep ? paths->kept : "-",
                         !keep && kept ? paths->kept : "-",
                         NULL};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        add(&words, own[i]);
    unlink(paths->report);
    unlink(paths->stats);
    int status = process_run(words.word, NULL, paths->log);
    read_report(paths->report, paths->program, measure->simulated ? paths->stats : NULL, result);
    if (result->outcome == OUTCOME_FAILED && !*result->reason)
        process_reason(paths->log, status, result->reason);
    result->counted = measure->simulated && result->outcome == OUTCOME_OK;
}

/* Returns what the platform lacks of BENCH_NEEDS_..., by our table: the kernels might not even compile. */
static const char *missing(unsigned needs, const struct platform *platform)
{
    static const struct {
        unsigned need;
        enum feature_id feature;
        const char *name;
    } rows[] = {
        {BENCH_NEEDS_DOUBLE, FEATURE_DOUBLE, "64-bit floats"},
        {BENCH_NEEDS_MEDIA_BLOCKS, FEATURE_MEDIA_BLOCKS, "media block messages"},
        {BENCH_NEEDS_MATRIX, FEATURE_DPAS, "products of matrices"},
        {BENCH_NEEDS_TF32, FEATURE_TF32, "products of tf32"},
        {BENCH_NEEDS_2D_BLOCKS, FEATURE_LSC_UNTYPED_2D, "2D blocks of the load/store cache"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (needs & rows[i].need && !platform_has(platform, rows[i].feature))
            return rows[i].name;
    return needs & BENCH_NEEDS_NEWEST && !platform->needs_current ? "extension of Intel's newest OpenCL compiler"
                                                                  : NULL;
}

static void set_paths(const struct programs *programs, struct paths *paths)
{
    programs_file(programs, "report", paths->report);
    programs_file(programs, "stats.json", paths->stats);
    programs_file(programs, "log", paths->log);
    programs_file(programs, "kept", paths->kept);
}

/* The page of a variant, and where its sources are. A folder name that leaves no room fails in gensim. */
static void set_profile(const struct measure *measure, const struct result *result, struct paths *paths)
{
    snprintf(paths->profile, sizeof paths->profile, "%s/%s-%s-%s-%s.html", measure->profile, result->workload->name,
             result->input, result->platform->ocloc, result->variant->name);
    snprintf(paths->sources, sizeof paths->sources, "%s/%s", measure->programs->table->folder, result->workload->name);
}

void measure_variant(const struct measure *measure, const struct bench_input *input, int kept, struct result *result)
{
    struct paths paths;
    const char *lacks = missing(result->workload->needs | input->needs | result->variant->needs, result->platform);
    set_paths(measure->programs, &paths);
    if (measure->profile)
        set_profile(measure, result, &paths);
    if (lacks) {
        result->outcome = OUTCOME_SKIPPED;
        snprintf(result->reason, sizeof result->reason, "%s has no %s", result->platform->ocloc, lacks);
    } else if (programs_get(measure->programs, result->workload, result->variant, result->platform, paths.program,
                            result->reason))
        result->outcome = OUTCOME_FAILED;
    else
        run_worker(measure, input, &paths, kept, result);
}

void measure_forget(const struct measure *measure)
{
    struct paths paths;
    set_paths(measure->programs, &paths);
    unlink(paths.kept);
}
