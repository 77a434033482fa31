/* Normalises rows of halves: y = x / sqrt(mean(x^2) + e) * gamma (RMS norm), y = (x - mean(x)) / sqrt(variance(x) + e)
 * * gamma + beta (layer norm). Sums are floats. As in the models' own code, the normalised row is rounded to half
 * before it is multiplied by gamma. */
#include <stdio.h>
#include "benchmarks/harness/half.h"
#include "benchmarks/harness/workload.h"

enum { X, GAMMA, BETA }; /* problem->in: halves, two in a dword */
enum { ROWS, COLUMNS };  /* input->n */
enum { RMS, LAYER };     /* input->kind */
enum { STEP = 2048, MOST_COLUMNS = 8192, MOST_ROWS = 65536 };
#define EPSILON 1e-5f

static const char *const kinds[] = {"rms", "layer"};

static const struct bench_input inputs[] = {
    {.name = "5x4096-rms", .sizes = BENCH_TINY, .n = {5, 4096}, .kind = RMS, .text = "five rows of a model's width"},
    {.name = "3x4096-layer", .sizes = BENCH_TINY, .n = {3, 4096}, .kind = LAYER, .text = "three rows"},
    {.name = "2x6144-layer", .sizes = BENCH_TINY, .n = {2, 6144}, .kind = LAYER, .text = "another width"},
    {.name = "128x4096-rms", .sizes = BENCH_SMALL, .n = {128, 4096}, .kind = RMS, .text = "128 tokens"},
    {.name = "128x4096-layer", .sizes = BENCH_SMALL, .n = {128, 4096}, .kind = LAYER, .text = "128 tokens"},
    {.name = "2048x4096-rms",
     .sizes = BENCH_FULL,
     .n = {2048, 4096},
     .kind = RMS,
     .text = "a prompt of 2048 tokens in a model with 7 billion weights"},
    {.name = "2048x4096-layer", .sizes = BENCH_FULL, .n = {2048, 4096}, .kind = LAYER, .text = "the same"},
};

static void fill(struct bench_array *array, const char *name, size_t count, float low, float high, uint64_t seed)
{
    uint32_t *words = bench_array_make(array, name, BENCH_U32, count / 2);
    for (size_t i = 0; i < count; i++)
        words[i / 2] |= (uint32_t)half_of((double)bench_random_float(&seed, low, high)) << i % 2 * 16;
}

static double number(const struct bench_array *array, size_t i)
{
    return number_of_half((uint16_t)(((const uint32_t *)array->data)[i / 2] >> i % 2 * 16));
}

static void prepare(struct bench_problem *problem)
{
    const size_t *n = problem->input->n;
    if (n[ROWS] < 1 || n[ROWS] > MOST_ROWS || n[COLUMNS] < STEP || n[COLUMNS] > MOST_COLUMNS || n[COLUMNS] % STEP)
        bench_skip("rows are 1 to %d, columns a multiple of %d up to %d, not %zu x %zu", MOST_ROWS, STEP, MOST_COLUMNS,
                   n[ROWS], n[COLUMNS]);
    fill(&problem->in[X], "x", n[ROWS] * n[COLUMNS], -1, 2, 1);
    fill(&problem->in[GAMMA], "gamma", n[COLUMNS], 0.5f, 1.5f, 2);
    fill(&problem->in[BETA], "beta", n[COLUMNS], -1, 1, 3);
    /* Models have a few channels that are far larger than the others. */
    uint32_t *words = problem->in[X].data;
    for (size_t y = 0; y < n[ROWS]; y++)
        words[y * n[COLUMNS] / 2] = (words[y * n[COLUMNS] / 2] & 0xffff0000) | half_of(150);
}

