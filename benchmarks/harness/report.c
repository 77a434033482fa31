/* Prints results as they come, the table at the end, and the JSON report. */
#include "benchmarks/harness/hash.h"
#include "benchmarks/harness/suite.h"

#include "runtime/cmrun/output.h"
#include "text/json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

uint64_t result_cost(const struct result *result)
{
    if (result->timed)
        return (uint64_t)(result->time_ns + 0.5);
    return result->counted ? result->instructions : result->event_ns;
}

const struct result *results_best(const struct results *results, const struct result *cm)
{
    const struct result *best = NULL;
    for (size_t i = 0; i < results->count; i++) {
        const struct result *other = &results->items[i];
        if (other->workload == cm->workload && other->platform == cm->platform && other->outcome == OUTCOME_OK &&
            other->counted == cm->counted && other->timed == cm->timed && other->variant->language == BENCH_CL &&
            strcmp(other->input, cm->input) == 0 && (!best || result_cost(other) < result_cost(best)))
            best = other;
    }
    return best;
}

static void print_number(FILE *out, int width, int64_t number)
{
    if (number < 0)
        fprintf(out, " %*s", width, "-");
    else
        fprintf(out, " %*" PRId64, width, number);
}

void report_line(FILE *out, const struct result *result, int first_of_input)
{
    static const char *const outcomes[] = {"right", "FAILED", "skipped"};
    if (first_of_input)
        fprintf(out, "%s, %s on %s (%s)\n", result->workload->title, result->input, result->platform->ocloc,
                result->input_text);
    fprintf(out, "  %-28s %-7s", result->variant->name, outcomes[result->outcome]);
    if (result->outcome != OUTCOME_OK) {
        fprintf(out, " %s\n", result->reason);
        return;
    }
    if (result->counted)
        fprintf(out, " %" PRIu64 " instructions, %" PRIu64 " messages, %" PRIu64 " bytes read, %" PRIu64 " written",
                result->instructions, result->messages, result->bytes_read, result->bytes_written);
    else
        fprintf(out, " %" PRIu64 " ns", result->event_ns);
    if (result->timed)
        fprintf(out, ", %.3g us by the timing model", result->time_ns / 1000);
    if (result->registers >= 0)
        fprintf(out, ", %d registers, %d bytes spilled", result->registers, result->spills);
    fputc('\n', out);
}

void report_table(FILE *out, const struct results *results)
{
    size_t wrong = 0, skipped = 0;
    int counted = 0, timed = 0;
    fprintf(out, "\n%-12s %-16s %-6s %13s %13s %6s %5s %6s  %s\n", "workload", "input", "device", "CM", "best OpenCL",
            "ratio", "regs", "spills", "best OpenCL kernel");
    for (size_t i = 0; i < results->count; i++) {
        const struct result *cm = &results->items[i];
        wrong += cm->outcome == OUTCOME_FAILED;
        skipped += cm->outcome == OUTCOME_SKIPPED;
        counted |= cm->counted;
        timed |= cm->timed;
        if (cm->variant->language != BENCH_CM || cm->outcome != OUTCOME_OK)
            continue;
        const struct result *best = results_best(results, cm);
        fprintf(out, "%-12s %-16s %-6s", cm->workload->name, cm->input, cm->platform->ocloc);
        print_number(out, 13, (int64_t)result_cost(cm));
        print_number(out, 13, best ? (int64_t)result_cost(best) : -1);
        if (best && result_cost(cm))
            fprintf(out, " %6.2f", (double)result_cost(best) / (double)result_cost(cm));
        else
            fprintf(out, " %6s", "-");
        print_number(out, 5, cm->registers);
        print_number(out, 6, cm->spills);
        fprintf(out, "  %s\n", best ? best->variant->name : "");
    }
    fprintf(out, "%zu results, %zu wrong or failed, %zu skipped. ratio: OpenCL over CM, %s\n", results->count, wrong,
            skipped,
            timed     ? "nanoseconds of gensim's timing model"
            : counted ? "executed Gen instructions; counts are no times"
                      : "nanoseconds of Level Zero events");
    if (timed)
        report_times(out, results);
}

