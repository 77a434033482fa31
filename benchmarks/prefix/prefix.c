/* Prefix sum: out[i] = in[0] + ... + in[i], in 32 bits. */
#include "benchmarks/harness/workload.h"

enum { THREAD = 2048, CHUNK = 256 }; /* of the CM kernels: elements of a thread, and of what it has at a time */

static const struct bench_input inputs[] = {
    {.name = "5000", .sizes = BENCH_TINY, .n = {5000}, .text = "random 32 bits"},
    {.name = "2^16", .sizes = BENCH_SMALL | BENCH_FULL, .n = {1 << 16}, .text = "the same"},
    {.name = "2^18", .sizes = BENCH_SMALL | BENCH_FULL, .n = {1 << 18}, .text = "the same"},
    {.name = "1000001", .sizes = BENCH_SMALL | BENCH_FULL, .n = {1000001}, .text = "the same"},
    {.name = "2^20", .sizes = BENCH_FULL, .n = {1 << 20}, .text = "the same"},
    {.name = "2^22", .sizes = BENCH_FULL, .n = {1 << 22}, .text = "the same"},
};

/* The CM kernels take whole threads and chunks: their buffers end with some. */
static size_t padded(size_t count, size_t to)
{
    return (count + to - 1) / to * to;
}

static void prepare(struct bench_problem *problem)
{
    size_t count = problem->input->n[0];
    uint64_t state = 1;
    if (count < 1 || count > (size_t)1 << 28)
        bench_skip("1 to 2^28 elements, not %zu", count);
    uint32_t *in = bench_array_make(&problem->in[0], "in", BENCH_U32, padded(count, THREAD));
    for (size_t i = 0; i < count; i++)
        in[i] = bench_random(&state);
}

static void reference(struct bench_problem *problem)
{
    size_t count = problem->input->n[0];
    const uint32_t *in = problem->in[0].data;
    uint32_t sum = 0, *out = bench_array_make(&problem->expected[0], "out", BENCH_U32, count);
    for (size_t i = 0; i < count; i++)
        out[i] = sum += in[i];
}

static void run_cm(struct bench_run *run, struct bench_problem *problem)
{
    size_t count = problem->input->n[0], blocks = padded(count, THREAD) / THREAD;
    cmrt_buffer *in = bench_buffer_of(run, &problem->in[0]);
    cmrt_buffer *sums = bench_buffer(run, NULL, padded(blocks, CHUNK) * 4),
                *out = bench_buffer(run, NULL, blocks * THREAD * 4);
    bench_launch(run, "prefix_sums", BENCH_GRID(blocks, 1, 1, 1, 1, 1), BENCH_BUFFER(in), BENCH_BUFFER(sums));
    bench_launch(run, "prefix_starts", BENCH_GRID(1, 1, 1, 1, 1, 1), BENCH_BUFFER(sums), BENCH_U32(blocks));
    bench_launch(run, "prefix_scan", BENCH_GRID(blocks, 1, 1, 1, 1, 1), BENCH_BUFFER(in), BENCH_BUFFER(sums),
                 BENCH_BUFFER(out));
    bench_read_array(run, out, &problem->result[0]);
}

static void run_blelloch(struct bench_run *run, struct bench_problem *problem)
{
    enum { GROUP = 256, BLOCK = 512 };
    size_t count = problem->input->n[0], blocks = (count + BLOCK - 1) / BLOCK;
    cmrt_buffer *in = bench_buffer_of(run, &problem->in[0]);
    cmrt_buffer *sums = bench_buffer(run, NULL, blocks * 4), *out = bench_buffer(run, NULL, count * 4);
    bench_launch(run, "blelloch_blocks", BENCH_GRID(blocks, 1, 1, GROUP, 1, 1), BENCH_BUFFER(in), BENCH_BUFFER(out),
                 BENCH_BUFFER(sums), BENCH_U32(count));
    bench_launch(run, "blelloch_starts", BENCH_GRID(1, 1, 1, GROUP, 1, 1), BENCH_BUFFER(sums), BENCH_U32(blocks));
    bench_launch(run, "blelloch_add", BENCH_GRID(blocks, 1, 1, GROUP, 1, 1), BENCH_BUFFER(out), BENCH_BUFFER(sums),
                 BENCH_U32(count));
    bench_read_array(run, out, &problem->result[0]);
}

static void run_subgroup(struct bench_run *run, struct bench_problem *problem)
{
    enum { BLOCK = 2048 };
    size_t count = problem->input->n[0], blocks = (count + BLOCK - 1) / BLOCK;
    cmrt_buffer *in = bench_buffer_of(run, &problem->in[0]);
    cmrt_buffer *sums = bench_buffer(run, NULL, blocks * 4), *out = bench_buffer(run, NULL, count * 4);
    bench_launch(run, "subgroup_sums", BENCH_GRID(blocks, 1, 1, 16, 1, 1), BENCH_BUFFER(in), BENCH_BUFFER(sums),
                 BENCH_U32(count));
    bench_launch(run, "subgroup_starts", BENCH_GRID(1, 1, 1, 16, 1, 1), BENCH_BUFFER(sums), BENCH_U32(blocks));
    bench_launch(run, "subgroup_scan", BENCH_GRID(blocks, 1, 1, 16, 1, 1), BENCH_BUFFER(in), BENCH_BUFFER(sums),
                 BENCH_BUFFER(out), BENCH_U32(count));
    bench_read_array(run, out, &problem->result[0]);
}

static const struct bench_variant variants[] = {
    {.name = "cm", .language = BENCH_CM, .run = run_cm, .text = "2048 elements a thread, sums in registers"},
    {.name = "blelloch", .language = BENCH_CL, .run = run_blelloch, .text = "a tree in local memory"},
    {.name = "subgroup", .language = BENCH_CL, .run = run_subgroup, .text = "sub-group scans, no local memory"},
};

const struct workload workload_prefix = {
    .name = "prefix",
    .title = "prefix sum",
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .published = {.low = 1.6, .high = 1.6, .text = "figure 5"},
    .size_names = "elements",
    .prepare = prepare,
    .reference = reference,
};
