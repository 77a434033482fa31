/* DGEMM: C = alpha * A * B + beta * C. The numbers are small and whole, so every sum is exact in any order. */
#define NUMBER      double
#define NUMBER_KIND BENCH_F64
#define DEPTH_STEP  8
#include "benchmarks/sgemm/matrices.h"

static const struct bench_input inputs[] = {
    {.name = "45x77x29", .sizes = BENCH_TINY, .n = {45, 77, 29}, .text = "whole numbers from -8 to 7"},
    {.name = "64x64x32", .sizes = BENCH_TINY, .n = {64, 64, 32}, .text = "the same"},
    {.name = "256x256x256", .sizes = BENCH_SMALL | BENCH_FULL, .n = {256, 256, 256}, .text = "the same"},
    {.name = "255x257x253", .sizes = BENCH_SMALL | BENCH_FULL, .n = {255, 257, 253}, .text = "the same"},
    {.name = "384x384x384", .sizes = BENCH_FULL, .n = {384, 384, 384}, .text = "the same"},
    {.name = "512x512x512", .sizes = BENCH_FULL, .n = {512, 512, 512}, .text = "the same"},
};

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
