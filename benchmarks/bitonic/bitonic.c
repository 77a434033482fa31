/* Bitonic sort of ints: 2^n keys, 256 at least. */
#include "benchmarks/harness/workload.h"

#include <stdlib.h>
#include <string.h>

enum { RANDOM, SORTED, REVERSED, EQUAL };

static const struct bench_input inputs[] = {
    {.name = "2^12", .sizes = BENCH_TINY | BENCH_SMALL | BENCH_FULL, .n = {1 << 12}, .text = "random ints"},
    {.name = "sorted-2^12", .sizes = BENCH_TINY, .n = {1 << 12}, .kind = SORTED, .text = "sorted before"},
    {.name = "reversed-2^9", .sizes = BENCH_TINY, .n = {1 << 9}, .kind = REVERSED, .text = "sorted downwards"},
    {.name = "equal-2^11", .sizes = BENCH_TINY, .n = {1 << 11}, .kind = EQUAL, .text = "one number and a few others"},
    {.name = "2^16", .sizes = BENCH_SMALL | BENCH_FULL, .n = {1 << 16}, .text = "random ints"},
    {.name = "sorted-2^16", .sizes = BENCH_FULL, .n = {1 << 16}, .kind = SORTED, .text = "sorted before"},
    {.name = "reversed-2^16", .sizes = BENCH_FULL, .n = {1 << 16}, .kind = REVERSED, .text = "sorted downwards"},
    {.name = "equal-2^16", .sizes = BENCH_FULL, .n = {1 << 16}, .kind = EQUAL, .text = "one number and a few others"},
    {.name = "2^18", .sizes = BENCH_FULL, .n = {1 << 18}, .text = "random ints"},
    {.name = "2^20", .sizes = BENCH_FULL, .n = {1 << 20}, .text = "random ints"},
};

static int ascending(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

static int descending(const void *a, const void *b)
{
    return ascending(b, a);
}

static void prepare(struct bench_problem *problem)
{
    size_t count = problem->input->n[0];
    uint64_t state = 1;
    if (count < 256 || count > (size_t)1 << 26 || (count & (count - 1)))
        bench_skip("the number of keys must be a power of two from 256 to 2^26, not %zu", count);
    int32_t *keys = bench_array_make(&problem->in[0], "keys", BENCH_I32, count);
    for (size_t i = 0; i < count; i++) {
        keys[i] = (int32_t)bench_random(&state);
        if (problem->input->kind == EQUAL && i % 100)
            keys[i] = 7;
    }
    if (problem->input->kind == SORTED)
        qsort(keys, count, sizeof *keys, ascending);
    else if (problem->input->kind == REVERSED)
        qsort(keys, count, sizeof *keys, descending);
}

static void reference(struct bench_problem *problem)
{
    size_t count = problem->input->n[0];
    int32_t *sorted = bench_array_make(&problem->expected[0], "keys", BENCH_I32, count);
    memcpy(sorted, problem->in[0].data, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, ascending);
}

/* Kernels that sort `block` keys in registers: the names of those that begin, do 1, 2 or 3 steps, and do a stage's
 * last. */
struct names {
    const char *sort, *steps[3], *merge;
};

static void run_registers(struct bench_run *run, struct bench_problem *problem, const struct names *names,
                          uint32_t items)
{
    enum { BLOCK = 256, WIDE = 64 };
    size_t count = problem->input->n[0];
    cmrt_buffer *keys = bench_buffer_of(run, &problem->in[0]);
    bench_launch(run, names->sort, BENCH_GRID(count / BLOCK, 1, 1, items, 1, 1), BENCH_BUFFER(keys));
    for (size_t length = 2 * BLOCK; length <= count; length *= 2) {
        for (size_t distance = length / 2; distance >= BLOCK;) {
            int steps = distance >= 4 * BLOCK ? 3 : distance >= 2 * BLOCK ? 2 : 1;
            distance >>= steps - 1; /* of the last one */
            bench_launch(run, names->steps[steps - 1], BENCH_GRID(count / WIDE >> steps, 1, 1, items, 1, 1),
                         BENCH_BUFFER(keys), BENCH_U32(length), BENCH_U32(distance));
            distance /= 2;
        }
        bench_launch(run, names->merge, BENCH_GRID(count / BLOCK, 1, 1, items, 1, 1), BENCH_BUFFER(keys),
                     BENCH_U32(length));
    }
    bench_read_array(run, keys, &problem->result[0]);
}

static void run_cm(struct bench_run *run, struct bench_problem *problem)
{
    static const struct names names = {"sort_256", {"merge_2", "merge_4", "merge_8"}, "merge_256"};
    run_registers(run, problem, &names, 1);
}

static void run_subgroup(struct bench_run *run, struct bench_problem *problem)
{
    static const struct names names = {
        "subgroup_sort", {"subgroup_steps_2", "subgroup_steps_4", "subgroup_steps_8"}, "subgroup_merge"};
    run_registers(run, problem, &names, 16);
}

/* Work items take eight keys; `first` and `last` begin and end with runs of `block`. */
static void run_global(struct bench_run *run, struct bench_problem *problem, const char *first, const char *last,
                       size_t block, struct bench_grid grid)
{
    enum { ITEMS = 32 }; /* of vector_step: 256 keys */
    size_t count = problem->input->n[0];
    cmrt_buffer *keys = bench_buffer_of(run, &problem->in[0]);
    bench_launch(run, first, grid, BENCH_BUFFER(keys));
    for (size_t length = 2 * block; length <= count; length *= 2) {
        for (size_t distance = length / 2; distance >= block; distance /= 2)
            bench_launch(run, "vector_step", BENCH_GRID(count / 8 / ITEMS, 1, 1, ITEMS, 1, 1), BENCH_BUFFER(keys),
                         BENCH_U32(length), BENCH_U32(distance));
        bench_launch(run, last, grid, BENCH_BUFFER(keys), BENCH_U32(length));
    }
    bench_read_array(run, keys, &problem->result[0]);
}

static void run_vector(struct bench_run *run, struct bench_problem *problem)
{
    run_global(run, problem, "vector_first", "vector_last", 8,
               BENCH_GRID(problem->input->n[0] / 8 / 32, 1, 1, 32, 1, 1));
}

static void run_local(struct bench_run *run, struct bench_problem *problem)
{
    if (problem->input->n[0] < 512)
        bench_skip("the number of keys must be at least 512");
    run_global(run, problem, "local_sort", "local_merge", 512, BENCH_GRID(problem->input->n[0] / 512, 1, 1, 256, 1, 1));
}

static const struct bench_variant variants[] = {
    {.name = "cm", .language = BENCH_CM, .run = run_cm, .text = "256 keys in registers"},
    {.name = "vector", .language = BENCH_CL, .run = run_vector, .text = "int4, global memory each step"},
    {.name = "local", .language = BENCH_CL, .run = run_local, .text = "512 keys in local memory"},
    {.name = "subgroup", .language = BENCH_CL, .run = run_subgroup, .text = "256 keys in a sub-group, shuffles"},
};

const struct workload workload_bitonic = {
    .name = "bitonic",
    .title = "bitonic sort",
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .published = {.low = 1.6, .high = 2.3, .text = "figure 5"},
    .size_names = "keys",
    .prepare = prepare,
    .reference = reference,
};
