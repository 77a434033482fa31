/* C = A * B by the systolic array: halves, bf16, bytes and tf32, which are small and whole, so that every sum is exact
 * in any order. A and B are packed into the tiles of the array, as libraries pack weights: panels of 32 rows of A and
 * of four tiles of columns of B, in each the tiles of one step of depth after the other. A tile of A has 8 rows of 8
 * dwords, one of B 8 rows of as many dwords as the array has columns; a dword holds neighbours in depth. */
#include <stdio.h>
#include "benchmarks/harness/workload.h"

enum { LEFT, RIGHT };            /* problem->in: unpacked numbers, row by row */
enum { HALF, BF16, INT8, TF32 }; /* input->kind */
enum { ROWS, COLUMNS, DEPTH };   /* input->n */
enum { PANEL_TILES = 4, TILE_ROWS = 8, TILE_DEPTH = 8, PANEL_ROWS = PANEL_TILES * TILE_ROWS, MOST_LANES = 16 };

static const char *const types[] = {"half", "bf16", "int8", "tf32"};

static const struct bench_input inputs[] = {
    {.name = "32x64x64-half", .sizes = BENCH_TINY, .n = {32, 64, 64}, .kind = HALF, .text = "whole numbers, -8 to 7"},
    {.name = "64x128x96-bf16", .sizes = BENCH_TINY, .n = {64, 128, 96}, .kind = BF16, .text = "whole numbers, -8 to 7"},
    {.name = "96x64x160-int8", .sizes = BENCH_TINY, .n = {96, 64, 160}, .kind = INT8, .text = "whole numbers, -8 to 7"},
    {.name = "64x64x40-tf32",
     .sizes = BENCH_TINY,
     .n = {64, 64, 40},
     .kind = TF32,
     .needs = BENCH_NEEDS_TF32,
     .text = "whole numbers, -8 to 7"},
    {.name = "64x512x1024-half", .sizes = BENCH_SMALL, .n = {64, 512, 1024}, .kind = HALF, .text = "small"},
    {.name = "64x512x1024-bf16", .sizes = BENCH_SMALL, .n = {64, 512, 1024}, .kind = BF16, .text = "small"},
    {.name = "64x512x1024-int8", .sizes = BENCH_SMALL, .n = {64, 512, 1024}, .kind = INT8, .text = "small"},
    {.name = "64x512x1024-tf32",
     .sizes = BENCH_SMALL,
     .n = {64, 512, 1024},
     .kind = TF32,
     .needs = BENCH_NEEDS_TF32,
     .text = "small"},
    {.name = "256x4096x4096-half",
     .sizes = BENCH_FULL,
     .n = {256, 4096, 4096},
     .kind = HALF,
     .text = "256 tokens and a projection of a model with 7 billion weights"},
    {.name = "256x4096x4096-int8",
     .sizes = BENCH_FULL,
     .n = {256, 4096, 4096},
     .kind = INT8,
     .text = "the same, bytes"},
    {.name = "256x4096x4096-bf16", .sizes = BENCH_FULL, .n = {256, 4096, 4096}, .kind = BF16, .text = "the same, bf16"},
    {.name = "256x4096x4096-tf32",
     .sizes = BENCH_FULL,
     .n = {256, 4096, 4096},
     .kind = TF32,
     .needs = BENCH_NEEDS_TF32,
     .text = "the same, tf32"},
};

static void fill(struct bench_array *array, const char *name, size_t count, uint64_t seed)
{
    int32_t *numbers = bench_array_make(array, name, BENCH_I32, count);
    for (size_t i = 0; i < count; i++)
        numbers[i] = (int)(bench_random(&seed) >> 28) - 8;
}

/* Returns how many numbers a dword holds. */
static size_t in_dword(const struct bench_input *input)
{
    return input->kind == INT8 ? 4 : input->kind == TF32 ? 1 : 2;
}

