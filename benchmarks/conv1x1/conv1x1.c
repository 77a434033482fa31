/* 1x1 convolution: out[k][p] = max(0, bias[k] + sum over c of weights[k][c] * in[c][p]). The numbers are small and
 * whole, so every sum is exact in any order. */
#include "benchmarks/harness/workload.h"

enum { IN, WEIGHTS, BIAS }; /* problem->in */

/* n: width and height of the picture, input channels, output channels */
static const struct bench_input inputs[] = {
    {.name = "7x5x32-64", .sizes = BENCH_TINY, .n = {7, 5, 32, 64}, .text = "whole numbers from -8 to 7"},
    {.name = "28x28x512-128", .sizes = BENCH_SMALL | BENCH_FULL, .n = {28, 28, 512, 128}, .text = "of ResNet-50"},
    {.name = "7x7x512-2048", .sizes = BENCH_SMALL | BENCH_FULL, .n = {7, 7, 512, 2048}, .text = "of ResNet-50"},
    {.name = "56x56x64-256", .sizes = BENCH_FULL, .n = {56, 56, 64, 256}, .text = "of ResNet-50"},
    {.name = "14x14x1024-256", .sizes = BENCH_FULL, .n = {14, 14, 1024, 256}, .text = "of ResNet-50"},
};

static void fill(struct bench_array *array, const char *name, size_t count, uint64_t seed)
{
    float *numbers = bench_array_make(array, name, BENCH_F32, count);
    for (size_t i = 0; i < count; i++)
        numbers[i] = (float)((int)(bench_random(&seed) >> 28) - 8);
}

static void prepare(struct bench_problem *problem)
{
    const size_t *n = problem->input->n;
    for (int i = 0; i < 4; i++)
        if (n[i] < 1 || n[i] > 4096)
            bench_skip("width, height and channels are 1 to 4096, not %zu", n[i]);
    if (n[0] * n[1] < 16 || n[0] * n[1] > 16384)
        bench_skip("a picture has 16 to 16384 pixels, which are a row of an image");
    if (n[2] % 16 || n[3] % 32)
        bench_skip("input channels must be a multiple of 16, output channels of 32");
    fill(&problem->in[IN], "in", n[0] * n[1] * n[2], 1);
    fill(&problem->in[WEIGHTS], "weights", n[2] * n[3], 2);
    fill(&problem->in[BIAS], "bias", n[3], 3);
}

static void reference(struct bench_problem *problem)
{
    const size_t *n = problem->input->n;
    size_t pixels = n[0] * n[1], channels = n[2], outputs = n[3];
    const float *in = problem->in[IN].data, *weights = problem->in[WEIGHTS].data, *bias = problem->in[BIAS].data;
    float *out = bench_array_make(&problem->expected[0], "out", BENCH_F32, pixels * outputs);
    for (size_t k = 0; k < outputs; k++) {
        float *row = out + k * pixels;
        for (size_t p = 0; p < pixels; p++)
            row[p] = bias[k];
        for (size_t c = 0; c < channels; c++)
            for (size_t p = 0; p < pixels; p++)
                row[p] += weights[k * channels + c] * in[c * pixels + p];
        for (size_t p = 0; p < pixels; p++)
            row[p] = row[p] > 0 ? row[p] : 0;
    }
}

static void run_cm(struct bench_run *run, struct bench_problem *problem)
{
    const size_t *n = problem->input->n, pixels = n[0] * n[1];
    cmrt_image *in = bench_image(run, pixels, n[2], CMRT_FORMAT_R32F, CMRT_READ, problem->in[IN].data);
    cmrt_image *weights = bench_image(run, n[2], n[3], CMRT_FORMAT_R32F, CMRT_READ, problem->in[WEIGHTS].data);
    cmrt_image *out = bench_image(run, pixels, n[3], CMRT_FORMAT_R32F, CMRT_WRITE, NULL);
    cmrt_buffer *bias = bench_buffer_of(run, &problem->in[BIAS]);
    bench_launch(run, "conv1x1", BENCH_GRID((pixels + 15) / 16, n[3] / 32, 1, 1, 1, 1), BENCH_IMAGE(in),
                 BENCH_IMAGE(weights), BENCH_BUFFER(bias), BENCH_IMAGE(out), BENCH_U32(n[2]));
    bench_read_image(run, out, problem->result[0].data);
}

static void launch_buffers(struct bench_run *run, struct bench_problem *problem, struct bench_grid grid)
{
    enum { BEYOND = 64 }; /* bytes that the sub-groups read after the input */
    const size_t *n = problem->input->n, bytes = bench_array_bytes(&problem->in[IN]);
    cmrt_buffer *in = bench_buffer(run, NULL, bytes + BEYOND), *out = bench_buffer(run, NULL, n[0] * n[1] * n[3] * 4);
    cmrt_buffer *weights = bench_buffer_of(run, &problem->in[WEIGHTS]),
                *bias = bench_buffer_of(run, &problem->in[BIAS]);
    bench_write(run, in, 0, problem->in[IN].data, bytes);
    bench_launch(run, problem->variant->name, grid, BENCH_BUFFER(in), BENCH_BUFFER(weights), BENCH_BUFFER(bias),
                 BENCH_BUFFER(out), BENCH_U32(n[2]), BENCH_U32(n[0] * n[1]));
    bench_read_array(run, out, &problem->result[0]);
}

static void run_naive(struct bench_run *run, struct bench_problem *problem)
{
    const size_t *n = problem->input->n;
    launch_buffers(run, problem, BENCH_GRID((n[0] * n[1] + 31) / 32, n[3], 1, 32, 1, 1));
}

static void run_slm(struct bench_run *run, struct bench_problem *problem)
{
    const size_t *n = problem->input->n;
    launch_buffers(run, problem, BENCH_GRID((n[0] * n[1] + 63) / 64, n[3] / 32, 1, 64, 1, 1));
}

static void run_subgroup(struct bench_run *run, struct bench_problem *problem)
{
    const size_t *n = problem->input->n;
    launch_buffers(run, problem, BENCH_GRID((n[0] * n[1] + 15) / 16, n[3] / 32, 1, 16, 1, 1));
}

static const struct bench_variant variants[] = {
    {.name = "cm", .language = BENCH_CM, .run = run_cm, .text = "32 channels of 16 pixels in registers, block reads"},
    {.name = "naive", .language = BENCH_CL, .run = run_naive, .text = "a result a work item"},
    {.name = "slm", .language = BENCH_CL, .run = run_slm, .text = "weights in local memory, 32 results a work item"},
    {.name = "subgroup", .language = BENCH_CL, .run = run_subgroup, .text = "sub-group reads and broadcasts"},
};

const struct workload workload_conv1x1 = {
    .name = "conv1x1",
    .title = "convolution 1x1",
    .needs = BENCH_NEEDS_MEDIA_BLOCKS,
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .published = {.low = 1.08, .high = 1.08, .text = "table I"},
    .size_names = "width x height x channels x output channels",
    .prepare = prepare,
    .reference = reference,
};
