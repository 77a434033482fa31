/* Defines main() of cmbench. The tables of workloads are in other files, so that tests can have their own. */
#include "benchmarks/harness/compare.h"
#include "benchmarks/harness/merge.h"
#include "benchmarks/harness/suite.h"
#include "benchmarks/harness/tune.h"
#include "benchmarks/harness/worker.h"

#include <string.h>

static void list(const struct bench_table *table, const struct options *options)
{
    for (size_t i = 0; i < table->count; i++) {
        const struct workload *workload = table->workloads[i];
        int named = options->name_count == 0;
        for (size_t k = 0; k < options->name_count; k++)
            named |= strcmp(options->names[k], workload->name) == 0;
        if (!named)
            continue;
        printf("%s: %s\n", workload->name, workload->title);
        if (workload->size_names)
            printf("  --size %s\n", workload->size_names);
        for (size_t k = 0; k < workload->input_count; k++) {
            const struct bench_input *input = &workload->inputs[k];
            printf("  input   %-20s %s%s%s %s\n", input->name, input->sizes & BENCH_TINY ? "tiny " : "",
                   input->sizes & BENCH_SMALL ? "small " : "", input->sizes & BENCH_FULL ? "full " : "", input->text);
        }
        for (size_t k = 0; k < workload->variant_count; k++)
            printf("  variant %-20s %s\n", workload->variants[k].name,
                   workload->variants[k].text ? workload->variants[k].text : "");
    }
}

static int status_of(const struct results *results)
{
    int failed = 0, skipped = 0;
    for (size_t i = 0; i < results->count; i++) {
        failed |= results->items[i].outcome == OUTCOME_FAILED;
        skipped |= results->items[i].outcome == OUTCOME_SKIPPED;
    }
    return failed ? 1 : skipped ? 3 : 0;
}

int bench_main(const struct bench_table *table, int count, char **words)
{
    struct options options;
    struct results results = {0};
    if (count == 2 + WORKER_REQUEST_WORDS && strcmp(words[1], "--worker") == 0)
        return worker_main(table, words + 2);
    if (count > 1 && strcmp(words[1], "compare") == 0)
        return compare_main(count - 1, words + 1);
    if (count > 1 && strcmp(words[1], "tune") == 0)
        return tune_main(table, count - 1, words + 1);
    if (count > 1 && strcmp(words[1], "merge") == 0)
        return merge_main(table, count - 1, words + 1);
    options_read(table, count, words, &options);
    if (options.exit_status >= 0)
        return options.exit_status;
    if (options.list) {
        list(table, &options);
        return 0;
    }
    int stopped = suite_run(table, &options, &results);
    if (stopped)
        return stopped < 0 ? 1 : 130;
    if (!results.count && !options.shard.count) { /* a part may have nothing to do */
        fputs("cmbench: error: no input of that size for these workloads; --list shows all\n", stderr);
        return 2;
    }
    report_table(stdout, &results);
    int status = status_of(&results);
    if (options.json && report_write(options.json, report_json, &options, &results))
        status = 1;
    if (options.html && report_write(options.html, report_html, &options, &results))
        status = 1;
    if (fflush(stdout) != 0 || ferror(stdout)) {
        perror("cmbench: error: standard output");
        status = 1;
    }
    return status;
}
