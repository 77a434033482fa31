/* Attention of one new token of each of several sequences, whose keys and values lie in pages of 16 tokens, which a
 * table names. Four heads share keys and values, as in Mistral 7B. Partitions of 128 tokens, then a second kernel. */
#include "benchmarks/attention/cache.h"

enum { QUERY, KEYS, VALUES, TABLE, LENGTHS }; /* problem->in */
enum { SEQUENCES, SHARED, TOKENS };           /* input->n; SHARED: heads of keys and values */
enum { HEADS = 4, PARTITION = 128, MOST_PARTITIONS = 16, PARTITION_PAGES = PARTITION / PAGE_TOKENS };
enum { TABLE_ROW = MOST_PARTITIONS * PARTITION_PAGES }; /* pages of a sequence */

static const struct bench_input inputs[] = {
    {.name = "2x1x150", .sizes = BENCH_TINY, .n = {2, 1, 150}, .text = "150 tokens and 113"},
    {.name = "1x2x37", .sizes = BENCH_TINY, .n = {1, 2, 37}, .text = "a part of a partition"},
    {.name = "4x2x512", .sizes = BENCH_SMALL, .n = {4, 2, 512}, .text = "4 sequences, 8 of 32 heads, up to 512 tokens"},
    {.name = "2x2x2048", .sizes = BENCH_SMALL, .n = {2, 2, 2048}, .text = "2 sequences, 8 of 32 heads, 2048 tokens"},
    {.name = "8x8x2048",
     .sizes = BENCH_FULL,
     .n = {8, 8, 2048},
     .text = "a layer of Mistral 7B: 8 sequences, 32 heads, up to 2048 tokens"},
};

/* Sequences have different lengths. */
static size_t length_of(const struct bench_input *input, size_t sequence)
{
    size_t less = sequence * 37;
    return less < input->n[TOKENS] ? input->n[TOKENS] - less : 1;
}

static size_t pages_of(const struct bench_input *input)
{
    return (input->n[TOKENS] + PAGE_TOKENS - 1) / PAGE_TOKENS;
}

static void prepare(struct bench_problem *problem)
{
    enum { MOST_TOKENS = MOST_PARTITIONS * PARTITION };
    const size_t *n = problem->input->n, pages = pages_of(problem->input);
    if (n[SEQUENCES] < 1 || n[SEQUENCES] > 64 || n[SHARED] < 1 || n[SHARED] > 32)
        bench_skip("sequences are 1 to 64, heads of keys and values 1 to 32, not %zu and %zu", n[SEQUENCES], n[SHARED]);
    if (n[TOKENS] < 1 || n[TOKENS] > MOST_TOKENS)
        bench_skip("tokens are 1 to %d, not %zu", MOST_TOKENS, n[TOKENS]);
    size_t vectors = n[SEQUENCES] * n[SHARED] * pages * PAGE_TOKENS;
    cache_fill(&problem->in[QUERY], "queries", n[SEQUENCES] * n[SHARED] * HEADS * HEAD_SIZE, 4, 1);
    cache_fill(&problem->in[KEYS], "keys", vectors * HEAD_SIZE, 1, 2);
    cache_fill(&problem->in[VALUES], "values", vectors * HEAD_SIZE, 1, 3);
    /* Pages in any order. What is behind a sequence's last page is page 0. */
    uint32_t *table = bench_array_make(&problem->in[TABLE], "table", BENCH_U32, n[SEQUENCES] * TABLE_ROW);
    uint32_t *lengths = bench_array_make(&problem->in[LENGTHS], "lengths", BENCH_U32, n[SEQUENCES]);
    struct bench_array shuffled = {0};
    uint32_t *order = bench_array_make(&shuffled, "order", BENCH_U32, n[SEQUENCES] * pages);
    uint64_t seed = 4;
    for (size_t i = 0; i < shuffled.count; i++) {
        size_t other = bench_random(&seed) % (i + 1);
        order[i] = order[other];
        order[other] = (uint32_t)i;
    }
    for (size_t sequence = 0; sequence < n[SEQUENCES]; sequence++) {
        lengths[sequence] = (uint32_t)length_of(problem->input, sequence);
        for (size_t page = 0; page < pages; page++)
            table[sequence * TABLE_ROW + page] = order[sequence * pages + page];
    }
}

/* Keys and values of problem->in are [sequence][head][token][128]. */
static size_t first_vector(const struct bench_input *input, size_t sequence, size_t head)
{
    return (sequence * input->n[SHARED] + head) * pages_of(input) * PAGE_TOKENS * HEAD_SIZE;
}

static void reference(struct bench_problem *problem)
{
    const size_t *n = problem->input->n;
    const float *query = problem->in[QUERY].data, *keys = problem->in[KEYS].data, *values = problem->in[VALUES].data;
    float *out = bench_array_make(&problem->expected[0], "out", BENCH_F32, problem->in[QUERY].count);
    struct cache_error error = {0};
    for (size_t sequence = 0; sequence < n[SEQUENCES]; sequence++)
        for (size_t head = 0; head < n[SHARED] * HEADS; head++) {
            size_t row = (sequence * n[SHARED] * HEADS + head) * HEAD_SIZE,
                   first = first_vector(problem->input, sequence, head / HEADS);
            cache_reference(query + row, keys + first, values + first, length_of(problem->input, sequence), out + row,
                            &error);
        }
    problem->expected[0].relative = 1.0 / 2048; /* the result is a half */
    problem->expected[0].absolute = cache_bound(&error);
}

/* Puts a key into its page: [tile of tokens][pair of numbers][column]. If a tile has 8 columns, the first one has the
 * even tokens. */
