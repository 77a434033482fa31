/* 3x3 convolution, stride 1, padding 1: out[k][y][x] = max(0, bias[k] + sum of weights[k][c][dy][dx] * in[c][y + dy -
 * 1][x + dx - 1]). The numbers are small and whole, so every sum is exact in any order. */
#include "benchmarks/harness/workload.h"

#include <math.h>
#include <string.h>

enum { IN, WEIGHTS, BIAS };       /* problem->in, laid out as conv3x3.cl says */
enum { BLOCK = 16, ROWS = 4 };    /* output channels side by side; the rows of a tile that is not tuned, at most */
enum { TILE_ROWS, TILE_COLUMNS }; /* what `cmbench tune` chooses */

/* n: width and height of the picture, input channels, output channels */
static const struct bench_input inputs[] = {
    {.name = "9x7x16-32", .sizes = BENCH_TINY, .n = {9, 7, 16, 32}, .text = "whole numbers from -8 to 7"},
    {.name = "28x6x8-16", .sizes = BENCH_TINY, .n = {28, 6, 8, 16}, .text = "the same"},
    {.name = "14x14x256-256", .sizes = BENCH_FULL, .n = {14, 14, 256, 256}, .text = "of ResNet-50"},
    {.name = "28x28x128-32",
     .sizes = BENCH_SMALL,
     .n = {28, 28, 128, 32},
     .text = "of ResNet-50, a quarter of the outputs"},
    {.name = "7x7x512-128",
     .sizes = BENCH_SMALL,
     .n = {7, 7, 512, 128},
     .text = "of ResNet-50, a quarter of the outputs"},
    {.name = "56x56x64-64", .sizes = BENCH_FULL, .n = {56, 56, 64, 64}, .text = "of ResNet-50"},
    {.name = "28x28x128-128", .sizes = BENCH_FULL, .n = {28, 28, 128, 128}, .text = "of ResNet-50"},
    {.name = "7x7x512-512", .sizes = BENCH_FULL, .n = {7, 7, 512, 512}, .text = "of ResNet-50"},
};

static float small_number(uint64_t *state)
{
    return (float)((int)(bench_random(state) >> 28) - 8);
}

static void prepare(struct bench_problem *problem)
{
    size_t width = problem->input->n[0], height = problem->input->n[1];
    size_t channels = problem->input->n[2], outputs = problem->input->n[3];
    uint64_t state = 1;
    if (width < 1 || width > 1000 || height < 1 || height > 1000 || channels < 1 || channels > 1024 || outputs < 1 ||
        outputs > 1024)
        bench_skip("width and height are 1 to 1000, channels 1 to 1024");
    if (outputs % BLOCK)
        bench_skip("output channels must be a multiple of %d, not %zu", BLOCK, outputs);
    if (channels * (height + 2) > 16000 || channels * 9 > 16000)
        bench_skip("more rows than an image has");
    float *in = bench_array_make(&problem->in[IN], "in", BENCH_F32, channels * (height + 2) * (width + 2));
    for (size_t c = 0; c < channels; c++)
        for (size_t y = 1; y <= height; y++)
            for (size_t x = 1; x <= width; x++)
                in[(c * (height + 2) + y) * (width + 2) + x] = small_number(&state);
    float *weights = bench_array_make(&problem->in[WEIGHTS], "weights", BENCH_F32, outputs * channels * 9);
    for (size_t i = 0; i < outputs * channels * 9; i++)
        weights[i] = small_number(&state);
    float *bias = bench_array_make(&problem->in[BIAS], "bias", BENCH_F32, outputs);
    for (size_t i = 0; i < outputs; i++)
        bias[i] = small_number(&state);
}

static void reference(struct bench_problem *problem)
{
    size_t width = problem->input->n[0], height = problem->input->n[1];
    size_t channels = problem->input->n[2], outputs = problem->input->n[3];
    const float *in = problem->in[IN].data, *weights = problem->in[WEIGHTS].data, *bias = problem->in[BIAS].data;
    float *out = bench_array_make(&problem->expected[0], "out", BENCH_F32, outputs * height * width);
    for (size_t b = 0; b < outputs / BLOCK; b++)
        for (size_t y = 0; y < height; y++)
            for (size_t x = 0; x < width; x++, out += BLOCK) {
                for (size_t k = 0; k < BLOCK; k++)
                    out[k] = bias[b * BLOCK + k];
                for (size_t c = 0; c < channels; c++)
                    for (size_t t = 0; t < 9; t++) {
                        float pixel = in[(c * (height + 2) + y + t / 3) * (width + 2) + x + t % 3];
                        const float *factors = weights + ((b * channels + c) * 9 + t) * BLOCK;
                        for (size_t k = 0; k < BLOCK; k++)
                            out[k] += factors[k] * pixel;
                    }
                for (size_t k = 0; k < BLOCK; k++)
                    out[k] = out[k] > 0 ? out[k] : 0;
            }
}

