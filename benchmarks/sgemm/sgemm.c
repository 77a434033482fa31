/* SGEMM: C = alpha * A * B + beta * C. The numbers are small and whole, so every sum is exact in any order. */
#define NUMBER      float
#define NUMBER_KIND BENCH_F32
#define DEPTH_STEP  16
#include "benchmarks/sgemm/matrices.h"

static const struct bench_input inputs[] = {
    {.name = "45x77x29", .sizes = BENCH_TINY, .n = {45, 77, 29}, .text = "whole numbers from -8 to 7"},
    {.name = "64x64x32", .sizes = BENCH_TINY, .n = {64, 64, 32}, .text = "the same"},
    {.name = "256x256x256", .sizes = BENCH_SMALL | BENCH_FULL, .n = {256, 256, 256}, .text = "the same"},
    {.name = "255x257x253", .sizes = BENCH_SMALL | BENCH_FULL, .n = {255, 257, 253}, .text = "the same"},
    {.name = "512x512x512", .sizes = BENCH_FULL, .n = {512, 512, 512}, .text = "the same"},
    {.name = "1000x999x1001", .sizes = BENCH_FULL, .n = {1000, 999, 1001}, .text = "the same"},
    {.name = "1024x1024x1024", .sizes = BENCH_FULL, .n = {1024, 1024, 1024}, .text = "the same"},
};

static cmrt_image *image(struct bench_run *run, const struct bench_array *array, size_t width, size_t height,
                         enum cmrt_access access)
{
    return bench_image(run, width, height, CMRT_FORMAT_R32F, access, array->data);
}

/* Kernels that take images: groups of `group_rows` x `group_columns` sums by `items` threads or work items. */
static void run_images(struct bench_run *run, struct bench_problem *problem, size_t group_rows, size_t group_columns,
                       uint32_t items)
{
    size_t rows = problem->input->n[0], columns = problem->input->n[1], depth = problem->input->n[2];
    cmrt_image *a = image(run, &problem->in[A], depth, rows, CMRT_READ);
    cmrt_image *b = image(run, &problem->in[B], columns, depth, CMRT_READ);
    cmrt_image *c = image(run, &problem->in[C], columns, rows, CMRT_READ_WRITE);
    struct bench_grid grid =
        BENCH_GRID((columns + group_columns - 1) / group_columns, (rows + group_rows - 1) / group_rows, 1, items, 1, 1);
    if (problem->variant->language == BENCH_CM)
        bench_launch(run, "sgemm", grid, BENCH_IMAGE(a), BENCH_IMAGE(b), BENCH_IMAGE(c), BENCH_U32(depth),
                     BENCH_F32(alpha), BENCH_F32(beta));
    else
        bench_launch(run, problem->variant->name, grid, BENCH_IMAGE(a), BENCH_IMAGE(b), BENCH_IMAGE(c), BENCH_IMAGE(c),
                     BENCH_U32(depth), BENCH_F32(alpha), BENCH_F32(beta));
    bench_read_image(run, c, problem->result[0].data);
}

static void run_cm(struct bench_run *run, struct bench_problem *problem)
{
    run_images(run, problem, 32, 16, 1);
}

static void run_slm(struct bench_run *run, struct bench_problem *problem)
{
    run_tiles(run, problem, 32, 64, 16, 8);
}

static void run_simd_16x2_1x8(struct bench_run *run, struct bench_problem *problem)
{
    run_tiles(run, problem, 16, 16, 8, 1);
}

static void run_simd_32x2_1x8(struct bench_run *run, struct bench_problem *problem)
{
    run_tiles(run, problem, 32, 16, 8, 1);
}

static void run_simd_32x1_1x16(struct bench_run *run, struct bench_problem *problem)
{
    run_tiles(run, problem, 32, 16, 16, 1);
}

static void run_block_32x2_1x8(struct bench_run *run, struct bench_problem *problem)
{
    run_images(run, problem, 32, 16, 8);
}

static void run_block_32x1_1x8(struct bench_run *run, struct bench_problem *problem)
{
    run_images(run, problem, 32, 8, 8);
}

static void run_block_32x1_1x16(struct bench_run *run, struct bench_problem *problem)
{
    run_images(run, problem, 32, 16, 16);
}

static const struct bench_variant variants[] = {
    {.name = "cm", .language = BENCH_CM, .run = run_cm, .text = "32x16 sums in registers, block reads"},
    {.name = "naive", .language = BENCH_CL, .run = run_naive, .text = "a sum a work item"},
    {.name = "L3_SLM_4x4_8x16", .language = BENCH_CL, .run = run_slm, .text = "A in local memory"},
    {.name = "L3_SIMD_16x2_1x8", .language = BENCH_CL, .run = run_simd_16x2_1x8, .text = "rows by sub-group reads"},
    {.name = "L3_SIMD_32x2_1x8", .language = BENCH_CL, .run = run_simd_32x2_1x8, .text = "the same"},
    {.name = "L3_SIMD_32x1_1x16", .language = BENCH_CL, .run = run_simd_32x1_1x16, .text = "the same, SIMD16"},
    {.name = "block_read_32x2_1x8", .language = BENCH_CL, .run = run_block_32x2_1x8, .text = "blocks of images"},
    {.name = "block_read_32x1_1x8", .language = BENCH_CL, .run = run_block_32x1_1x8, .text = "the same"},
    {.name = "block_read_32x1_1x16", .language = BENCH_CL, .run = run_block_32x1_1x16, .text = "the same, SIMD16"},
};

const struct workload workload_sgemm = {
    .name = "sgemm",
    .title = "SGEMM",
    .needs = BENCH_NEEDS_MEDIA_BLOCKS,
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .published = {.low = 1.1, .high = 1.1, .text = "section VI: around 10%"},
    .size_names = "rows x columns x depth",
    .prepare = prepare,
    .reference = reference,
};
