/* Least and greatest of each block of 4x4 pixels, the first half of a BC4 compressor. */
#include "benchmarks/harness/workload.h"

static const struct bench_input inputs[] = {
    {.name = "64x48", .sizes = BENCH_TINY, .n = {64, 48}, .text = "whole blocks, seeded random floats"},
    {.name = "83x46", .sizes = BENCH_TINY, .n = {83, 46}, .text = "odd sides, seeded random floats"},
    {.name = "1024x1024", .sizes = BENCH_SMALL | BENCH_FULL, .n = {1024, 1024}, .text = "seeded random floats"},
    {.name = "1333x777",
     .sizes = BENCH_SMALL | BENCH_FULL,
     .n = {1333, 777},
     .text = "odd sides, seeded random floats"},
    {.name = "4096x4096", .sizes = BENCH_FULL, .n = {4096, 4096}, .text = "seeded random floats"},
};

static size_t blocks(size_t pixels)
{
    return (pixels + 3) / 4;
}

static void prepare(struct bench_problem *problem)
{
    size_t width = problem->input->n[0], height = problem->input->n[1];
    uint64_t state = 1;
    if (width < 64 || height < 4 || width > 16384 || height > 16384)
        bench_skip("images have 64 to 16384 columns and 4 to 16384 rows, not %zux%zu", width, height);
    float *in = bench_array_make(&problem->in[0], "image", BENCH_F32, width * height);
    for (size_t i = 0; i < width * height; i++)
        in[i] = bench_random_float(&state, -100, 100);
}

static void reference(struct bench_problem *problem)
{
    size_t width = problem->input->n[0], height = problem->input->n[1], columns = blocks(width), rows = blocks(height);
    const float *in = problem->in[0].data;
    float *out = bench_array_make(&problem->expected[0], "least and greatest", BENCH_F32, columns * rows * 2);
    for (size_t i = 0; i < columns * rows; i++) {
        out[2 * i] = 1000;
        out[2 * i + 1] = -1000;
    }
    for (size_t y = 0; y < height; y++)
        for (size_t x = 0; x < width; x++) {
            float pixel = in[y * width + x], *block = out + (y / 4 * columns + x / 4) * 2;
            block[0] = pixel < block[0] ? pixel : block[0];
            block[1] = pixel > block[1] ? pixel : block[1];
        }
}

static void run_cm(struct bench_run *run, struct bench_problem *problem)
{
    size_t width = problem->input->n[0], height = problem->input->n[1], columns = blocks(width), rows = blocks(height);
    cmrt_image *in = bench_image(run, width, height, CMRT_FORMAT_R32F, CMRT_READ, problem->in[0].data);
    cmrt_image *out = bench_image(run, columns * 2, rows, CMRT_FORMAT_R32F, CMRT_WRITE, NULL);
    bench_launch(run, "minmax", BENCH_GRID((columns + 15) / 16, rows, 1, 1, 1, 1), BENCH_IMAGE(in), BENCH_IMAGE(out));
    bench_read_image(run, out, problem->result[0].data);
}

static void run_buffer(struct bench_run *run, struct bench_problem *problem)
{
    size_t width = problem->input->n[0], height = problem->input->n[1], columns = blocks(width), rows = blocks(height);
    cmrt_buffer *in = bench_buffer_of(run, &problem->in[0]), *out = bench_buffer(run, NULL, columns * rows * 8);
    bench_launch(run, "minmax", BENCH_GRID((columns + 63) / 64, rows, 1, 64, 1, 1), BENCH_BUFFER(in), BENCH_BUFFER(out),
                 BENCH_I32(width), BENCH_I32(height));
    bench_read_array(run, out, &problem->result[0]);
}

static void run_image(struct bench_run *run, struct bench_problem *problem)
{
    size_t width = problem->input->n[0], height = problem->input->n[1], columns = blocks(width), rows = blocks(height);
    cmrt_image *in = bench_image(run, width, height, CMRT_FORMAT_R32F, CMRT_READ, problem->in[0].data);
    cmrt_buffer *out = bench_buffer(run, NULL, columns * rows * 8);
    bench_launch(run, "minmax_image", BENCH_GRID((columns + 63) / 64, rows, 1, 64, 1, 1), BENCH_IMAGE(in),
                 BENCH_BUFFER(out), BENCH_I32(width), BENCH_I32(height));
    bench_read_array(run, out, &problem->result[0]);
}

static const struct bench_variant variants[] = {
    {.name = "cm", .language = BENCH_CM, .run = run_cm, .text = "16 blocks a thread, regions across lanes"},
    {.name = "minmax", .language = BENCH_CL, .run = run_buffer, .text = "a block a work item, four loads of float4"},
    {.name = "minmax_image",
     .language = BENCH_CL,
     .run = run_image,
     .text = "a block a work item, through the sampler"},
};

const struct workload workload_minmax = {
    .name = "minmax",
    .title = "block min/max 4x4",
    .needs = BENCH_NEEDS_MEDIA_BLOCKS,
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .size_names = "width x height",
    .prepare = prepare,
    .reference = reference,
};