/* The number of rows of a block of output channels that the kernels write: whole tiles. */
static size_t pitch_of(const struct bench_problem *problem)
{
    size_t rows = problem->variant->values ? (size_t)problem->variant->values[TILE_ROWS] : ROWS;
    return (problem->input->n[1] + rows - 1) / rows * rows;
}

/* Copies the result's rows from those that were written. */
static void crop(struct bench_problem *problem, const float *from)
{
    size_t row = problem->input->n[0] * BLOCK, height = problem->input->n[1];
    float *to = problem->result[0].data;
    for (size_t b = 0; b < problem->input->n[3] / BLOCK; b++)
        for (size_t i = 0; i < height * row; i++)
            *to++ = from[b * pitch_of(problem) * row + i];
}

/* [block of outputs][channel][tap][output] to [channel][tap][all outputs], the rows of an image. */
static void *image_rows(const struct bench_problem *problem)
{
    size_t rows = problem->input->n[2] * 9, outputs = problem->input->n[3];
    const float *from = problem->in[WEIGHTS].data;
    struct bench_array array;
    float *to = bench_array_make(&array, "rows of weights", BENCH_F32, rows * outputs);
    for (size_t k = 0; k < outputs; k++)
        for (size_t row = 0; row < rows; row++)
            to[row * outputs + k] = from[(k / BLOCK * rows + row) * BLOCK + k % BLOCK];
    return to;
}

/* A block is sixteen pixels wide; an image must be as wide. */
static size_t row_of(const struct bench_problem *problem)
{
    size_t row = problem->input->n[0] + 2;
    return row < BLOCK ? BLOCK : row;
}

static void *wide_rows(const struct bench_problem *problem)
{
    size_t row = problem->input->n[0] + 2, rows = problem->input->n[2] * (problem->input->n[1] + 2);
    struct bench_array array;
    float *to = bench_array_make(&array, "wide rows", BENCH_F32, rows * row_of(problem));
    for (size_t y = 0; y < rows; y++)
        memcpy(to + y * row_of(problem), (const float *)problem->in[IN].data + y * row, row * sizeof *to);
    return to;
}

/* A thread's tile has rows x columns pixels. */
static void run_tiles(struct bench_run *run, struct bench_problem *problem, const char *kernel, size_t rows,
                      size_t columns)
{
    size_t width = problem->input->n[0], height = problem->input->n[1], pitch = pitch_of(problem);
    size_t channels = problem->input->n[2], blocks = problem->input->n[3] / BLOCK;
    struct bench_array written;
    cmrt_image *in =
        bench_image(run, row_of(problem), channels * (height + 2), CMRT_FORMAT_R32F, CMRT_READ, wide_rows(problem));
    cmrt_image *weights =
        bench_image(run, blocks * BLOCK, channels * 9, CMRT_FORMAT_R32F, CMRT_READ, image_rows(problem));
    cmrt_image *out = bench_image(run, width * BLOCK, blocks * pitch, CMRT_FORMAT_R32F, CMRT_WRITE, NULL);
    cmrt_buffer *bias = bench_buffer_of(run, &problem->in[BIAS]);
    bench_launch(run, kernel, BENCH_GRID((width + columns - 1) / columns, (height + rows - 1) / rows, blocks, 1, 1, 1),
                 BENCH_IMAGE(in), BENCH_IMAGE(weights), BENCH_BUFFER(bias), BENCH_IMAGE(out), BENCH_U32(channels),
                 BENCH_U32(height + 2), BENCH_U32(pitch));
    bench_read_image(run, out, bench_array_make(&written, "written", BENCH_F32, blocks * pitch * width * BLOCK));
    crop(problem, written.data);
}

static void run_cm(struct bench_run *run, struct bench_problem *problem)
{
    if (problem->input->n[0] % 14 == 0)
        run_tiles(run, problem, "conv3x3_2x14", 2, 14);
    else
        run_tiles(run, problem, "conv3x3_4x7", 4, 7);
}

static void tune_cm(struct bench_run *run, struct bench_problem *problem)
{
    const int *v = problem->variant->values;
    run_tiles(run, problem, "conv3x3", (size_t)v[TILE_ROWS], (size_t)v[TILE_COLUMNS]);
}

