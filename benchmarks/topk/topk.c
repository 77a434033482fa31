/* The k largest numbers of each row and their places, largest first, equal ones by their places. A language model
 * chooses the next token among the k most probable ones. The result is exact: a sort's. */
#include <math.h>
#include <stdlib.h>
#include "benchmarks/harness/workload.h"

enum { X };                                  /* problem->in */
enum { VALUES, PLACES };                     /* problem->expected */
enum { ROWS, COLUMNS, K };                   /* input->n */
enum { RANDOM, EQUAL, SORTED, FEW, MASKED }; /* input->kind */
enum { BLOCK = 256, MOST_COLUMNS = 32768, LEAST_COLUMNS = 2048, MOST_ROWS = 4096, MOST_K = 64, SUB_GROUPS = 8 };

static const struct bench_input inputs[] = {
    {.name = "1x32000x50", .sizes = BENCH_TINY, .n = {1, 32000, 50}, .kind = RANDOM, .text = "a row of 32000 words"},
    {.name = "3x2048x40", .sizes = BENCH_TINY, .n = {3, 2048, 40}, .kind = RANDOM, .text = "short rows, many of them"},
    {.name = "2x4096x50-sorted", .sizes = BENCH_TINY, .n = {2, 4096, 50}, .kind = SORTED, .text = "rising numbers"},
    {.name = "2x4096x8-few", .sizes = BENCH_TINY, .n = {2, 4096, 8}, .kind = FEW, .text = "300 different numbers"},
    {.name = "1x2048x50-masked",
     .sizes = BENCH_TINY,
     .n = {1, 2048, 50},
     .kind = MASKED,
     .text = "most are minus infinity"},
    {.name = "1x2048x4-equal", .sizes = BENCH_TINY, .n = {1, 2048, 4}, .kind = EQUAL, .text = "all are equal"},
    {.name = "16x32000x50",
     .sizes = BENCH_SMALL,
     .n = {16, 32000, 50},
     .kind = RANDOM,
     .text = "the scores of 32000 words for 16 tokens"},
    {.name = "256x32000x50", .sizes = BENCH_FULL, .n = {256, 32000, 50}, .kind = RANDOM, .text = "for 256 tokens"},
};

/* About normal: scores of a model's words. */
static float score(uint64_t *seed)
{
    float sum = 0;
    for (int i = 0; i < 6; i++)
        sum += bench_random_float(seed, -2, 2);
    return sum;
}

static void prepare(struct bench_problem *problem)
{
    const size_t *n = problem->input->n;
    uint64_t seed = 1;
    if (n[ROWS] < 1 || n[ROWS] > MOST_ROWS || n[COLUMNS] < LEAST_COLUMNS || n[COLUMNS] > MOST_COLUMNS ||
        n[COLUMNS] % BLOCK || n[K] < 1 || n[K] > MOST_K)
        bench_skip("rows are 1 to %d, columns a multiple of %d from %d to %d, k is 1 to %d, not %zu x %zu x %zu",
                   MOST_ROWS, BLOCK, LEAST_COLUMNS, MOST_COLUMNS, MOST_K, n[ROWS], n[COLUMNS], n[K]);
    float *x = bench_array_make(&problem->in[X], "x", BENCH_F32, n[ROWS] * n[COLUMNS]);
    for (size_t i = 0; i < n[ROWS] * n[COLUMNS]; i++)
        switch (problem->input->kind) {
        case RANDOM: x[i] = score(&seed); break;
        case EQUAL: x[i] = -1.5f; break;
        case SORTED: x[i] = (float)i - 1000; break;
        case MASKED: x[i] = bench_random(&seed) % 64 ? -INFINITY : score(&seed); break;
        default: x[i] = (float)(bench_random(&seed) % 300) - 150; break; /* FEW */
        }
}

struct number {
    float value;
    int place;
};

static int compare(const void *a, const void *b)
{
    const struct number *x = a, *y = b;
    return x->value != y->value ? (x->value < y->value ? 1 : -1) : x->place - y->place;
}

/* Sorts each row. */
static void reference(struct bench_problem *problem)
{
    const size_t *n = problem->input->n;
    const float *x = problem->in[X].data;
    float *values = bench_array_make(&problem->expected[VALUES], "values", BENCH_F32, n[ROWS] * n[K]);
    int32_t *places = bench_array_make(&problem->expected[PLACES], "places", BENCH_I32, n[ROWS] * n[K]);
    struct number *row = calloc(n[COLUMNS], sizeof *row);
    if (!row)
        bench_fail("out of memory for a row");
    for (size_t y = 0; y < n[ROWS]; y++) {
        for (size_t i = 0; i < n[COLUMNS]; i++)
            row[i] = (struct number){x[y * n[COLUMNS] + i], (int)i};
        qsort(row, n[COLUMNS], sizeof *row, compare);
        for (size_t i = 0; i < n[K]; i++) {
            values[y * n[K] + i] = row[i].value;
            places[y * n[K] + i] = row[i].place;
        }
    }
    free(row);
}

/* Launches a group of `items` for each row. */
static void launch(struct bench_run *run, struct bench_problem *problem, const char *kernel, size_t items)
{
    const size_t *n = problem->input->n;
    cmrt_buffer *values = bench_buffer(run, NULL, n[ROWS] * n[K] * 4);
    cmrt_buffer *places = bench_buffer(run, NULL, n[ROWS] * n[K] * 4);
    bench_launch(run, kernel, BENCH_GRID(n[ROWS], 1, 1, items, 1, 1),
                 BENCH_BUFFER(bench_buffer_of(run, &problem->in[X])), BENCH_BUFFER(values), BENCH_BUFFER(places),
                 BENCH_U32(n[COLUMNS]), BENCH_U32(n[K]));
    bench_read_array(run, values, &problem->result[VALUES]);
    bench_read_array(run, places, &problem->result[PLACES]);
}

static void run_cm(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "topk", SUB_GROUPS);
}

static void run_group(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, problem->variant->name, SUB_GROUPS * 2 * (size_t)bench_matrix_columns(run));
}

static void run_rounds(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "rounds", 2 * (size_t)bench_matrix_columns(run));
}

static const struct bench_variant variants[] = {
    {.name = "cm", .language = BENCH_CM, .run = run_cm, .text = "a bound from subsets, then few candidates"},
    {.name = "prune", .language = BENCH_CL, .options = "-cl-std=CL2.0", .run = run_group, .text = "the same"},
    {.name = "radix", .language = BENCH_CL, .options = "-cl-std=CL2.0", .run = run_group, .text = "four histograms"},
    {.name = "rounds", .language = BENCH_CL, .options = "-cl-std=CL2.0", .run = run_rounds, .text = "k times the next"},
};

const struct workload workload_topk = {
    .name = "topk",
    .title = "the k largest of a row",
    .needs = BENCH_NEEDS_MATRIX,
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .size_names = "rows x columns x k",
    .prepare = prepare,
    .reference = reference,
};
