/* Attention of the newest tokens of one sequence with all tokens before them, causal: halves in the systolic array,
 * softmax in floats as the keys come. Keys and values lie in a cache of pages (cache.h). */
#include "benchmarks/attention/cache.h"

enum { QUERY, KEYS, VALUES };    /* problem->in: [head][token][128] */
enum { HEADS, QUERIES, TOKENS }; /* input->n */

static const struct bench_input inputs[] = {
    {.name = "2x37x37", .sizes = BENCH_TINY, .n = {2, 37, 37}, .text = "a short prompt"},
    {.name = "1x16x101", .sizes = BENCH_TINY, .n = {1, 16, 101}, .text = "16 tokens behind 85 others"},
    {.name = "4x128x128", .sizes = BENCH_SMALL, .n = {4, 128, 128}, .text = "4 of 32 heads, a prompt of 128 tokens"},
    {.name = "2x128x1024", .sizes = BENCH_SMALL, .n = {2, 128, 1024}, .text = "2 of 32 heads, 128 tokens behind 896"},
    {.name = "32x128x128",
     .sizes = BENCH_FULL,
     .n = {32, 128, 128},
     .text = "a layer of a model with 7 billion weights, a prompt of 128 tokens"},
    {.name = "8x512x512", .sizes = BENCH_FULL, .n = {8, 512, 512}, .text = "8 of its 32 heads, 512 tokens"},
    {.name = "2x2048x2048", .sizes = BENCH_FULL, .n = {2, 2048, 2048}, .text = "2 of its 32 heads, 2048 tokens"},
};

static void prepare(struct bench_problem *problem)
{
    const size_t *n = problem->input->n;
    if (n[HEADS] < 1 || n[HEADS] > 128 || n[TOKENS] < 1 || n[TOKENS] > 8192)
        bench_skip("heads are 1 to 128, tokens 1 to 8192, not %zu and %zu", n[HEADS], n[TOKENS]);
    if (n[QUERIES] < 1 || n[QUERIES] > n[TOKENS])
        bench_skip("queries are 1 to %zu, as many as tokens, not %zu", n[TOKENS], n[QUERIES]);
    cache_fill(&problem->in[QUERY], "queries", n[HEADS] * n[QUERIES] * HEAD_SIZE, 4, 1);
    cache_fill(&problem->in[KEYS], "keys", n[HEADS] * n[TOKENS] * HEAD_SIZE, 1, 2);
    cache_fill(&problem->in[VALUES], "values", n[HEADS] * n[TOKENS] * HEAD_SIZE, 1, 3);
}

static void reference(struct bench_problem *problem)
{
    const size_t *n = problem->input->n;
    const float *query = problem->in[QUERY].data, *keys = problem->in[KEYS].data, *values = problem->in[VALUES].data;
    float *out = bench_array_make(&problem->expected[0], "out", BENCH_F32, n[HEADS] * n[QUERIES] * HEAD_SIZE);
    struct cache_error error = {0};
    for (size_t head = 0; head < n[HEADS]; head++)
        for (size_t i = 0; i < n[QUERIES]; i++) {
            size_t row = (head * n[QUERIES] + i) * HEAD_SIZE, first = head * n[TOKENS] * HEAD_SIZE;
            cache_reference(query + row, keys + first, values + first, n[TOKENS] - n[QUERIES] + i + 1, out + row,
                            &error);
        }
    problem->expected[0].relative = 1.0 / 2048; /* the result is a half */
    problem->expected[0].absolute = cache_bound(&error);
}

/* Returns a buffer of the pages of all heads, and of one more: a kernel may take two a step. */
static cmrt_buffer *pages_of(struct bench_run *run, const struct bench_problem *problem, int which)
{
    const size_t *n = problem->input->n, pages = (n[TOKENS] + PAGE_TOKENS - 1) / PAGE_TOKENS;
    const float *from = problem->in[which].data;
    struct bench_array packed = {0};
    uint16_t *to = bench_array_make(&packed, "pages", BENCH_U32, (n[HEADS] * pages + 1) * PAGE_HALVES / 2);
    for (size_t head = 0; head < n[HEADS]; head++)
        for (size_t first = 0; first < n[TOKENS]; first += PAGE_TOKENS, to += PAGE_HALVES) {
            size_t tokens = n[TOKENS] - first < PAGE_TOKENS ? n[TOKENS] - first : PAGE_TOKENS;
            (which == KEYS ? cache_pack_keys : cache_pack_values)(to, from + (head * n[TOKENS] + first) * HEAD_SIZE,
                                                                  tokens, bench_matrix_columns(run));
        }
    return bench_buffer_of(run, &packed);
}

