/* DGEMM: C = alpha * A * B + beta * C. The numbers are small and whole, so every sum is exact in any order. */
#include "benchmarks/harness/workload.h"

enum { A, B, C }; /* problem->in */

static const double alpha = 2.0, beta = 0.5;

static const struct bench_input inputs[] = {
    {.name = "45x77x29", .sizes = BENCH_TINY, .n = {45, 77, 29}, .text = "whole numbers from -8 to 7"},
    {.name = "64x64x32", .sizes = BENCH_TINY, .n = {64, 64, 32}, .text = "the same"},
    {.name = "256x256x256", .sizes = BENCH_SMALL | BENCH_FULL, .n = {256, 256, 256}, .text = "the same"},
    {.name = "255x257x253", .sizes = BENCH_SMALL | BENCH_FULL, .n = {255, 257, 253}, .text = "the same"},
    {.name = "384x384x384", .sizes = BENCH_FULL, .n = {384, 384, 384}, .text = "the same"},
    {.name = "512x512x512", .sizes = BENCH_FULL, .n = {512, 512, 512}, .text = "the same"},
};

static void fill(struct bench_array *array, const char *name, size_t count, uint64_t seed)
{
    double *numbers = bench_array_make(array, name, BENCH_F64, count);
    for (size_t i = 0; i < count; i++)
        numbers[i] = (int)(bench_random(&seed) >> 28) - 8;
}

static void prepare(struct bench_problem *problem)
{
    const size_t *n = problem->input->n;
    for (int i = 0; i < 3; i++)
        if (n[i] < 16 || n[i] > 8192) /* an image is at least as large as the blocks that are read from it */
            bench_skip("rows, columns and depth are 16 to 8192, not %zu", n[i]);
    fill(&problem->in[A], "A", n[0] * n[2], 1);
    fill(&problem->in[B], "B", n[2] * n[1], 2);
    fill(&problem->in[C], "C", n[0] * n[1], 3);
}

static void reference(struct bench_problem *problem)
{
    size_t rows = problem->input->n[0], columns = problem->input->n[1], depth = problem->input->n[2];
    const double *a = problem->in[A].data, *b = problem->in[B].data, *c = problem->in[C].data;
    double *expected = bench_array_make(&problem->expected[0], "C", BENCH_F64, rows * columns);
    for (size_t i = 0; i < rows; i++) {
        double *row = expected + i * columns;
        for (size_t k = 0; k < depth; k++)
            for (size_t j = 0; j < columns; j++)
                row[j] += a[i * depth + k] * b[k * columns + j];
        for (size_t j = 0; j < columns; j++)
            row[j] = alpha * row[j] + beta * c[i * columns + j];
    }
}

/* A double is two elements of an image. */
static cmrt_image *image(struct bench_run *run, const struct bench_array *array, size_t width, size_t height,
                         enum cmrt_access access)
{
    return bench_image(run, width * 2, height, CMRT_FORMAT_R32U, access, array->data);
}

static void run_cm(struct bench_run *run, struct bench_problem *problem)
{
    size_t rows = problem->input->n[0], columns = problem->input->n[1], depth = problem->input->n[2];
    cmrt_image *a = image(run, &problem->in[A], depth, rows, CMRT_READ);
    cmrt_image *b = image(run, &problem->in[B], columns, depth, CMRT_READ);
    cmrt_image *c = image(run, &problem->in[C], columns, rows, CMRT_READ_WRITE);
    bench_launch(run, "dgemm", BENCH_GRID((columns + 31) / 32, (rows + 7) / 8, 1, 1, 1, 1), BENCH_IMAGE(a),
                 BENCH_IMAGE(b), BENCH_IMAGE(c), BENCH_U32(depth), BENCH_F64(alpha), BENCH_F64(beta));
    bench_read_image(run, c, problem->result[0].data);
}

static void launch_buffers(struct bench_run *run, struct bench_problem *problem, struct bench_grid grid)
{
    const size_t *n = problem->input->n;
    cmrt_buffer *a = bench_buffer_of(run, &problem->in[A]), *b = bench_buffer_of(run, &problem->in[B]);
    cmrt_buffer *c = bench_buffer_of(run, &problem->in[C]);
    bench_launch(run, problem->variant->name, grid, BENCH_BUFFER(a), BENCH_BUFFER(b), BENCH_BUFFER(c), BENCH_U32(n[0]),
                 BENCH_U32(n[1]), BENCH_U32(n[2]), BENCH_F64(alpha), BENCH_F64(beta));
    bench_read_array(run, c, &problem->result[0]);
}

static void run_naive(struct bench_run *run, struct bench_problem *problem)
{
    const size_t *n = problem->input->n;
    launch_buffers(run, problem, BENCH_GRID((n[1] + 15) / 16, (n[0] + 15) / 16, 1, 16, 16, 1));
}

static void run_tiles(struct bench_run *run, struct bench_problem *problem, size_t tile_rows, size_t tile_columns)
{
    const size_t *n = problem->input->n, step = 8;
    if (n[0] % tile_rows || n[1] % tile_columns || n[2] % step)
        bench_skip("rows, columns and depth must be multiples of %zu, %zu and %zu", tile_rows, tile_columns, step);
    launch_buffers(run, problem, BENCH_GRID(n[1] / tile_columns, n[0] / tile_rows, 1, 8, 1, 1));
}

static void run_8x4(struct bench_run *run, struct bench_problem *problem)
{
    run_tiles(run, problem, 8, 32);
}

static void run_16x2(struct bench_run *run, struct bench_problem *problem)
{
    run_tiles(run, problem, 16, 16);
}

static void run_8x2(struct bench_run *run, struct bench_problem *problem)
{
    run_tiles(run, problem, 8, 16);
}

static const struct bench_variant variants[] = {
    {.name = "cm", .language = BENCH_CM, .run = run_cm, .text = "8x32 sums in registers, block reads"},
    {.name = "naive", .language = BENCH_CL, .run = run_naive, .text = "a sum a work item"},
    {.name = "L3_SIMD_8x4_1x8", .language = BENCH_CL, .run = run_8x4, .text = "rows by sub-group reads"},
    {.name = "L3_SIMD_16x2_1x8", .language = BENCH_CL, .run = run_16x2, .text = "the same"},
    {.name = "L3_SIMD_8x2_1x8", .language = BENCH_CL, .run = run_8x2, .text = "the same"},
};

const struct workload workload_dgemm = {
    .name = "dgemm",
    .title = "DGEMM",
    .needs = BENCH_NEEDS_MEDIA_BLOCKS | BENCH_NEEDS_DOUBLE,
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .published = {.low = 1.085, .high = 1.085, .text = "section VI: 8.5%"},
    .size_names = "rows x columns x depth",
    .prepare = prepare,
    .reference = reference,
};
