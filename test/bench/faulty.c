/* Defines a cmbench whose workloads fail in every possible way; bad_input.py has the expected results. */
#include "benchmarks/harness/workload.h"

enum { RIGHT, WRONG_REFERENCE, NO_PACKAGE };
enum { WORDS = 64 };

static const struct bench_input inputs[] = {
    {.name = "right", .sizes = BENCH_TINY, .n = {WORDS}, .kind = RIGHT, .text = "nothing wrong"},
    {.name = "wrong-reference",
     .sizes = BENCH_SMALL,
     .n = {WORDS},
     .kind = WRONG_REFERENCE,
     .text = "the reference is off"},
    {.name = "no-package",
     .sizes = BENCH_SMALL,
     .n = {WORDS},
     .kind = NO_PACKAGE,
     .text = "a picture that is not installed",
     .file = "/usr/share/no-such-package/picture.jpg",
     .package = "no-such-package"},
    {.name = "right-after-all", .sizes = BENCH_SMALL, .n = {WORDS}, .kind = RIGHT, .text = "nothing wrong"},
};

static void prepare(struct bench_problem *problem)
{
    size_t width, height;
    if (problem->input->kind == NO_PACKAGE)
        bench_picture(problem->input, 8, &width, &height);
    if (problem->input->n[0] % 16)
        bench_skip("the kernel takes multiples of 16 words, not %zu", problem->input->n[0]);
    uint32_t *words = bench_array_make(&problem->in[0], "words", BENCH_U32, problem->input->n[0]);
    for (uint32_t i = 0; i < problem->input->n[0]; i++)
        words[i] = i * i;
}

static void reference(struct bench_problem *problem)
{
    const uint32_t *in = problem->in[0].data;
    uint32_t *out = bench_array_make(&problem->expected[0], "sums", BENCH_U32, problem->in[0].count);
    for (size_t i = 0; i < problem->in[0].count; i++)
        out[i] = in[i] + 1;
    if (problem->input->kind == WRONG_REFERENCE)
        out[7]++;
}

static void run_increment(struct bench_run *run, struct bench_problem *problem)
{
    cmrt_buffer *in = bench_buffer_of(run, &problem->in[0]), *out = bench_buffer_of(run, &problem->in[0]);
    bench_launch(run, "increment", BENCH_GRID(problem->in[0].count / 16, 1, 1, 1, 1, 1), BENCH_BUFFER(in),
                 BENCH_BUFFER(out));
    bench_read_array(run, out, &problem->result[0]);
}

/* Forgets to launch: what is in the result must not pass for right. */
static void run_nothing(struct bench_run *run, struct bench_problem *problem)
{
    (void)run;
    (void)problem;
}

static void run_fault(struct bench_run *run, struct bench_problem *problem)
{
    cmrt_buffer *out = bench_buffer_of(run, &problem->in[0]);
    bench_launch(run, "read_nowhere", BENCH_GRID(1, 1, 1, 1, 1, 1), BENCH_BUFFER(out));
}

static void run_no_kernel(struct bench_run *run, struct bench_problem *problem)
{
    (void)problem;
    bench_launch(run, "no_such_kernel", BENCH_GRID(1, 1, 1, 1, 1, 1), BENCH_U32(1));
}

static const struct bench_variant variants[] = {
    {.name = "cm", .language = BENCH_CM, .run = run_increment},
    {.name = "broken", .language = BENCH_CM, .source = "broken", .run = run_increment},
    {.name = "nothing", .language = BENCH_CM, .run = run_nothing},
    {.name = "fault", .language = BENCH_CM, .run = run_fault},
    {.name = "no_kernel", .language = BENCH_CM, .run = run_no_kernel},
    {.name = "again", .language = BENCH_CM, .run = run_increment},
};

static const struct workload faulty = {
    .name = "faulty",
    .title = "faulty",
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .size_names = "words",
    .prepare = prepare,
    .reference = reference,
};

static const struct workload faulty_double = {
    .name = "faulty_double",
    .title = "faulty, with doubles",
    .needs = BENCH_NEEDS_DOUBLE | BENCH_NEEDS_MEDIA_BLOCKS,
    .inputs = inputs,
    .input_count = 1,
    .variants = variants,
    .variant_count = 1,
    .prepare = prepare,
    .reference = reference,
};

int main(int count, char **words)
{
    static const struct workload *const workloads[] = {&faulty, &faulty_double};
    const struct bench_table table = {workloads, 2, CMKIT_TEST_BENCH};
    return bench_main(&table, count, words);
}
