/* Runs every device, workload, input and variant in order, each in a worker. CM runs first; the others are compared
 * with it. */
#include "benchmarks/harness/suite.h"
#include "benchmarks/harness/worker.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Set by an interrupt, which also ends the worker: both are in one process group. */
static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
    (void)number;
    interrupted = 1;
}

struct suite {
    const struct bench_table *table;
    const struct options *options;
    struct programs programs;
    struct results *results;
    int terminal; /* standard error is a terminal: progress is shown there */
};

struct result *results_add(struct results *results)
{
    if (results->count == results->room) {
        results->room = results->room ? results->room * 2 : 64;
        struct result *items = realloc(results->items, results->room * sizeof *items);
        if (!items) {
            fputs("cmbench: error: out of memory\n", stderr);
            exit(1);
        }
        results->items = items;
    }
    struct result *result = &results->items[results->count++];
    memset(result, 0, sizeof *result);
    result->registers = result->spills = -1;
    return result;
}

static void progress(const struct suite *suite, const struct result *result)
{
    if (suite->terminal)
        fprintf(stderr, "\r\033[K%s %s %s: %s ...", result->platform->ocloc, result->workload->name, result->input,
                result->variant->name);
}

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

struct paths {
    char program[4096], report[4096], stats[4096], log[4096], kept[4096];
};

/* Runs one worker. `kept`: true if the CM results of this input are stored. */
static void run_worker(const struct suite *suite, const struct bench_input *input, struct paths *paths, int simulated,
                       int kept, struct result *result)
{
    char self[4200], gensim[4200], n[4][24], repeat[16];
    const char *words[32];
    size_t count = 0;
    int keep = result->variant == result->workload->variants;
    snprintf(self, sizeof self, "/proc/%d/exe", (int)getpid());
    snprintf(gensim, sizeof gensim, "%s/gensim", suite->programs.tools);
    snprintf(repeat, sizeof repeat, "%u", suite->options->repeat ? suite->options->repeat : simulated ? 1 : 10);
    if (simulated) {
        const char *before[] = {gensim, "-d", result->platform->ocloc, "--stats", paths->stats};
        memcpy(words, before, sizeof before);
        count = sizeof before / sizeof *before;
        if (suite->options->threads) {
            words[count++] = "--threads";
            words[count++] = suite->options->threads;
        }
        if (suite->options->timing) {
            static const char *const timing[] = {"--timing", "--timing-draws", "16"};
            memcpy(words + count, timing, sizeof timing);
            count += sizeof timing / sizeof *timing;
        }
        words[count++] = "--";
    }
    for (size_t i = 0; i < 4; i++)
        snprintf(n[i], sizeof n[i], "%zu", input->n[i]);
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
    memcpy(words + count, own, sizeof own);
    unlink(paths->report);
    unlink(paths->stats);
    int status = process_run(words, NULL, paths->log);
    read_report(paths->report, paths->program, simulated ? paths->stats : NULL, result);
    if (result->outcome == OUTCOME_FAILED && !*result->reason)
        process_reason(paths->log, status, result->reason);
    result->counted = simulated && result->outcome == OUTCOME_OK;
}

/* Returns what the platform lacks of the workload's needs, by our table: its kernels might not even compile. */
static const char *missing(const struct workload *workload, const struct platform *platform)
{
    if (workload->needs & BENCH_NEEDS_DOUBLE && !platform_has(platform, FEATURE_DOUBLE))
        return "64-bit floats";
    if (workload->needs & BENCH_NEEDS_MEDIA_BLOCKS && !platform_has(platform, FEATURE_MEDIA_BLOCKS))
        return "media block messages";
    return NULL;
}

static void run_variant(const struct suite *suite, const struct bench_device_choice *device,
                        const struct bench_input *input, struct paths *paths, int kept, struct result *result)
{
    const char *lacks = missing(result->workload, device->platform);
    if (lacks) {
        result->outcome = OUTCOME_SKIPPED;
        snprintf(result->reason, sizeof result->reason, "%s has no %s", device->platform->ocloc, lacks);
    } else if (programs_get(&suite->programs, result->workload, result->variant, device->platform, paths->program,
                            result->reason))
        result->outcome = OUTCOME_FAILED;
    else
        run_worker(suite, input, paths, device->simulated, kept, result);
}

static void run_input(struct suite *suite, const struct bench_device_choice *device, const struct workload *workload,
                      const struct bench_input *input)
{
    struct paths paths;
    int kept = 0, first = 1;
    programs_file(&suite->programs, "report", paths.report);
    programs_file(&suite->programs, "stats.json", paths.stats);
    programs_file(&suite->programs, "log", paths.log);
    programs_file(&suite->programs, "kept", paths.kept);
    for (size_t i = 0; i < workload->variant_count && !interrupted; i++) {
        const struct bench_variant *variant = &workload->variants[i];
        if (suite->options->variant && strcmp(suite->options->variant, variant->name) != 0)
            continue;
        struct result *result = results_add(suite->results);
        result->workload = workload;
        result->variant = variant;
        result->platform = device->platform;
        snprintf(result->input, sizeof result->input, "%s", input->name);
        snprintf(result->input_text, sizeof result->input_text, "%s", input->text);
        progress(suite, result);
        run_variant(suite, device, input, &paths, kept, result);
        if (i == 0) /* CM's result is first: the others are compared with it */
            kept = result->outcome == OUTCOME_OK;
        if (suite->terminal)
            fputs("\r\033[K", stderr);
        if (interrupted)
            break;
        report_line(stdout, result, first);
        fflush(stdout);
        first = 0;
    }
    unlink(paths.kept);
}

/* Runs the inputs of the requested classes, or the one with the requested numbers. */
static void run_workload(struct suite *suite, const struct bench_device_choice *device, const struct workload *workload)
{
    const struct options *options = suite->options;
    if (options->n_count) {
        struct bench_input input = workload->inputs[0];
        input.name = options->size_text;
        input.text = "numbers from the command line";
        memcpy(input.n, options->n, sizeof input.n);
        run_input(suite, device, workload, &input);
        return;
    }
    for (size_t i = 0; i < workload->input_count && !interrupted; i++) {
        const struct bench_input *input = &workload->inputs[i];
        int named = options->input && strcmp(options->input, input->name) == 0;
        if (named || (!options->input && input->sizes & options->sizes))
            run_input(suite, device, workload, input);
    }
}

static int wanted(const struct options *options, const struct workload *workload)
{
    for (size_t i = 0; i < options->name_count; i++)
        if (strcmp(options->names[i], workload->name) == 0)
            return 1;
    return options->name_count == 0 && (options->n_count == 0 || workload->size_names);
}

int suite_run(const struct bench_table *table, const struct options *options, struct results *results)
{
    struct suite suite = {.table = table, .options = options, .results = results, .terminal = isatty(2)};
    if (programs_open(&suite.programs, table, options->programs))
        return -1;
    programs_versions(&suite.programs, results->versions, sizeof results->versions);
    struct sigaction action = {.sa_handler = interrupt}; /* without SA_RESTART: waiting for a worker ends */
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    for (size_t d = 0; d < options->device_count; d++)
        for (size_t i = 0; i < table->count && !interrupted; i++)
            if (wanted(options, table->workloads[i]))
                run_workload(&suite, &options->devices[d], table->workloads[i]);
    programs_close(&suite.programs);
    return interrupted ? 1 : 0;
}