static void prepare(struct bench_problem *problem)
{
    enum { MOST = 16384 };
    const size_t *n = problem->input->n, step = TILE_DEPTH * in_dword(problem->input);
    for (int i = 0; i < 3; i++)
        if (n[i] < 1 || n[i] > MOST)
            bench_skip("rows, columns and depth are 1 to %d, not %zu", MOST, n[i]);
    if (n[ROWS] % PANEL_ROWS || n[COLUMNS] % (PANEL_TILES * MOST_LANES) || n[DEPTH] % step)
        bench_skip("rows must be a multiple of %d, columns of %d, the depth of %zu", PANEL_ROWS,
                   PANEL_TILES * MOST_LANES, step);
    fill(&problem->in[LEFT], "left", n[ROWS] * n[DEPTH], 1);
    fill(&problem->in[RIGHT], "right", n[DEPTH] * n[COLUMNS], 2);
}

/* Sums in double, exactly. */
static void reference(struct bench_problem *problem)
{
    const size_t *n = problem->input->n;
    const int32_t *left = problem->in[LEFT].data, *right = problem->in[RIGHT].data;
    int bytes = problem->input->kind == INT8;
    void *out = bench_array_make(&problem->expected[0], "out", bytes ? BENCH_I32 : BENCH_F32, n[ROWS] * n[COLUMNS]);
    struct bench_array sums = {0};
    double *row = bench_array_make(&sums, "sums", BENCH_F64, n[COLUMNS]);
    for (size_t y = 0; y < n[ROWS]; y++) {
        for (size_t x = 0; x < n[COLUMNS]; x++)
            row[x] = 0;
        for (size_t k = 0; k < n[DEPTH]; k++)
            for (size_t x = 0; x < n[COLUMNS]; x++)
                row[x] += (double)left[y * n[DEPTH] + k] * right[k * n[COLUMNS] + x];
        for (size_t x = 0; x < n[COLUMNS]; x++)
            if (bytes)
                ((int32_t *)out)[y * n[COLUMNS] + x] = (int32_t)row[x];
            else
                ((float *)out)[y * n[COLUMNS] + x] = (float)row[x];
    }
}

/* Returns the bits of a whole number from -8 to 7 as an element of the type. */
static uint32_t bits_of(int number, int kind)
{
    union {
        float number;
        uint32_t bits;
    } as = {.number = (float)number};
    if (kind == INT8)
        return (uint8_t)number;
    if (kind == TF32)
        return as.bits;
    if (kind == BF16 || number == 0)
        return as.bits >> 16;
    enum { BIAS = 127 - 15 };
    return (as.bits >> 16 & 0x8000) | ((as.bits >> 23 & 0xff) - BIAS) << 10 | (as.bits >> 13 & 0x3ff);
}

/* Returns the dword of `count` numbers that are `step` apart. */
static uint32_t dword_of(const int32_t *from, size_t step, size_t count, int kind)
{
    uint32_t dword = 0;
    for (unsigned i = 0; i < count; i++)
        dword |= bits_of(from[i * step], kind) << 32 / (unsigned)count * i;
    return dword;
}

static cmrt_buffer *pack_left(struct bench_run *run, const struct bench_problem *problem, size_t steps)
{
    const size_t *n = problem->input->n, each = in_dword(problem->input);
    const int32_t *from = problem->in[LEFT].data;
    struct bench_array packed = {0};
    uint32_t *to = bench_array_make(&packed, "packed left", BENCH_U32, n[ROWS] * steps * TILE_DEPTH);
    for (size_t panel = 0; panel < n[ROWS] / PANEL_ROWS; panel++)
        for (size_t step = 0; step < steps; step++)
            for (size_t row = 0; row < PANEL_ROWS; row++)
                for (size_t k = 0; k < TILE_DEPTH; k++)
                    *to++ = dword_of(from + (panel * PANEL_ROWS + row) * n[DEPTH] + (step * TILE_DEPTH + k) * each, 1,
                                     each, problem->input->kind);
    return bench_buffer_of(run, &packed);
}

