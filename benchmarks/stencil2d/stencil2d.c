/* A nine-point stencil: a weighted sum of a pixel, its four neighbours and its four diagonal neighbours. */
#include "benchmarks/harness/workload.h"

static const float centre = 0.25f, side = 0.15f, corner = 0.0375f;

static const struct bench_input inputs[] = {
    {.name = "96x64", .sizes = BENCH_TINY, .n = {96, 64}, .text = "whole blocks, seeded random floats"},
    {.name = "83x46", .sizes = BENCH_TINY, .n = {83, 46}, .text = "odd sides, seeded random floats"},
    {.name = "1024x1024", .sizes = BENCH_SMALL | BENCH_FULL, .n = {1024, 1024}, .text = "seeded random floats"},
    {.name = "1333x777",
     .sizes = BENCH_SMALL | BENCH_FULL,
     .n = {1333, 777},
     .text = "odd sides, seeded random floats"},
    {.name = "4096x4096", .sizes = BENCH_FULL, .n = {4096, 4096}, .text = "seeded random floats"},
};

static void prepare(struct bench_problem *problem)
{
    size_t width = problem->input->n[0], height = problem->input->n[1];
    uint64_t state = 1;
    if (width < 16 || height < 4 || width > 16384 || height > 16384)
        bench_skip("images have 16 to 16384 columns and 4 to 16384 rows, not %zux%zu", width, height);
    float *in = bench_array_make(&problem->in[0], "image", BENCH_F32, width * height);
    for (size_t i = 0; i < width * height; i++)
        in[i] = bench_random_float(&state, -1, 1);
}

static double at(const struct bench_problem *problem, long x, long y)
{
    long width = (long)problem->input->n[0], height = (long)problem->input->n[1];
    x = x < 0 ? 0 : x < width ? x : width - 1;
    y = y < 0 ? 0 : y < height ? y : height - 1;
    return (double)((const float *)problem->in[0].data)[y * width + x];
}

static void reference(struct bench_problem *problem)
{
    long width = (long)problem->input->n[0], height = (long)problem->input->n[1];
    float *out = bench_array_make(&problem->expected[0], "pixels", BENCH_F32, (size_t)(width * height));
    problem->expected[0].absolute = 1e-6; /* eight roundings of numbers below 1 */
    for (long y = 0; y < height; y++)
        for (long x = 0; x < width; x++)
            *out++ = (float)(at(problem, x, y) * (double)centre +
                             (at(problem, x - 1, y) + at(problem, x + 1, y) + at(problem, x, y - 1) +
                              at(problem, x, y + 1)) *
                                 (double)side +
                             (at(problem, x - 1, y - 1) + at(problem, x + 1, y - 1) + at(problem, x - 1, y + 1) +
                              at(problem, x + 1, y + 1)) *
                                 (double)corner);
}

static void run_blocks(struct bench_run *run, struct bench_problem *problem)
{
    size_t width = problem->input->n[0], height = problem->input->n[1];
    int cm = problem->variant->language == BENCH_CM;
    cmrt_image *in = bench_image(run, width, height, CMRT_FORMAT_R32F, CMRT_READ, problem->in[0].data);
    cmrt_image *out = bench_image(run, width, height, CMRT_FORMAT_R32F, CMRT_WRITE, NULL);
    bench_launch(run, cm ? "stencil" : "stencil_media_block",
                 BENCH_GRID(cm ? (width + 15) / 16 : (width + 7) / 8, (height + 15) / 16, 1, cm ? 1 : 8, 1, 1),
                 BENCH_IMAGE(in), BENCH_IMAGE(out), BENCH_F32(centre), BENCH_F32(side), BENCH_F32(corner));
    bench_read_image(run, out, problem->result[0].data);
}

/* `columns` and `rows` of a group of `grid`. */
static void run_buffers(struct bench_run *run, struct bench_problem *problem, struct bench_grid grid, size_t columns,
                        size_t rows)
{
    size_t width = problem->input->n[0], height = problem->input->n[1];
    cmrt_buffer *in = bench_buffer_of(run, &problem->in[0]);
    cmrt_buffer *out = bench_buffer(run, NULL, width * height * sizeof(float));
    grid.groups[0] = (uint32_t)((width + columns - 1) / columns);
    grid.groups[1] = (uint32_t)((height + rows - 1) / rows);
    bench_launch(run, problem->variant->name, grid, BENCH_BUFFER(in), BENCH_BUFFER(out), BENCH_I32(width),
                 BENCH_I32(height), BENCH_F32(centre), BENCH_F32(side), BENCH_F32(corner));
    bench_read_array(run, out, &problem->result[0]);
}

static void run_plain(struct bench_run *run, struct bench_problem *problem)
{
    run_buffers(run, problem, BENCH_GRID(1, 1, 1, 16, 16, 1), 16, 16);
}

static void run_slm(struct bench_run *run, struct bench_problem *problem)
{
    run_buffers(run, problem, BENCH_GRID(1, 1, 1, 16, 8, 1), 16, 64);
}

static void run_subgroup(struct bench_run *run, struct bench_problem *problem)
{
    run_buffers(run, problem, BENCH_GRID(1, 1, 1, 16, 1, 1), 16, 16);
}

static const struct bench_variant variants[] = {
    {.name = "cm", .language = BENCH_CM, .run = run_blocks, .text = "16x16 pixels a thread, media blocks"},
    {.name = "stencil", .language = BENCH_CL, .run = run_plain, .text = "a pixel a work item, nine loads"},
    {.name = "stencil_slm", .language = BENCH_CL, .run = run_slm, .text = "tiles in local memory"},
    {.name = "stencil_subgroup",
     .language = BENCH_CL,
     .run = run_subgroup,
     .text = "16x16 pixels a sub-group, block reads and shuffles"},
    {.name = "stencil_media_block",
     .language = BENCH_CL,
     .run = run_blocks,
     .text = "8x16 pixels a sub-group, media block reads and writes"},
};

const struct workload workload_stencil2d = {
    .name = "stencil2d",
    .title = "stencil 2D, nine points",
    .needs = BENCH_NEEDS_MEDIA_BLOCKS,
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .published = {2.2, 2.2, "table I"},
    .size_names = "width x height",
    .prepare = prepare,
    .reference = reference,
};
