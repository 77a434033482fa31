/* 3x3 convolution of halves by the systolic array, stride 1, padding 1, with a bias: out[o][y][x] = bias[o] + sum of
 * weights[o][c][dy][dx] * in[c][y + dy - 1][x + dx - 1]. The numbers are small and whole, so every sum is exact in any
 * order, and is rounded to half once. Pictures have blocks of 16 channels side by side, [block][row][column][16]; the
 * input has a frame of zeros. */
#include "benchmarks/harness/half.h"
#include "benchmarks/harness/workload.h"

enum { IN, WEIGHTS, BIAS };                /* problem->in, unpacked, without a frame */
enum { WIDTH, HEIGHT, CHANNELS, OUTPUTS }; /* input->n */
enum { BLOCK = 16, TILES = 4, PIXELS = 8, ROWS = 4, PLACES = 9, MOST_LANES = 16 };

static const struct bench_input inputs[] = {
    {.name = "8x4x16-64", .sizes = BENCH_TINY, .n = {8, 4, 16, 64}, .text = "whole numbers, one thread's pixels"},
    {.name = "24x12x48-64", .sizes = BENCH_TINY, .n = {24, 12, 48, 64}, .text = "whole numbers"},
    {.name = "64x64x320-64",
     .sizes = BENCH_SMALL,
     .n = {64, 64, 320, 64},
     .text = "of Stable Diffusion's U-Net, a fifth of the outputs"},
    {.name = "64x64x320-320", .sizes = BENCH_FULL, .n = {64, 64, 320, 320}, .text = "of Stable Diffusion's U-Net"},
    {.name = "32x32x640-640", .sizes = BENCH_FULL, .n = {32, 32, 640, 640}, .text = "of Stable Diffusion's U-Net"},
    {.name = "56x56x64-64", .sizes = BENCH_FULL, .n = {56, 56, 64, 64}, .text = "of ResNet-50"},
};

static void fill(struct bench_array *array, const char *name, size_t count, int most, uint64_t seed)
{
    int32_t *numbers = bench_array_make(array, name, BENCH_I32, count);
    for (size_t i = 0; i < count; i++)
        numbers[i] = (int)(bench_random(&seed) % (2 * (unsigned)most + 1)) - most;
}

static void prepare(struct bench_problem *problem)
{
    enum { MOST = 2048 };
    const size_t *n = problem->input->n;
    for (int i = 0; i < 4; i++)
        if (n[i] < 1 || n[i] > MOST)
            bench_skip("width, height, channels and outputs are 1 to %d, not %zu", MOST, n[i]);
    if (n[WIDTH] % PIXELS || n[HEIGHT] % ROWS || n[CHANNELS] % BLOCK || n[OUTPUTS] % (TILES * MOST_LANES))
        bench_skip("width must be a multiple of %d, height of %d, channels of %d, outputs of %d", PIXELS, ROWS, BLOCK,
                   TILES * MOST_LANES);
    fill(&problem->in[IN], "in", n[WIDTH] * n[HEIGHT] * n[CHANNELS], 4, 1);
    fill(&problem->in[WEIGHTS], "weights", n[OUTPUTS] * n[CHANNELS] * PLACES, 2, 2);
    fill(&problem->in[BIAS], "bias", n[OUTPUTS], 8, 3);
}

/* Adds to the row of an output what a row of a channel gives for a row of the window. */
static void add_row(int32_t *sum, const int32_t *in, const int32_t *weights, size_t width)
{
    for (size_t x = 0; x < width; x++)
        sum[x] += weights[1] * in[x] + (x ? weights[0] * in[x - 1] : 0) + (x + 1 < width ? weights[2] * in[x + 1] : 0);
}

/* Sums of integers, rounded to half. */
static void reference(struct bench_problem *problem)
{
    const size_t *n = problem->input->n, width = n[WIDTH], height = n[HEIGHT];
    const int32_t *in = problem->in[IN].data, *weights = problem->in[WEIGHTS].data, *bias = problem->in[BIAS].data;
    float *out = bench_array_make(&problem->expected[0], "out", BENCH_F32, n[OUTPUTS] * height * width);
    struct bench_array row = {0};
    int32_t *sum = bench_array_make(&row, "row", BENCH_I32, width);
    for (size_t o = 0; o < n[OUTPUTS]; o++)
        for (size_t y = 0; y < height; y++) {
            for (size_t x = 0; x < width; x++)
                sum[x] = bias[o];
            for (size_t c = 0; c < n[CHANNELS]; c++)
                for (size_t dy = 0; dy < 3; dy++)
                    if (y + dy >= 1 && y + dy <= height)
                        add_row(sum, in + (c * height + y + dy - 1) * width,
                                weights + (o * n[CHANNELS] + c) * PLACES + dy * 3, width);
            for (size_t x = 0; x < width; x++)
                out[(o * height + y) * width + x] = (float)number_of_half(half_of(sum[x]));
        }
}

static void put(uint32_t *words, size_t at, int32_t number)
{
    words[at / 2] |= (uint32_t)half_of(number) << at % 2 * 16;
}