static cmrt_buffer *pack_right(struct bench_run *run, const struct bench_problem *problem, size_t steps, size_t lanes)
{
    const size_t *n = problem->input->n, each = in_dword(problem->input), width = PANEL_TILES * lanes;
    const int32_t *from = problem->in[RIGHT].data;
    struct bench_array packed = {0};
    uint32_t *to = bench_array_make(&packed, "packed right", BENCH_U32, n[COLUMNS] * steps * TILE_DEPTH);
    for (size_t panel = 0; panel < n[COLUMNS] / width; panel++)
        for (size_t step = 0; step < steps; step++)
            for (size_t tile = 0; tile < PANEL_TILES; tile++)
                for (size_t k = 0; k < TILE_DEPTH; k++)
                    for (size_t x = 0; x < lanes; x++)
                        *to++ = dword_of(from + (step * TILE_DEPTH + k) * each * n[COLUMNS] + panel * width +
                                             tile * lanes + x,
                                         n[COLUMNS], each, problem->input->kind);
    return bench_buffer_of(run, &packed);
}

/* Launches groups that compute `rows` rows and `tiles` tiles of columns each. */
static void launch(struct bench_run *run, struct bench_problem *problem, const char *kernel, size_t rows, size_t tiles)
{
    char name[64];
    const size_t *n = problem->input->n, lanes = bench_matrix_columns(run),
                 steps = n[DEPTH] / in_dword(problem->input) / TILE_DEPTH;
    uint32_t items = problem->variant->language == BENCH_CM ? 1 : (uint32_t)lanes;
    cmrt_buffer *left = pack_left(run, problem, steps), *right = pack_right(run, problem, steps, lanes),
                *out = bench_buffer(run, NULL, n[ROWS] * n[COLUMNS] * 4);
    snprintf(name, sizeof name, "%s_%s", kernel, types[problem->input->kind]);
    bench_launch(run, name, BENCH_GRID(n[COLUMNS] / (tiles * lanes), n[ROWS] / rows, 1, items, 1, 1),
                 BENCH_BUFFER(left), BENCH_BUFFER(right), BENCH_BUFFER(out), BENCH_U32(steps), BENCH_U32(n[COLUMNS]));
    bench_read_array(run, out, &problem->result[0]);
}

static void run_cm(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "matmul", PANEL_ROWS, PANEL_TILES);
}

static void run_8x1(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "tile_8x1", 8, 1);
}

static void run_16x2(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "tile_16x2", 16, 2);
}

static void run_32x2(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "tile_32x2", 32, 2);
}

static void run_32x4(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "tile_32x4", 32, 4);
}

static void run_block(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "block_32x4", 32, 4);
}

static void run_twice(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "block_twice", 32, 4);
}

static const struct bench_variant variants[] = {
    {.name = "cm",
     .language = BENCH_CM,
     .options = "-Qxcm_register_file_size=256",
     .run = run_cm,
     .text = "32 rows of four tiles in registers, blocks of 512 bytes"},
    {.name = "tile_8x1", .language = BENCH_CL, .run = run_8x1, .text = "one product a step in a sub-group"},
    {.name = "tile_16x2", .language = BENCH_CL, .run = run_16x2, .text = "four products a step"},
    {.name = "tile_32x2", .language = BENCH_CL, .run = run_32x2, .text = "eight products a step"},
    {.name = "tile_32x4",
     .language = BENCH_CL,
     .options = "-cl-intel-256-GRF-per-thread",
     .run = run_32x4,
     .text = "sixteen products a step, 256 registers"},
    {.name = "block_32x4",
     .language = BENCH_CL,
     .options = "-cl-intel-256-GRF-per-thread",
     .needs = BENCH_NEEDS_NEWEST,
     .run = run_block,
     .text = "the same by 2D blocks"},
    {.name = "block_twice",
     .language = BENCH_CL,
     .options = "-cl-intel-256-GRF-per-thread",
     .needs = BENCH_NEEDS_NEWEST,
     .run = run_twice,
     .text = "the same, two steps in a loop"},
};

const struct workload workload_matmul = {
    .name = "matmul",
    .title = "systolic matrix product",
    .needs = BENCH_NEEDS_MATRIX,
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .published = {.low = 1.09, .high = 1.09, .text = "table I"},
    .size_names = "rows x columns x depth",
    .prepare = prepare,
    .reference = reference,
};
