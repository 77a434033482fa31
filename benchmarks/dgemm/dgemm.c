/* DGEMM: C = alpha * A * B + beta * C. The numbers are small and whole, so every sum is exact in any order. */
#include "benchmarks/harness/workload.h"

#include <string.h>

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

static void launch_buffers(struct bench_run *run, struct bench_problem *problem, const size_t n[3],
                           struct bench_array matrices[3], struct bench_grid grid)
{
    cmrt_buffer *a = bench_buffer_of(run, &matrices[A]), *b = bench_buffer_of(run, &matrices[B]);
    cmrt_buffer *c = bench_buffer_of(run, &matrices[C]);
    bench_launch(run, problem->variant->name, grid, BENCH_BUFFER(a), BENCH_BUFFER(b), BENCH_BUFFER(c), BENCH_U32(n[0]),
                 BENCH_U32(n[1]), BENCH_U32(n[2]), BENCH_F64(alpha), BENCH_F64(beta));
    bench_read_array(run, c, &matrices[C]);
}

/* Copies rows of `width` numbers, as many as fit, from one matrix to another with rows of another width. */
static void copy_rows(const struct bench_array *from, size_t from_width, struct bench_array *to, size_t to_width)
{
    size_t width = from_width < to_width ? from_width : to_width;
    for (size_t row = 0; (row + 1) * from_width <= from->count && (row + 1) * to_width <= to->count; row++)
        memcpy((double *)to->data + row * to_width, (const double *)from->data + row * from_width,
               width * sizeof(double));
}

static size_t round_up(size_t number, size_t unit)
{
    return (number + unit - 1) / unit * unit;
}

/* Kernels that take whole tiles only: the host pads with zeros. */
static void run_tiles(struct bench_run *run, struct bench_problem *problem, size_t group_rows, size_t group_columns,
                      uint32_t width, uint32_t height)
{
    enum { STEP = 8 };
    const size_t *n = problem->input->n;
    size_t padded[3] = {round_up(n[0], group_rows), round_up(n[1], group_columns), round_up(n[2], STEP)};
    struct bench_array matrices[3];
    bench_array_make(&matrices[A], "A", BENCH_F64, padded[0] * padded[2]);
    bench_array_make(&matrices[B], "B", BENCH_F64, padded[2] * padded[1]);
    bench_array_make(&matrices[C], "C", BENCH_F64, padded[0] * padded[1]);
    copy_rows(&problem->in[A], n[2], &matrices[A], padded[2]);
    copy_rows(&problem->in[B], n[1], &matrices[B], padded[1]);
    copy_rows(&problem->in[C], n[1], &matrices[C], padded[1]);
    launch_buffers(run, problem, padded, matrices,
                   BENCH_GRID(padded[1] / group_columns, padded[0] / group_rows, 1, width, height, 1));
    copy_rows(&matrices[C], padded[1], &problem->result[0], n[1]);
}

static void run_naive(struct bench_run *run, struct bench_problem *problem)
{
    const size_t *n = problem->input->n;
    struct bench_array matrices[3] = {problem->in[A], problem->in[B], problem->in[C]};
    matrices[C].data = problem->result[0].data; /* initially holds the kernel's input */
    memcpy(matrices[C].data, problem->in[C].data, bench_array_bytes(&problem->in[C]));
    launch_buffers(run, problem, n, matrices, BENCH_GRID((n[1] + 15) / 16, (n[0] + 15) / 16, 1, 16, 16, 1));
}

static void run_8x4(struct bench_run *run, struct bench_problem *problem)
{
    run_tiles(run, problem, 8, 32, 8, 1);
}

static void run_16x2(struct bench_run *run, struct bench_problem *problem)
{
    run_tiles(run, problem, 16, 16, 8, 1);
}

static void run_8x2(struct bench_run *run, struct bench_problem *problem)
{
    run_tiles(run, problem, 8, 16, 8, 1);
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
