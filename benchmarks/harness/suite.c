/* Runs every device, workload, input and variant in order, each in a worker. CM runs first; the others are compared
 * with it. */
#include "benchmarks/harness/measure.h"
#include "benchmarks/harness/suite.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct suite {
    const struct bench_table *table;
    const struct options *options;
    struct programs programs;
    struct results *results;
    struct measure measure;
    size_t inputs; /* of all devices and workloads, so far: what --shard counts */
    int terminal;  /* standard error is a terminal: progress is shown there */
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

static void run_input(struct suite *suite, const struct bench_device_choice *device, const struct workload *workload,
                      const struct bench_input *input)
{
    int kept = 0, first = 1;
    if (!shard_has(&suite->options->shard, suite->inputs++))
        return;
    suite->measure.simulated = device->simulated;
    for (size_t i = 0; i < workload->variant_count && !process_interrupted(); i++) {
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
        measure_variant(&suite->measure, input, kept, result);
        if (i == 0) /* CM's result is first: the others are compared with it */
            kept = result->outcome == OUTCOME_OK;
        if (suite->terminal)
            fputs("\r\033[K", stderr);
        if (process_interrupted())
            break;
        report_line(stdout, result, first);
        fflush(stdout);
        first = 0;
    }
    measure_forget(&suite->measure);
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
    for (size_t i = 0; i < workload->input_count && !process_interrupted(); i++) {
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

/* Makes a folder unless it is there. 0, or -1 after a message. */
static int make_folder(const char *option, const char *path)
{
    struct stat status;
    if (mkdir(path, 0777) == 0)
        return 0;
    int error = errno;
    if (error == EEXIST && stat(path, &status) == 0 && S_ISDIR(status.st_mode))
        return 0;
    fprintf(stderr, "cmbench: error: %s: %s: %s\n", option, path, strerror(error == EEXIST ? ENOTDIR : error));
    return -1;
}

int suite_run(const struct bench_table *table, const struct options *options, struct results *results)
{
    struct suite suite = {.table = table, .options = options, .results = results, .terminal = isatty(2)};
    char draws[16];
    suite.measure = (struct measure){.programs = &suite.programs,
                                     .threads = options->threads,
                                     .repeat = options->repeat,
                                     .timing = options->timing,
                                     .draws = draws,
                                     .profile = options->profile};
    snprintf(draws, sizeof draws, "%u", options->draws ? options->draws : BENCH_DRAWS);
    if (options->profile && make_folder("--profile", options->profile))
        return -1;
    if (programs_open(&suite.programs, table, options->programs))
        return -1;
    suite.programs.lines = options->profile != NULL;
    programs_versions(&suite.programs, results->versions, sizeof results->versions);
    process_watch_interrupts();
    for (size_t d = 0; d < options->device_count; d++)
        for (size_t i = 0; i < table->count && !process_interrupted(); i++)
            if (wanted(options, table->workloads[i]))
                run_workload(&suite, &options->devices[d], table->workloads[i]);
    programs_close(&suite.programs);
    return process_interrupted() ? 1 : 0;
}
