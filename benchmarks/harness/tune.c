/* Searches the parameters of a workload's kernels: `cmbench tune`. A point is built, left out if it spills, run in a
 * worker, and written to the database, one after the other. */
#include "benchmarks/harness/tune.h"

#include "benchmarks/harness/hash.h"
#include "benchmarks/harness/measure.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct tune {
    const struct tune_options *options;
    struct programs programs;
    struct points points;
    struct tunings tunings;
    struct measure measure;
    struct timespec begin;
    unsigned long evaluations; /* of this run */
    int wrong;                 /* a result was */
};

/* What the database's figures depend on. */

static uint64_t hash_file(uint64_t hash, const char *path)
{
    FILE *file = fopen(path, "r");
    for (int c; file && (c = getc(file)) != EOF;)
        hash = hash_byte(hash, (unsigned char)c);
    if (file)
        fclose(file);
    return hash_byte(hash, 0xff); /* where a file ends counts */
}

/* The model's constants and machines. */
static uint64_t hash_constants(const struct tune *tune, uint64_t hash)
{
    char gensim[4200], log[4096];
    const char *const words[] = {gensim, "-d", tune->options->device.platform->ocloc, "--show-timing", NULL};
    if (!tune->options->device.simulated)
        return hash;
    snprintf(gensim, sizeof gensim, "%s/gensim", tune->programs.tools);
    programs_file(&tune->programs, "log", log);
    process_run(words, NULL, log);
    return hash_file(hash, log);
}

static uint64_t hash_sources(const struct tune *tune, uint64_t hash)
{
    static const char *const suffixes[] = {"cm", "cl"};
    const char *name = tune->options->workload->name;
    for (size_t i = 0; i < 2; i++) {
        char path[8192];
        snprintf(path, sizeof path, "%s/%s/%s.%s", tune->programs.table->folder, name, name, suffixes[i]);
        hash = hash_file(hash, path);
    }
    return hash;
}

/* The versions on one line. */
static void join_lines(char *text)
{
    size_t length = strlen(text);
    while (length && text[length - 1] == '\n')
        text[--length] = 0;
    for (; *text; text++)
        if ((unsigned char)*text < ' ')
            *text = *text == '\n' ? ';' : ' ';
}

static void describe(const struct tune *tune, struct tunings_head *head)
{
    const struct tune_options *options = tune->options;
    char *with = head->word[TUNINGS_WITH];
    *head = (struct tunings_head){0};
    snprintf(head->word[TUNINGS_WORKLOAD], sizeof *head->word, "%s", options->workload->name);
    snprintf(head->word[TUNINGS_INPUT], sizeof *head->word, "%s", options->input.name);
    snprintf(head->word[TUNINGS_MACHINE], sizeof *head->word, "%s", options->machine_word);
    programs_versions(&tune->programs, with, sizeof *head->word);
    join_lines(with);
    snprintf(head->word[TUNINGS_BUILD], sizeof *head->word, "%016" PRIx64,
             hash_constants(tune, hash_sources(tune, hash_text(HASH_START, with))));
}

/* One point. */

static enum tuned outcome_of(const struct result *result)
{
    return result->outcome == OUTCOME_OK        ? TUNED_RIGHT
           : result->outcome == OUTCOME_SKIPPED ? TUNED_SKIPPED
                                                : TUNED_FAILED;
}

static void keep_figures(const struct result *result, struct tuning *tuning)
{
    tuning->registers = result->registers;
    tuning->spills = result->spills;
    tuning->time_ns = result->timed ? result->time_ns : (double)result->event_ns;
    tuning->cycles = result->timed ? result->cycles : 0;
    tuning->instructions = result->counted ? result->instructions : 0;
    if (result->outcome != OUTCOME_OK)
        snprintf(tuning->reason, sizeof tuning->reason, "%s", result->reason);
    else if (!(tuning->time_ns > 0)) { /* a clock that stands still */
        tuning->outcome = TUNED_FAILED;
        snprintf(tuning->reason, sizeof tuning->reason, "the device gave no time");
    }
}

static void prepare_result(const struct tune *tune, const struct bench_variant *variant, struct result *result)
{
    *result = (struct result){.workload = tune->options->workload,
                              .variant = variant,
                              .platform = tune->options->device.platform,
                              .registers = -1,
                              .spills = -1};
    snprintf(result->input, sizeof result->input, "%s", tune->options->input.name);
}