/* In double, without rounding between the steps. */
static void reference(struct bench_problem *problem)
{
    const size_t *n = problem->input->n;
    const struct bench_array *in = problem->in;
    int is_layer = problem->input->kind == LAYER;
    float *out = bench_array_make(&problem->expected[0], "y", BENCH_F32, n[ROWS] * n[COLUMNS]);
    /* Of a half's rounding, 2^-11: the normalised row's, the product's, the sum's. The sum may be smaller than what is
     * added; the absolute part is that of 4 * 1.5. */
    problem->expected[0].relative = is_layer ? 0x1.9p-10 : 0x1.1p-10;
    problem->expected[0].absolute = is_layer ? 6 * 0x1p-10 : 0x1p-24;
    for (size_t y = 0; y < n[ROWS]; y++) {
        size_t row = y * n[COLUMNS];
        double mean = 0, squares = 0;
        for (size_t x = 0; x < n[COLUMNS] && is_layer; x++)
            mean += number(&in[X], row + x) / (double)n[COLUMNS];
        for (size_t x = 0; x < n[COLUMNS]; x++)
            squares += (number(&in[X], row + x) - mean) * (number(&in[X], row + x) - mean);
        double scale = 1 / sqrt(squares / (double)n[COLUMNS] + (double)EPSILON);
        for (size_t x = 0; x < n[COLUMNS]; x++)
            out[row + x] = (float)((number(&in[X], row + x) - mean) * scale * number(&in[GAMMA], x) +
                                   (is_layer ? number(&in[BETA], x) : 0));
    }
}

/* Launches a group of `items` for each row: threads, or work items. */
static void launch(struct bench_run *run, struct bench_problem *problem, const char *variant, size_t items)
{
    char name[64];
    const size_t *n = problem->input->n, count = n[ROWS] * n[COLUMNS];
    struct bench_array halves = {0};
    cmrt_buffer *out = bench_buffer(run, NULL, count * 2);
    uint32_t *words = bench_array_make(&halves, "halves", BENCH_U32, count / 2);
    float *result = problem->result[0].data;
    snprintf(name, sizeof name, "%s%s", kinds[problem->input->kind], variant);
    bench_launch(run, name, BENCH_GRID(n[ROWS], 1, 1, items, 1, 1), BENCH_BUFFER(bench_buffer_of(run, &problem->in[X])),
                 BENCH_BUFFER(bench_buffer_of(run, &problem->in[GAMMA])),
                 BENCH_BUFFER(bench_buffer_of(run, &problem->in[BETA])), BENCH_BUFFER(out), BENCH_U32(n[COLUMNS]),
                 BENCH_F32(EPSILON));
    bench_read_array(run, out, &halves);
    for (size_t i = 0; i < count; i++)
        result[i] = (float)number_of_half((uint16_t)(words[i / 2] >> i % 2 * 16));
}

/* A thread has 128 registers of floats. */
static void run_cm(struct bench_run *run, struct bench_problem *problem)
{
    enum { REGISTERS = 128 };
    launch(run, problem, "", problem->input->n[COLUMNS] / (REGISTERS * bench_matrix_columns(run)));
}

/* A lane has 64 elements. */
static void run_held(struct bench_run *run, struct bench_problem *problem)
{
    enum { EACH = 64 };
    char name[32];
    snprintf(name, sizeof name, "_%s", problem->variant->name);
    launch(run, problem, name, problem->input->n[COLUMNS] / EACH);
}

static void run_again(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "_again", 2 * (size_t)bench_matrix_columns(run));
}

static const struct bench_variant variants[] = {
    {.name = "cm",
     .language = BENCH_CM,
     .options = "-Qxcm_register_file_size=256",
     .run = run_cm,
     .text = "the row in registers, as floats"},
    {.name = "pairs",
     .language = BENCH_CL,
     .options = "-cl-std=CL2.0 -cl-intel-256-GRF-per-thread",
     .run = run_held,
     .text = "the same, a lane has pairs"},
    {.name = "halves",
     .language = BENCH_CL,
     .options = "-cl-std=CL2.0 -cl-intel-256-GRF-per-thread",
     .run = run_held,
     .text = "the same, shorter messages without pairs"},
    {.name = "again",
     .language = BENCH_CL,
     .options = "-cl-std=CL2.0",
     .run = run_again,
     .text = "a sub-group reads the row for each step"},
};

const struct workload workload_norm = {
    .name = "norm",
    .title = "RMS and layer norm",
    .needs = BENCH_NEEDS_MATRIX,
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .size_names = "rows x columns",
    .prepare = prepare,
    .reference = reference,
};