/* Figures that were not measured are null, and so are all figures of a wrong result. */
static void print_figure(FILE *out, const char *key, int known, uint64_t value)
{
    if (known)
        fprintf(out, ", \"%s\": %" PRIu64, key, value);
    else
        fprintf(out, ", \"%s\": null", key);
}

/* Writes the model's time, and the times with drawn constants. */
static void print_times(FILE *out, const struct result *result)
{
    if (!result->timed || result->outcome != OUTCOME_OK)
        return;
    fprintf(out, ", \"cycles\": %.0f, \"time_ns\": %.0f, \"dominant\": \"%s\", \"error\": %.2f, \"drawn_ns\": [",
            result->cycles, result->time_ns, result->dominant, result->error);
    for (size_t i = 0; i < result->draws; i++)
        fprintf(out, "%s%.0f", i ? ", " : "", result->drawn_ns[i]);
    fputc(']', out);
}

static void print_result(FILE *out, const struct result *result, const char *version)
{
    const struct {
        const char *key, *value;
    } texts[] = {{"workload", result->workload->name},
                 {"input", result->input},
                 {"device", result->platform->ocloc},
                 {"variant", result->variant->name},
                 {"language", result->variant->language == BENCH_CM ? "cm" : "opencl"}};
    int right = result->outcome == OUTCOME_OK;
    fputs("  {", out);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        fprintf(out, "%s\"%s\": ", i ? ", " : "", texts[i].key);
        json_string(texts[i].value, out);
    }
    fprintf(out, ", \"correct\": %s", result->outcome == OUTCOME_SKIPPED ? "null" : right ? "true" : "false");
    print_figure(out, "instructions", result->counted, result->instructions);
    print_figure(out, "messages", result->counted, result->messages);
    print_figure(out, "bytes_read", result->counted, result->bytes_read);
    print_figure(out, "bytes_written", result->counted, result->bytes_written);
    print_figure(out, "event_ns", right, result->event_ns);
    print_times(out, result);
    print_figure(out, "registers", right && result->registers >= 0, (uint64_t)result->registers);
    print_figure(out, "spills", right && result->spills >= 0, (uint64_t)result->spills);
    if (!right) {
        fprintf(out, ", \"%s\": ", result->outcome == OUTCOME_SKIPPED ? "skipped" : "failed");
        json_string(result->reason, out);
    }
    fprintf(out, ", \"version\": \"%s\"}", version);
}

/* Reports are made in memory and written when they are complete. */
int report_save(const char *path, const char *text, size_t size)
{
    char why[512] = "out of memory";
    struct output_set *outputs = outputs_new();
    int broken =
        !outputs || outputs_add(outputs, path, text, size, why, sizeof why) || outputs_commit(outputs, why, sizeof why);
    outputs_free(outputs);
    if (broken)
        fprintf(stderr, "cmbench: error: %s\n", why);
    return broken ? -1 : 0;
}

int report_write(const char *path, report_printer print, const struct options *options, const struct results *results)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (out)
        print(out, options, results);
    int status = -1;
    if (!out || fclose(out) != 0)
        fprintf(stderr, "cmbench: error: %s: out of memory\n", path);
    else
        status = report_save(path, text, size);
    free(text);
    return status;
}

void report_json(FILE *out, const struct options *options, const struct results *results)
{
    char version[64];
    (void)options;
    snprintf(version, sizeof version, "%s-%016" PRIx64, CMKIT_VERSION, hash_text(HASH_START, results->versions));
    fputs("[\n", out);
    for (size_t i = 0; i < results->count; i++) {
        print_result(out, &results->items[i], version);
        fputs(i + 1 < results->count ? ",\n" : "\n", out);
    }
    fputs("]\n", out);
}