/* Builds the point, and runs it unless it spills; known points run all the same. */
static void evaluate(struct tune *tune, const struct point *point, struct tuning *tuning)
{
    struct bench_variant variant;
    struct result result;
    char path[4096];
    *tuning = (struct tuning){.registers = -1, .spills = -1};
    snprintf(tuning->point, sizeof tuning->point, "%s", point->name);
    point_variant(point, &variant);
    prepare_result(tune, &variant, &result);
    if (programs_get(&tune->programs, result.workload, &variant, result.platform, path, tuning->reason)) {
        tuning->outcome = TUNED_UNBUILT;
        return;
    }
    programs_most_usage(path, &tuning->registers, &tuning->spills);
    if (tuning->spills > 0 && !point->known) {
        tuning->outcome = TUNED_SPILLS;
        return;
    }
    measure_variant(&tune->measure, &tune->options->input, 0, &result);
    tuning->outcome = outcome_of(&result);
    keep_figures(&result, tuning);
    tune->evaluations++;
    tune->wrong |= tuning->outcome == TUNED_FAILED;
}

static void print_line(const struct point *point, const struct tuning *tuning)
{
    const char *known = point->known ? point->known->name : "";
    if (tuning->outcome == TUNED_RIGHT)
        printf("%12.1f us  ", tuning->time_ns / 1000);
    else
        printf("%15s  ", tuned_names[tuning->outcome]);
    printf("%s%s%s%s\n", point->name, *known ? " (" : "", known, *known ? ")" : "");
    fflush(stdout);
}

static int time_is_up(const struct tune *tune)
{
    struct timespec now;
    const struct tune_options *options = tune->options;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double minutes = (double)(now.tv_sec - tune->begin.tv_sec) / 60;
    return process_interrupted() || (options->budget >= 0 && minutes >= options->budget) ||
           (options->most && tune->evaluations >= options->most);
}

/* Returns 0, or -1 if the database cannot be written. An interrupted point is not kept: it says nothing. */
static int search(struct tune *tune)
{
    const struct point *point;
    struct tuning tuning;
    while (!time_is_up(tune) && (point = tune_next(&tune->points, &tune->options->shard, &tune->tunings))) {
        evaluate(tune, point, &tuning);
        if (process_interrupted())
            break;
        if (tunings_add(&tune->tunings, &tuning))
            return -1;
        print_line(point, &tuning);
    }
    return 0;
}

static int report(struct tune *tune)
{
    const struct tune_options *options = tune->options;
    struct tune_summary summary;
    tune_print(stdout, &tune->points, &options->shard, &tune->tunings);
    if (options->html && tune_page(options, &tune->points, &tune->tunings))
        return 1;
    tune_summarize(&tune->points, &options->shard, &tune->tunings, &summary);
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("cmbench: error: standard output");
        return 1;
    }
    int nothing = !summary.best && !options->shard.count; /* a part may have nothing that runs */
    return tune->wrong || summary.of_outcome[TUNED_FAILED] || nothing ? 1 : 0;
}

static int run(struct tune *tune, const char *database)
{
    struct tunings_head head;
    describe(tune, &head);
    if (tunings_open(&tune->tunings, database, &head))
        return 2;
    process_watch_interrupts();
    clock_gettime(CLOCK_MONOTONIC, &tune->begin);
    int status = search(tune) ? 1 : report(tune);
    tunings_close(&tune->tunings);
    return process_interrupted() ? 130 : status;
}

static const char *database_of(const struct tune_options *options, char *room, size_t size)
{
    const struct shard *shard = &options->shard;
    if (options->database)
        return options->database;
    if (shard->count)
        snprintf(room, size, "%s.%s.%uof%u.jsonl", options->workload->name, options->machine_word, shard->index,
                 shard->count);
    else
        snprintf(room, size, "%s.%s.jsonl", options->workload->name, options->machine_word);
    return room;
}

static void list(const struct tune_options *options, const struct points *points)
{
    for (size_t i = 0; i < points->count; i++) {
        const struct point *point = &points->items[i];
        if (!shard_has(&options->shard, i))
            continue;
        printf("%14.0f  %s", point->estimate, point->name);
        if (point->known)
            printf(" (%s)", point->known->name);
        printf("%s%s\n", point->refused ? ": refused: " : "", point->refused ? point->refused : "");
    }
}

int tune_main(const struct bench_table *table, int count, char **words)
{
    struct tune_options options;
    char database[4096];
    tune_options_read(table, count, words, &options);
    if (options.exit_status >= 0)
        return options.exit_status;
    struct tune tune = {.options = &options, .tunings.file = -1};
    if (points_list(options.workload, options.family, &options.input, options.eus, options.subslices, &tune.points)) {
        fputs("cmbench: error: out of memory\n", stderr);
        return 1;
    }
    int status = 0;
    if (options.list)
        list(&options, &tune.points);
    else if (programs_open(&tune.programs, table, options.programs))
        status = 1;
    else {
        tune.measure = (struct measure){.programs = &tune.programs,
                                        .simulated = options.device.simulated,
                                        .threads = options.threads,
                                        .timing = options.device.simulated,
                                        .machine = options.machine};
        status = run(&tune, database_of(&options, database, sizeof database));
        programs_close(&tune.programs);
    }
    points_free(&tune.points);
    return status;
}
