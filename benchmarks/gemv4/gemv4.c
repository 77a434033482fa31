/* y = W x: weights of four bits with a scale for each 128 of an output, halves x and y, sums in float. This is what a
 * language model does with each layer's weights to make one token. Weights are packed when the model is loaded: panels
 * of four tiles of outputs, in each the groups of 128 in depth, in each the four tiles: 16 rows of a dword for each
 * output. */
#include "benchmarks/harness/half.h"
#include "benchmarks/harness/workload.h"

enum { WEIGHTS, SCALES, X }; /* problem->in: 0 to 15, an output's side by side; bits of halves; of halves */
enum { OUTPUTS, DEPTH };     /* input->n */
enum { GROUP = 128, ZERO = 8, TILES = 4, THREADS = 4, MOST_LANES = 16 };

static const struct bench_input inputs[] = {
    {.name = "64x512", .sizes = BENCH_TINY, .n = {64, 512}, .text = "one group for each thread"},
    {.name = "192x640", .sizes = BENCH_TINY, .n = {192, 640}, .text = "threads with different numbers of groups"},
    {.name = "4096x4096",
     .sizes = BENCH_SMALL,
     .n = {4096, 4096},
     .text = "a projection of a model with 7 billion weights"},
    {.name = "11008x4096",
     .sizes = BENCH_FULL,
     .n = {11008, 4096},
     .text = "the first product of its feed-forward layer"},
    {.name = "4096x11008", .sizes = BENCH_FULL, .n = {4096, 11008}, .text = "the last one"},
    {.name = "32000x4096", .sizes = BENCH_FULL, .n = {32000, 4096}, .text = "the scores of its 32000 words"},
};

static void fill(struct bench_array *array, const char *name, size_t count, float low, float high, uint64_t seed)
{
    uint32_t *bits = bench_array_make(array, name, BENCH_U32, count);
    for (size_t i = 0; i < count; i++)
        bits[i] = half_of((double)bench_random_float(&seed, low, high));
}

static void prepare(struct bench_problem *problem)
{
    enum { MOST = 65536 };
    const size_t *n = problem->input->n;
    uint64_t seed = 1;
    if (n[OUTPUTS] < 1 || n[OUTPUTS] > MOST || n[OUTPUTS] % (TILES * MOST_LANES) || n[DEPTH] < 1 || n[DEPTH] > MOST ||
        n[DEPTH] % GROUP)
        bench_skip("outputs are a multiple of %d, the depth is one of %d, both up to %d, not %zu x %zu",
                   TILES * MOST_LANES, GROUP, MOST, n[OUTPUTS], n[DEPTH]);
    uint8_t *weights = bench_array_make(&problem->in[WEIGHTS], "weights", BENCH_U8, n[OUTPUTS] * n[DEPTH]);
    for (size_t i = 0; i < n[OUTPUTS] * n[DEPTH]; i++)
        weights[i] = (uint8_t)(bench_random(&seed) >> 28);
    fill(&problem->in[SCALES], "scales", n[OUTPUTS] * n[DEPTH] / GROUP, 0.002f, 0.02f, 2);
    fill(&problem->in[X], "x", n[DEPTH], -2, 2, 3);
}

static double half_in(const struct bench_array *array, size_t i)
{
    return number_of_half((uint16_t)((const uint32_t *)array->data)[i]);
}

/* In double, without rounding between the steps. */
static void reference(struct bench_problem *problem)
{
    const size_t *n = problem->input->n;
    const uint8_t *weights = problem->in[WEIGHTS].data;
    float *y = bench_array_make(&problem->expected[0], "y", BENCH_F32, n[OUTPUTS]);
    problem->expected[0].relative = 0x1.1p-11; /* a half's rounding */
    problem->expected[0].absolute = 0x1p-10;   /* sums of floats */
    for (size_t output = 0; output < n[OUTPUTS]; output++) {
        double sum = 0;
        for (size_t k = 0; k < n[DEPTH]; k++)
            sum += half_in(&problem->in[SCALES], (output * n[DEPTH] + k) / GROUP) *
                   (weights[output * n[DEPTH] + k] - ZERO) * half_in(&problem->in[X], k);
        y[output] = (float)sum;
    }
}

