/* Runs the kernels of kernels_agree.cl, compiled from source by each driver, on the GPU and on the host's CPU (PoCL).
 * The two compilers and machines must agree on every bit. */
#include "machine.h"

enum { IN_WORDS = 4, OUT_WORDS = 8 /* for each item */ };

static const struct row {
    const char *name;
    uint32_t group;
} rows[] = {
#define KERNEL(NAME, GROUP) {#NAME, GROUP},
#include "kernels.def"
};

/* Random words with the awkward values mixed in. */
static void fill(uint32_t *in, uint32_t count, uint32_t seed)
{
    static const uint32_t awkward[] = {0, 1, 0xffffffff, 0x80000000, 0x7fffffff, 0x80, 0xff, 0x8000, 0xffff, 31, 32};
    enum { AWKWARD = sizeof awkward / sizeof awkward[0] };
    struct random random = {seed};
    for (uint32_t i = 0; i < count; i++) {
        uint32_t choice = random_below(&random, 4 * AWKWARD);
        in[i] = choice < AWKWARD ? awkward[choice] : random_bits(&random);
    }
}

static unsigned compare(const struct row *row, const uint32_t *in, const uint32_t *gpu, const uint32_t *cpu,
                        uint32_t items)
{
    unsigned different = 0;
    for (uint32_t i = 0; i < items * OUT_WORDS; i++) {
        const uint32_t *item = in + i / OUT_WORDS * IN_WORDS;
        if (gpu[i] != cpu[i] && different++ < 8)
            fprintf(stderr,
                    "%s in groups of %u: item %u, word %u: GPU 0x%08x, CPU 0x%08x; input 0x%08x 0x%08x 0x%08x 0x%08x\n",
                    row->name, row->group, i / OUT_WORDS, i % OUT_WORDS, gpu[i], cpu[i], item[0], item[1], item[2],
                    item[3]);
    }
    if (different)
        fprintf(stderr, "%s in groups of %u: %u words differ\n", row->name, row->group, different);
    return different;
}

/* As many whole groups as `items` has. */
static unsigned run_row(const struct suite *suite, const struct row *row, const struct machine machines[2],
                        const cl_program programs[2], uint32_t seed)
{
    uint32_t items = row->group ? (suite->items + row->group - 1) / row->group * row->group : suite->items;
    size_t in_bytes = (size_t)items * IN_WORDS * 4, out_bytes = (size_t)items * OUT_WORDS * 4;
    uint32_t *in = malloc(in_bytes), *out[2] = {calloc(1, out_bytes), calloc(1, out_bytes)};
    REQUIRE(in && out[0] && out[1], "no memory");
    fill(in, items * IN_WORDS, seed);
    for (unsigned m = 0; m < 2; m++)
        machine_run(&machines[m], programs[m], row->name,
                    &(struct launch){items, row->group, in_bytes, out_bytes, in, out[m]});
    unsigned wrong = compare(row, in, out[0], out[1], items);
    free(in);
    free(out[0]);
    free(out[1]);
    return wrong;
}

/* Arguments: SOURCE [SIMD], the GPU's sub-group size. */
int main(int count, char **arguments)
{
    struct suite suite = suite_parse(count, arguments, 1024);
    struct machine machines[2] = {machine_open(CL_DEVICE_TYPE_GPU), machine_open(CL_DEVICE_TYPE_CPU)};
    unsigned wrong = 0, run = 0;
    char options[64] = "";
    REQUIRE(suite.rest[0], "usage: agree_kernels SOURCE [SIMD] [--seed N] [--items N] [--only KERNEL]");
    if (suite.rest[1])
        snprintf(options, sizeof options, "-DSIMD=%.8s", suite.rest[1]);
    char *source = read_text(suite.rest[0]);
    cl_program programs[2] = {machine_build(&machines[0], source, options), machine_build(&machines[1], source, "")};
    free(source);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (!suite_wants(&suite, rows[i].name))
            continue;
        wrong += run_row(&suite, &rows[i], machines, programs, suite.seed + (uint32_t)i) != 0;
        run++;
    }
    printf("%u launches, %u wrong\n", run, wrong);
    for (unsigned m = 0; m < 2; m++) {
        CL(clReleaseProgram(programs[m]));
        machine_close(&machines[m]);
    }
    return wrong != 0 || run == 0;
}
