/* Runs one variant in a process of its own: prepares, computes the reference, runs, compares, reports. */
#include "benchmarks/harness/points.h"
#include "benchmarks/harness/worker.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

const struct workload *table_find(const struct bench_table *table, const char *name)
{
    for (size_t i = 0; i < table->count; i++)
        if (strcmp(table->workloads[i]->name, name) == 0)
            return table->workloads[i];
    return NULL;
}

static void read_request(char **words, struct worker_request *request)
{
    request->workload = words[0];
    request->input = words[1];
    request->variant = words[2];
    for (size_t i = 0; i < 4; i++)
        request->n[i] = strtoull(words[3 + i], NULL, 10);
    request->program = words[7];
    request->repeat = (unsigned)strtoul(words[8], NULL, 10);
    request->report = words[9];
    request->keep = words[10];
    request->against = words[11];
}

/* A point of a family, by its name. */
static const struct bench_variant *find_point(const struct workload *workload, const char *name)
{
    static struct point point;
    static struct bench_variant variant;
    if (points_find(workload, name, &point))
        bench_fail("no variant %s of %s", name, workload->name);
    point_variant(&point, &variant);
    return &variant;
}

/* Finds the requested input; for other numbers, copies the workload's first input and changes them. */
static void find(const struct bench_table *table, const struct worker_request *request, struct bench_problem *problem,
                 struct bench_input *input)
{
    const struct workload *workload = table_find(table, request->workload);
    if (!workload)
        bench_fail("no workload %s", request->workload);
    problem->workload = workload;
    *input = workload->inputs[0];
    for (size_t i = 0; i < workload->input_count; i++)
        if (strcmp(workload->inputs[i].name, request->input) == 0)
            *input = workload->inputs[i];
    input->name = request->input;
    memcpy(input->n, request->n, sizeof input->n);
    problem->input = input;
    for (size_t i = 0; i < workload->variant_count; i++)
        if (strcmp(workload->variants[i].name, request->variant) == 0)
            problem->variant = &workload->variants[i];
    if (!problem->variant)
        problem->variant = find_point(workload, request->variant);
}

static size_t make_results(struct bench_problem *problem)
{
    size_t count = 0;
    for (; count < 4 && problem->expected[count].data; count++) {
        const struct bench_array *expected = &problem->expected[count];
        bench_array_make(&problem->result[count], expected->name, expected->type, expected->count);
    }
    if (!count)
        bench_fail("the reference of %s expects nothing", problem->workload->name);
    return count;
}

static void check(const struct bench_problem *problem, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct bench_array *expected = &problem->expected[i];
        array_check(&problem->result[i], expected, expected->relative, expected->absolute, "the reference");
    }
}

/* Runs and checks every repetition; returns the best time. */
static uint64_t run_all(struct bench_run *run, struct bench_problem *problem, size_t results, unsigned repeat)
{
    uint64_t best = UINT64_MAX;
    for (unsigned turn = 0; turn < repeat; turn++) {
        for (size_t i = 0; i < results; i++)
            array_poison(&problem->result[i]);
        run_begin(run);
        problem->variant->run(run, problem);
        uint64_t time = run_end(run);
        best = time < best ? time : best;
        check(problem, results);
    }
    return best;
}

static void keep(const char *path, const struct bench_problem *problem, size_t count)
{
    FILE *file = fopen(path, "wb");
    for (size_t i = 0; file && i < count; i++)
        if (fwrite(problem->result[i].data, 1, bench_array_bytes(&problem->result[i]), file) !=
            bench_array_bytes(&problem->result[i]))
            bench_fail("%s: %s", path, strerror(errno));
    if (!file || fclose(file) != 0)
        bench_fail("%s: %s", path, strerror(errno));
}

static void compare_kept(const char *path, const struct bench_problem *problem, size_t count)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        bench_fail("%s: %s", path, strerror(errno));
    for (size_t i = 0; i < count; i++) {
        const struct bench_array *expected = &problem->expected[i];
        struct bench_array other;
        bench_array_make(&other, expected->name, expected->type, expected->count);
        if (fread(other.data, 1, bench_array_bytes(&other), file) != bench_array_bytes(&other))
            bench_fail("%s is too short", path);
        array_check(&problem->result[i], &other, 2 * expected->relative,
                    2 * expected->absolute + problem->workload->cross_absolute, "CM's");
        free(other.data);
    }
    fclose(file);
}

int worker_main(const struct bench_table *table, char **words)
{
    struct worker_request request;
    struct bench_problem problem = {0};
    struct bench_input input;
    read_request(words, &request);
    FILE *report = outcome_open(request.report);
    find(table, &request, &problem, &input);
    struct bench_run *run = run_open(request.program, problem.workload->needs, report);
    problem.workload->prepare(&problem);
    problem.workload->reference(&problem);
    size_t results = make_results(&problem);
    uint64_t time = run_all(run, &problem, results, request.repeat);
    if (strcmp(request.keep, "-") != 0)
        keep(request.keep, &problem, results);
    if (strcmp(request.against, "-") != 0)
        compare_kept(request.against, &problem, results);
    run_list_kernels(run, report);
    fprintf(report, "event_ns %llu\n", (unsigned long long)time);
    outcome_ok();
}