/* Launches a thread or a sub-group for as many queries as the systolic array has columns. Queries are padded. */
static void launch(struct bench_run *run, struct bench_problem *problem, const char *kernel)
{
    const size_t *n = problem->input->n, lanes = bench_matrix_columns(run);
    size_t padded = (n[QUERIES] + PAGE_TOKENS - 1) / PAGE_TOKENS * PAGE_TOKENS,
           pages = (n[TOKENS] + PAGE_TOKENS - 1) / PAGE_TOKENS;
    uint32_t items = problem->variant->language == BENCH_CM ? 1 : (uint32_t)lanes;
    const float *query = problem->in[QUERY].data;
    struct bench_array halves = {0}, results = {0};
    uint16_t *to = bench_array_make(&halves, "queries", BENCH_U32, n[HEADS] * padded * HEAD_SIZE / 2);
    for (size_t head = 0; head < n[HEADS]; head++)
        for (size_t i = 0; i < n[QUERIES] * HEAD_SIZE; i++)
            to[head * padded * HEAD_SIZE + i] = half_of(query[head * n[QUERIES] * HEAD_SIZE + i]);
    cmrt_buffer *out = bench_buffer(run, NULL, bench_array_bytes(&halves));
    bench_launch(run, kernel, BENCH_GRID((n[QUERIES] + lanes - 1) / lanes, n[HEADS], 1, items, 1, 1),
                 BENCH_BUFFER(bench_buffer_of(run, &halves)), BENCH_BUFFER(pages_of(run, problem, KEYS)),
                 BENCH_BUFFER(pages_of(run, problem, VALUES)), BENCH_BUFFER(out), BENCH_U32(padded), BENCH_U32(pages),
                 BENCH_U32(n[TOKENS] - n[QUERIES]), BENCH_F32(cache_scale()));
    const uint16_t *from = bench_array_make(&results, "results", BENCH_U32, halves.count);
    bench_read_array(run, out, &results);
    float *result = problem->result[0].data;
    for (size_t head = 0; head < n[HEADS]; head++)
        for (size_t i = 0; i < n[QUERIES] * HEAD_SIZE; i++)
            result[head * n[QUERIES] * HEAD_SIZE + i] = (float)number_of_half(from[head * padded * HEAD_SIZE + i]);
}

static void run_cm(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "attention");
}

static void run_page(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "page");
}

static void run_two_pages(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "two_pages");
}

static void run_block(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "block");
}

static void run_always(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "always");
}

#define LARGE "-cl-intel-256-GRF-per-thread"

static const struct bench_variant variants[] = {
    {.name = "cm",
     .language = BENCH_CM,
     .options = "-Qxcm_register_file_size=256",
     .run = run_cm,
     .text = "a query in a lane, a page a step, sums scaled only when a score is the largest so far"},
    {.name = "page", .language = BENCH_CL, .options = LARGE, .run = run_page, .text = "as the CM kernel"},
    {.name = "two_pages", .language = BENCH_CL, .options = LARGE, .run = run_two_pages, .text = "two pages a step"},
    {.name = "block",
     .language = BENCH_CL,
     .options = LARGE,
     .needs = BENCH_NEEDS_2D_BLOCKS,
     .run = run_block,
     .text = "tiles by 2D blocks"},
    {.name = "always", .language = BENCH_CL, .options = LARGE, .run = run_always, .text = "sums scaled in each step"},
};

const struct workload workload_attention = {
    .name = "attention",
    .title = "flash attention",
    .needs = BENCH_NEEDS_MATRIX,
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .size_names = "heads x queries x tokens",
    .prepare = prepare,
    .reference = reference,
};
