/* Matrix transposition, width x height floats to height x width. */
#include "benchmarks/harness/workload.h"

static const struct bench_input inputs[] = {
    {.name = "80x48", .sizes = BENCH_TINY, .n = {80, 48}, .text = "whole blocks, seeded random floats"},
    {.name = "77x51", .sizes = BENCH_TINY, .n = {77, 51}, .text = "odd sides, seeded random floats"},
    {.name = "512x512", .sizes = BENCH_SMALL | BENCH_FULL, .n = {512, 512}, .text = "seeded random floats"},
    {.name = "1001x777",
     .sizes = BENCH_SMALL | BENCH_FULL,
     .n = {1001, 777},
     .text = "odd sides, seeded random floats"},
    {.name = "1024x1024", .sizes = BENCH_FULL, .n = {1024, 1024}, .text = "seeded random floats"},
    {.name = "2048x2048", .sizes = BENCH_FULL, .n = {2048, 2048}, .text = "seeded random floats"},
    {.name = "4096x4096", .sizes = BENCH_FULL, .n = {4096, 4096}, .text = "seeded random floats"},
};

static void prepare(struct bench_problem *problem)
{
    size_t width = problem->input->n[0], height = problem->input->n[1];
    uint64_t state = 1;
    if (width < 8 || height < 8 || width > 16384 || height > 16384)
        bench_skip("matrices have 8 to 16384 columns and rows, not %zux%zu", width, height);
    float *in = bench_array_make(&problem->in[0], "matrix", BENCH_F32, width * height);
    for (size_t i = 0; i < width * height; i++)
        in[i] = bench_random_float(&state, -1, 1);
}

static void reference(struct bench_problem *problem)
{
    size_t width = problem->input->n[0], height = problem->input->n[1];
    const float *in = problem->in[0].data;
    float *out = bench_array_make(&problem->expected[0], "transposed", BENCH_F32, width * height);
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++)
            out[x * height + y] = in[y * width + x];
}

static void run_cm(struct bench_run *run, struct bench_problem *problem)
{
    size_t width = problem->input->n[0], height = problem->input->n[1];
    cmrt_image *in = bench_image(run, width, height, CMRT_FORMAT_R32F, CMRT_READ, problem->in[0].data);
    cmrt_image *out = bench_image(run, height, width, CMRT_FORMAT_R32F, CMRT_WRITE, NULL);
    bench_launch(run, "transpose", BENCH_GRID((width + 15) / 16, (height + 15) / 16, 1, 1, 1, 1), BENCH_IMAGE(in),
                 BENCH_IMAGE(out));
    bench_read_image(run, out, problem->result[0].data);
}

static void run_cl(struct bench_run *run, struct bench_problem *problem, size_t tile, struct bench_grid grid)
{
    size_t width = problem->input->n[0], height = problem->input->n[1];
    cmrt_buffer *in = bench_buffer_of(run, &problem->in[0]);
    cmrt_buffer *out = bench_buffer(run, NULL, width * height * sizeof(float));
    grid.groups[0] = (uint32_t)((width + tile - 1) / tile);
    grid.groups[1] = (uint32_t)((height + tile - 1) / tile);
    bench_launch(run, problem->variant->name, grid, BENCH_BUFFER(in), BENCH_BUFFER(out), BENCH_I32(width),
                 BENCH_I32(height));
    bench_read_array(run, out, &problem->result[0]);
}

static void run_slm(struct bench_run *run, struct bench_problem *problem)
{
    run_cl(run, problem, 32, BENCH_GRID(1, 1, 1, 32, 8, 1));
}

static void run_subgroup(struct bench_run *run, struct bench_problem *problem)
{
    run_cl(run, problem, 16, BENCH_GRID(1, 1, 1, 16, 1, 1));
}

static const struct bench_variant variants[] = {
    {.name = "cm", .language = BENCH_CM, .run = run_cm, .text = "16x16 elements a thread, merged in registers"},
    {.name = "transpose_slm", .language = BENCH_CL, .run = run_slm, .text = "tiles of 32x32 in local memory"},
    {.name = "transpose_subgroup",
     .language = BENCH_CL,
     .run = run_subgroup,
     .text = "block reads of rows, vector writes of columns"},
    {.name = "transpose_shuffle", .language = BENCH_CL, .run = run_subgroup, .text = "block messages and shuffles"},
};

const struct workload workload_transpose = {
    .name = "transpose",
    .title = "matrix transpose",
    .needs = BENCH_NEEDS_MEDIA_BLOCKS,
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .published = {0, 2.2, "figure 5"},
    .size_names = "width x height",
    .prepare = prepare,
    .reference = reference,
};