/* The input with its frame. */
static cmrt_buffer *pack_in(struct bench_run *run, const struct bench_problem *problem)
{
    const size_t *n = problem->input->n, width = n[WIDTH], height = n[HEIGHT];
    const int32_t *in = problem->in[IN].data;
    struct bench_array packed = {0};
    uint32_t *to = bench_array_make(&packed, "packed input", BENCH_U32, n[CHANNELS] * (height + 2) * (width + 2) / 2);
    for (size_t c = 0; c < n[CHANNELS]; c++)
        for (size_t y = 0; y < height; y++)
            for (size_t x = 0; x < width; x++)
                put(to, ((c / BLOCK * (height + 2) + y + 1) * (width + 2) + x + 1) * BLOCK + c % BLOCK,
                    in[(c * height + y) * width + x]);
    return bench_buffer_of(run, &packed);
}

/* Panels of four tiles of outputs; in each the blocks of channels; in each the columns of the window, their rows, the
 * tiles: eight rows of a dword for each output. */
static cmrt_buffer *pack_weights(struct bench_run *run, const struct bench_problem *problem, size_t lanes)
{
    const size_t *n = problem->input->n, width = TILES * lanes, blocks = n[CHANNELS] / BLOCK;
    const int32_t *weights = problem->in[WEIGHTS].data;
    struct bench_array packed = {0};
    uint32_t *to = bench_array_make(&packed, "packed weights", BENCH_U32, n[OUTPUTS] * n[CHANNELS] * PLACES / 2);
    for (size_t o = 0; o < n[OUTPUTS]; o++)
        for (size_t c = 0; c < n[CHANNELS]; c++)
            for (size_t place = 0; place < PLACES; place++) {
                size_t step = (o / width * blocks + c / BLOCK) * PLACES + place % 3 * 3 + place / 3;
                size_t tile = step * TILES + o % width / lanes;
                put(to, ((tile * BLOCK + c % BLOCK) / 2 * lanes + o % lanes) * 2 + c % 2,
                    weights[(o * n[CHANNELS] + c) * PLACES + place]);
            }
    return bench_buffer_of(run, &packed);
}

/* Launches groups of `items` that compute `rows` rows of eight pixels and `tiles` tiles of outputs each. */
static void launch(struct bench_run *run, struct bench_problem *problem, const char *kernel, size_t rows, size_t tiles)
{
    const size_t *n = problem->input->n, lanes = bench_matrix_columns(run), pixels = n[WIDTH] * n[HEIGHT];
    size_t items = problem->variant->language == BENCH_CM ? 1 : lanes;
    struct bench_array bias = {0}, halves = {0};
    const int32_t *bias_from = problem->in[BIAS].data;
    float *bias_to = bench_array_make(&bias, "bias", BENCH_F32, n[OUTPUTS]), *result = problem->result[0].data;
    const uint32_t *words = bench_array_make(&halves, "halves", BENCH_U32, n[OUTPUTS] * pixels / 2);
    for (size_t i = 0; i < n[OUTPUTS]; i++)
        bias_to[i] = (float)bias_from[i];
    cmrt_buffer *out = bench_buffer(run, NULL, n[OUTPUTS] * pixels * 2);
    bench_launch(run, kernel,
                 BENCH_GRID(n[WIDTH] / PIXELS, n[HEIGHT] / rows, n[OUTPUTS] / (tiles * lanes), items, 1, 1),
                 BENCH_BUFFER(pack_in(run, problem)), BENCH_BUFFER(pack_weights(run, problem, lanes)),
                 BENCH_BUFFER(bench_buffer_of(run, &bias)), BENCH_BUFFER(out), BENCH_U32(n[CHANNELS] / BLOCK),
                 BENCH_U32(n[WIDTH]), BENCH_U32(n[HEIGHT] + 2));
    bench_read_array(run, out, &halves);
    for (size_t o = 0; o < n[OUTPUTS]; o++)
        for (size_t i = 0; i < pixels; i++) {
            size_t at = (o / BLOCK * pixels + i) * BLOCK + o % BLOCK;
            result[o * pixels + i] = (float)number_of_half((uint16_t)(words[at / 2] >> at % 2 * 16));
        }
}

static void run_cm(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "conv_gemm", ROWS, TILES);
}

static void run_4x4(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, problem->variant->name, ROWS, TILES);
}

static void run_4x2(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "tile_4x2", ROWS, 2);
}

static void run_2x2(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "tile_2x2", 2, 2);
}

static const struct bench_variant variants[] = {
    {.name = "cm",
     .language = BENCH_CM,
     .options = "-Qxcm_register_file_size=256",
     .run = run_cm,
     .text = "four rows of eight pixels, four tiles of outputs"},
    {.name = "tile_4x4",
     .language = BENCH_CL,
     .options = "-cl-intel-256-GRF-per-thread",
     .run = run_4x4,
     .text = "the same, six rows of input in registers"},
    {.name = "tile_4x4_again",
     .language = BENCH_CL,
     .options = "-cl-intel-256-GRF-per-thread",
     .run = run_4x4,
     .text = "the same, reads the rows for each place of the window"},
    {.name = "tile_4x2",
     .language = BENCH_CL,
     .options = "-cl-intel-256-GRF-per-thread",
     .run = run_4x2,
     .text = "two tiles of outputs"},
    {.name = "tile_2x2", .language = BENCH_CL, .run = run_2x2, .text = "two rows, two tiles, 128 registers"},
};

const struct workload workload_conv_gemm = {
    .name = "conv_gemm",
    .title = "3x3 convolution as a product of matrices",
    .needs = BENCH_NEEDS_MATRIX,
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .size_names = "width x height x channels x outputs",
    .prepare = prepare,
    .reference = reference,
};