/* Returns the dword of an output: nibble m is that of depth 4 (m % 4) + 2 (row % 2) + m / 4 among 16. */
static uint32_t dword_of(const uint8_t *weights, size_t row)
{
    uint32_t dword = 0;
    for (size_t m = 0; m < 8; m++)
        dword |= (uint32_t)weights[row / 2 * 16 + 4 * (m % 4) + 2 * (row % 2) + m / 4] << 4 * m;
    return dword;
}

static void pack(const struct bench_problem *problem, size_t lanes, struct bench_array *weights,
                 struct bench_array *scales)
{
    const size_t *n = problem->input->n, groups = n[DEPTH] / GROUP, width = TILES * lanes;
    const uint32_t *scale = problem->in[SCALES].data;
    uint32_t *to = bench_array_make(weights, "packed weights", BENCH_U32, n[OUTPUTS] * n[DEPTH] / 8);
    uint32_t *scales_to = bench_array_make(scales, "packed scales", BENCH_U32, n[OUTPUTS] * groups / 2);
    for (size_t output = 0; output < n[OUTPUTS]; output++)
        for (size_t group = 0; group < groups; group++) {
            size_t panel = (output / width * groups + group) * TILES;
            const uint8_t *from = (const uint8_t *)problem->in[WEIGHTS].data + (output * groups + group) * GROUP;
            size_t at = panel * lanes + output % width;
            for (size_t row = 0; row < GROUP / 8; row++)
                to[((panel + output % width / lanes) * (GROUP / 8) + row) * lanes + output % lanes] =
                    dword_of(from, row);
            scales_to[at / 2] |= scale[output * groups + group] << at % 2 * 16;
        }
}

/* Launches groups of `items` that compute `tiles` tiles of outputs each. */
static void launch(struct bench_run *run, struct bench_problem *problem, size_t tiles, size_t items)
{
    const size_t *n = problem->input->n, lanes = bench_matrix_columns(run);
    struct bench_array weights = {0}, scales = {0}, x = {0}, halves = {0};
    const uint32_t *bits = problem->in[X].data;
    float *result = problem->result[0].data;
    pack(problem, lanes, &weights, &scales);
    uint32_t *words = bench_array_make(&x, "halves of x", BENCH_U32, n[DEPTH] / 2);
    for (size_t i = 0; i < n[DEPTH]; i++)
        words[i / 2] |= bits[i] << i % 2 * 16;
    words = bench_array_make(&halves, "halves of y", BENCH_U32, n[OUTPUTS] / 2);
    cmrt_buffer *out = bench_buffer(run, NULL, n[OUTPUTS] * 2);
    const char *kernel = problem->variant->language == BENCH_CM ? "gemv4" : problem->variant->name;
    bench_launch(run, kernel, BENCH_GRID(n[OUTPUTS] / (tiles * lanes), 1, 1, items, 1, 1),
                 BENCH_BUFFER(bench_buffer_of(run, &weights)), BENCH_BUFFER(bench_buffer_of(run, &scales)),
                 BENCH_BUFFER(bench_buffer_of(run, &x)), BENCH_BUFFER(out), BENCH_U32(n[DEPTH] / GROUP));
    bench_read_array(run, out, &halves);
    for (size_t i = 0; i < n[OUTPUTS]; i++)
        result[i] = (float)number_of_half((uint16_t)(words[i / 2] >> i % 2 * 16));
}

static void run_cm(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, TILES, THREADS);
}

static void run_tiles_4(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, TILES, THREADS * (size_t)bench_matrix_columns(run));
}

static void run_tiles_1(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, 1, THREADS * (size_t)bench_matrix_columns(run));
}

static const struct bench_variant variants[] = {
    {.name = "cm", .language = BENCH_CM, .run = run_cm, .text = "four tiles of outputs, halves by masks, dpas"},
    {.name = "tiles_1", .language = BENCH_CL, .options = "-cl-std=CL2.0", .run = run_tiles_1, .text = "one tile, dpas"},
    {.name = "tiles_4",
     .language = BENCH_CL,
     .options = "-cl-std=CL2.0",
     .run = run_tiles_4,
     .text = "four tiles, dpas"},
    {.name = "mads",
     .language = BENCH_CL,
     .options = "-cl-std=CL2.0",
     .run = run_tiles_1,
     .text = "multiply-adds of floats"},
};

const struct workload workload_gemv4 = {
    .name = "gemv4",
    .title = "GEMV of int4 weights",
    .needs = BENCH_NEEDS_MATRIX,
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .size_names = "outputs x depth",
    .prepare = prepare,
    .reference = reference,
};