static void put_key(uint16_t *page, const float *from, size_t token, size_t columns)
{
    size_t tile = columns == 8 ? token % 2 : 0, column = columns == 8 ? token / 2 : token;
    for (size_t i = 0; i < HEAD_SIZE; i++)
        page[((tile * (HEAD_SIZE / 2) + i / 2) * columns + column) * 2 + i % 2] = half_of(from[i]);
}

/* Puts a value into its page: [tile of numbers][pair of tokens][column]. */
static void put_value(uint16_t *page, const float *from, size_t token, size_t columns)
{
    for (size_t i = 0; i < HEAD_SIZE; i++)
        page[((i / columns * (PAGE_TOKENS / 2) + token / 2) * columns + i % columns) * 2 + token % 2] =
            half_of(from[i]);
}

/* Returns the buffer of pages: [page][head]. */
static cmrt_buffer *cache_of(struct bench_run *run, const struct bench_problem *problem, int which)
{
    const size_t *n = problem->input->n, columns = bench_matrix_columns(run), pages = pages_of(problem->input);
    const float *from = problem->in[which].data;
    const uint32_t *table = problem->in[TABLE].data;
    struct bench_array packed = {0};
    uint16_t *to = bench_array_make(&packed, "pages", BENCH_U32, n[SEQUENCES] * pages * n[SHARED] * PAGE_HALVES / 2);
    for (size_t sequence = 0; sequence < n[SEQUENCES]; sequence++)
        for (size_t head = 0; head < n[SHARED]; head++)
            for (size_t token = 0; token < pages * PAGE_TOKENS; token++) {
                size_t page = table[sequence * TABLE_ROW + token / PAGE_TOKENS];
                (which == KEYS ? put_key
                               : put_value)(to + (page * n[SHARED] + head) * PAGE_HALVES,
                                            from + first_vector(problem->input, sequence, head) + token * HEAD_SIZE,
                                            token % PAGE_TOKENS, columns);
            }
    return bench_buffer_of(run, &packed);
}

static void launch(struct bench_run *run, struct bench_problem *problem, const char *part)
{
    const size_t *n = problem->input->n, lanes = bench_matrix_columns(run),
                 partitions = (n[TOKENS] + PARTITION - 1) / PARTITION, fours = n[SEQUENCES] * n[SHARED];
    uint32_t items = problem->variant->language == BENCH_CM ? 1 : (uint32_t)lanes;
    const float *query = problem->in[QUERY].data;
    struct bench_array halves = {0}, none = {0};
    uint16_t *to = bench_array_make(&halves, "queries", BENCH_U32, problem->in[QUERY].count / 2);
    for (size_t i = 0; i < problem->in[QUERY].count; i++)
        to[i] = half_of(query[i]);
    float *least = bench_array_make(&none, "largest scores", BENCH_F32, fours * MOST_PARTITIONS * 2 * HEADS);
    for (size_t i = 0; i < none.count; i++)
        least[i] = i % (size_t)(2 * HEADS) < HEADS ? -1e30F : 0; /* of partitions that no sequence has */
    cmrt_buffer *out = bench_buffer(run, NULL, bench_array_bytes(&halves)),
                *sums = bench_buffer(run, NULL, fours * MOST_PARTITIONS * HEADS * HEAD_SIZE * sizeof(float)),
                *stats = bench_buffer_of(run, &none), *lengths = bench_buffer_of(run, &problem->in[LENGTHS]);
    bench_launch(run, part, BENCH_GRID(partitions, n[SHARED], n[SEQUENCES], items, 1, 1),
                 BENCH_BUFFER(bench_buffer_of(run, &halves)), BENCH_BUFFER(cache_of(run, problem, KEYS)),
                 BENCH_BUFFER(cache_of(run, problem, VALUES)), BENCH_BUFFER(bench_buffer_of(run, &problem->in[TABLE])),
                 BENCH_BUFFER(lengths), BENCH_BUFFER(sums), BENCH_BUFFER(stats), BENCH_U32(n[SHARED]),
                 BENCH_F32(cache_scale()));
    bench_launch(run, "join", BENCH_GRID(n[SHARED], n[SEQUENCES], 1, items, 1, 1), BENCH_BUFFER(sums),
                 BENCH_BUFFER(stats), BENCH_BUFFER(lengths), BENCH_BUFFER(out), BENCH_U32(n[SHARED]));
    bench_read_array(run, out, &halves);
    float *result = problem->result[0].data;
    for (size_t i = 0; i < problem->result[0].count; i++)
        result[i] = (float)number_of_half(to[i]);
}

static void run_part(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "part");
}

static void run_block(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "part_block");
}

static void run_online(struct bench_run *run, struct bench_problem *problem)
{
    launch(run, problem, "part_online");
}

#define LARGE "-cl-intel-256-GRF-per-thread"

static const struct bench_variant variants[] = {
    {.name = "cm",
     .language = BENCH_CM,
     .options = "-Qxcm_register_file_size=256",
     .run = run_part,
     .text = "four heads and 128 tokens in registers"},
    {.name = "part", .language = BENCH_CL, .options = LARGE, .run = run_part, .text = "as the CM kernel"},
    {.name = "part_small", .language = BENCH_CL, .run = run_part, .text = "the same with 128 registers"},
    {.name = "block",
     .language = BENCH_CL,
     .options = LARGE,
     .needs = BENCH_NEEDS_NEWEST,
     .run = run_block,
     .text = "tiles by 2D blocks"},
    {.name = "online", .language = BENCH_CL, .run = run_online, .text = "a page a step, the softmax online"},
};

const struct workload workload_paged_attention = {
    .name = "paged_attention",
    .title = "paged attention",
    .needs = BENCH_NEEDS_MATRIX,
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .size_names = "sequences x heads of keys x tokens",
    .prepare = prepare,
    .reference = reference,
};