/* rows x columns: a sub-group's tile; 0: a work item has one result */
static void run_cl(struct bench_run *run, struct bench_problem *problem, const char *kernel, size_t rows,
                   size_t columns)
{
    enum { BEYOND = 8192 }; /* bytes that tiles across the edges read after the input: more than six rows */
    size_t width = problem->input->n[0], height = problem->input->n[1], pitch = pitch_of(problem);
    size_t channels = problem->input->n[2], blocks = problem->input->n[3] / BLOCK;
    size_t bytes = bench_array_bytes(&problem->in[IN]);
    struct bench_array written;
    if (width > 300)
        bench_skip("at most 300 columns");
    cmrt_buffer *in = bench_buffer(run, NULL, bytes + BEYOND), *weights = bench_buffer_of(run, &problem->in[WEIGHTS]);
    cmrt_buffer *bias = bench_buffer_of(run, &problem->in[BIAS]);
    bench_array_make(&written, "written", BENCH_F32, blocks * pitch * width * BLOCK);
    cmrt_buffer *out = bench_buffer(run, NULL, bench_array_bytes(&written));
    bench_write(run, in, 0, problem->in[IN].data, bytes);
    struct bench_grid grid =
        rows ? BENCH_GRID((width + columns - 1) / columns, (height + rows - 1) / rows, blocks, 16, 1, 1)
             : BENCH_GRID((width + 3) / 4, height, blocks, 64, 1, 1);
    bench_launch(run, kernel, grid, BENCH_BUFFER(in), BENCH_BUFFER(weights), BENCH_BUFFER(bias), BENCH_BUFFER(out),
                 BENCH_U32(channels), BENCH_U32(width + 2), BENCH_U32(height + 2), BENCH_U32(width), BENCH_U32(pitch));
    bench_read_array(run, out, &written);
    crop(problem, written.data);
}

static void run_naive(struct bench_run *run, struct bench_problem *problem)
{
    run_cl(run, problem, "naive", 0, 0);
}

static void run_4x7(struct bench_run *run, struct bench_problem *problem)
{
    run_cl(run, problem, "subgroup_4x7", 4, 7);
}

static void run_2x14(struct bench_run *run, struct bench_problem *problem)
{
    run_cl(run, problem, "subgroup_2x14", 2, 14);
}

static void run_2x7(struct bench_run *run, struct bench_problem *problem)
{
    run_cl(run, problem, "subgroup_2x7", 2, 7);
}

static const struct bench_variant variants[] = {
    {.name = "cm", .language = BENCH_CM, .run = run_cm, .text = "16 channels of 28 pixels in registers, block reads"},
    {.name = "naive", .language = BENCH_CL, .run = run_naive, .text = "a result a work item"},
    {.name = "subgroup_4x7", .language = BENCH_CL, .run = run_4x7, .text = "sub-group reads and broadcasts"},
    {.name = "subgroup_2x14", .language = BENCH_CL, .run = run_2x14, .text = "the same, another tile"},
    {.name = "subgroup_2x7", .language = BENCH_CL, .run = run_2x7, .text = "the same, a small tile"},
};

static void tune_subgroup(struct bench_run *run, struct bench_problem *problem)
{
    const int *v = problem->variant->values;
    run_cl(run, problem, "subgroup", (size_t)v[TILE_ROWS], (size_t)v[TILE_COLUMNS]);
}

static const char *refuses(const int *v)
{
    return v[TILE_ROWS] * v[TILE_COLUMNS] * 2 > 100 ? "the sums alone take nearly all registers" : NULL;
}

/* A multiply-add of 16 lanes takes two of an EU's clocks; a row of pixels or of weights is a line. */
static struct bench_work work(const struct bench_input *input, const int *v)
{
    double rows = v[TILE_ROWS], columns = v[TILE_COLUMNS], channels = (double)input->n[2];
    double down = (double)input->n[1] / rows, across = (double)input->n[0] / columns;
    return (struct bench_work){.threads = ceil(down) * ceil(across) * (double)input->n[3] / BLOCK,
                               .clocks = channels * 9 * rows * columns * 2,
                               .lines = channels * (rows + 2 + 9) + rows * columns};
}

static const struct bench_known known_cm[] = {{"2x14", {2, 14}}, {"4x7", {4, 7}}};
static const struct bench_known known_subgroup[] = {{"4x7", {4, 7}}, {"2x14", {2, 14}}, {"2x7", {2, 7}}};
#define TILES {BENCH_PARAMETER("TILE_ROWS", 1, 2, 3, 4), BENCH_PARAMETER("TILE_COLUMNS", 4, 5, 7, 8, 10, 12, 14)}

static const struct bench_family families[] = {
    {.name = "cm",
     .language = BENCH_CM,
     .parameters = TILES,
     .refuses = refuses,
     .work = work,
     .run = tune_cm,
     BENCH_KNOWN(known_cm),
     .text = "16 channels of a tile of pixels in registers, block reads"},
    {.name = "subgroup",
     .language = BENCH_CL,
     .parameters = TILES,
     .refuses = refuses,
     .work = work,
     .run = tune_subgroup,
     BENCH_KNOWN(known_subgroup),
     .text = "sub-group reads and broadcasts"},
};

const struct workload workload_conv3x3 = {
    .name = "conv3x3",
    .title = "convolution 3x3",
    .needs = BENCH_NEEDS_MEDIA_BLOCKS,
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .published = {.low = 1.3, .high = 1.3, .text = "table I"},
    .families = families,
    .family_count = sizeof families / sizeof *families,
    .tuned_input = "56x56x64-64",
    .size_names = "width x height x channels x output channels",
    .prepare = prepare,
    .reference = reference,
};
