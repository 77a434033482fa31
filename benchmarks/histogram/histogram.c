/* Histogram of bytes. The cost of local memory's atomics depends on the data: equal neighbours collide. */
#include "benchmarks/harness/workload.h"

#include <math.h>
#include <stdlib.h>

enum { RANDOM, PICTURE };

static const char photograph[] = "/usr/share/backgrounds/Kleiber_by_Lukas_Baubkus.jpg";

static const struct bench_input inputs[] = {
    {.name = "random-20000", .sizes = BENCH_TINY, .n = {20000}, .kind = RANDOM, .text = "seeded random bytes"},
    {.name = "random-20013", .sizes = BENCH_TINY, .n = {20013}, .kind = RANDOM, .text = "an odd number of them"},
    {.name = "random-1M",
     .sizes = BENCH_SMALL | BENCH_FULL,
     .n = {1000000},
     .kind = RANDOM,
     .text = "seeded random bytes"},
    {.name = "photo-1507x848",
     .sizes = BENCH_SMALL | BENCH_FULL,
     .n = {2},
     .kind = PICTURE,
     .text = "brightness of a photograph of a bird by Lukas Baubkus",
     .file = photograph,
     .package = "lomiri-wallpapers-20.04"},
    {.name = "earth-1024x512",
     .sizes = BENCH_SMALL,
     .n = {4},
     .kind = PICTURE,
     .text = "brightness of a map of the earth, half of it sea",
     .file = "/usr/share/xplanet/images/earth.jpg",
     .package = "xplanet-images"},
    {.name = "random-16M", .sizes = BENCH_FULL, .n = {16 << 20}, .kind = RANDOM, .text = "seeded random bytes"},
    {.name = "photo-6028x3391",
     .sizes = BENCH_FULL,
     .n = {8},
     .kind = PICTURE,
     .text = "brightness of a photograph of a bird by Lukas Baubkus",
     .file = photograph,
     .package = "lomiri-wallpapers-20.04"},
    {.name = "earth-2048x1024",
     .sizes = BENCH_FULL,
     .n = {8},
     .kind = PICTURE,
     .text = "brightness of a map of the earth, half of it sea",
     .file = "/usr/share/xplanet/images/earth.jpg",
     .package = "xplanet-images"},
};

static void prepare(struct bench_problem *problem)
{
    const struct bench_input *input = problem->input;
    uint64_t state = 1;
    if (input->kind == RANDOM) {
        if (!input->n[0] || input->n[0] > (size_t)1 << 30)
            bench_skip("a histogram is of 1 to %d bytes, not %zu", 1 << 30, input->n[0]);
        uint8_t *bytes = bench_array_make(&problem->in[0], "bytes", BENCH_U8, input->n[0]);
        for (size_t i = 0; i < input->n[0]; i++)
            bytes[i] = (uint8_t)bench_random(&state);
        return;
    }
    size_t width, height;
    unsigned char *rgb = bench_picture(input, (unsigned)input->n[0], &width, &height);
    uint8_t *bytes = bench_array_make(&problem->in[0], "bytes", BENCH_U8, width * height);
    for (size_t i = 0; i < width * height; i++) /* luma, Rec. 601, in 1/256 */
        bytes[i] = (uint8_t)((rgb[3 * i] * 77u + rgb[3 * i + 1] * 150u + rgb[3 * i + 2] * 29u) >> 8);
    free(rgb);
}

static void reference(struct bench_problem *problem)
{
    const uint8_t *bytes = problem->in[0].data;
    uint32_t *counts = bench_array_make(&problem->expected[0], "counts", BENCH_U32, 256);
    for (size_t i = 0; i < problem->in[0].count; i++)
        counts[bytes[i]]++;
}

/* `bytes`: the number that a group counts. */
static void run_with(struct bench_run *run, struct bench_problem *problem, const char *kernel, size_t bytes,
                     uint32_t group)
{
    static const uint32_t zeros[256];
    cmrt_buffer *in = bench_buffer_of(run, &problem->in[0]), *out = bench_buffer(run, zeros, sizeof zeros);
    bench_launch(run, kernel, BENCH_GRID((problem->in[0].count + bytes - 1) / bytes, 1, 1, group, 1, 1),
                 BENCH_BUFFER(in), BENCH_BUFFER(out), BENCH_U32(problem->in[0].count));
    bench_read_array(run, out, &problem->result[0]);
}

static void run_registers(struct bench_run *run, struct bench_problem *problem)
{
    run_with(run, problem, "histogram", 8192, 1);
}

static void run_slm(struct bench_run *run, struct bench_problem *problem)
{
    run_with(run, problem, "histogram_slm", 8192 * 8, 8);
}

static void run_cl(struct bench_run *run, struct bench_problem *problem)
{
    run_with(run, problem, "histogram", 256 * 64, 256);
}

static void run_cl_long(struct bench_run *run, struct bench_problem *problem)
{
    run_with(run, problem, "histogram_long", 256 * 256, 256);
}

static const struct bench_variant variants[] = {
    {.name = "cm",
     .language = BENCH_CM,
     .run = run_slm,
     .text = "counters of 8 threads in local memory, 16 bytes a message"},
    {.name = "cm_registers",
     .language = BENCH_CM,
     .run = run_registers,
     .text = "the paper's: 256 counters in the registers of each thread"},
    {.name = "histogram",
     .language = BENCH_CL,
     .run = run_cl,
     .text = "counters of a group in local memory, 64 bytes a work item"},
    {.name = "histogram_long", .language = BENCH_CL, .run = run_cl_long, .text = "the same, 256 bytes a work item"},
};

/* What `cmbench tune` chooses: reads of 128 bytes (CM) or 16 (OpenCL) of a thread or work item, and the group. */

enum { READS, GROUP };

static void tune_registers(struct bench_run *run, struct bench_problem *problem)
{
    run_with(run, problem, "histogram", (size_t)problem->variant->values[READS] * 128, 1);
}

static void tune_slm(struct bench_run *run, struct bench_problem *problem)
{
    const int *v = problem->variant->values;
    run_with(run, problem, "histogram_slm", (size_t)v[READS] * (size_t)v[GROUP] * 128, (uint32_t)v[GROUP]);
}

static void tune_cl(struct bench_run *run, struct bench_problem *problem)
{
    const int *v = problem->variant->values;
    run_with(run, problem, "histogram_long", (size_t)v[READS] * (size_t)v[GROUP] * 16, (uint32_t)v[GROUP]);
}

/* Pictures: the bytes are known when they are read, and in all points the same. */
static double bytes_of(const struct bench_input *input)
{
    return input->kind == RANDOM ? (double)input->n[0] : 1 << 20;
}

/* Threads of `bytes`, each of which takes `clocks` of an EU and `passages` over local memory; what a thread adds to the
 * result at its end are `lines`. */
static struct bench_work work_of(const struct bench_input *input, double bytes, double clocks, double passages,
                                 double lines)
{
    return (struct bench_work){ceil(bytes_of(input) / bytes), bytes * clocks, bytes / 64 + bytes * passages + lines};
}

static struct bench_work work_registers(const struct bench_input *input, const int *v)
{
    return work_of(input, v[READS] * 128.0, 2, 0, 16);
}

static struct bench_work work_slm(const struct bench_input *input, const int *v)
{
    return work_of(input, v[READS] * 128.0, 0.25, 0.25, 16.0 / v[GROUP]);
}

static struct bench_work work_cl(const struct bench_input *input, const int *v)
{
    return work_of(input, v[READS] * 256.0, 0.25, 0.25, 256.0 / v[GROUP]);
}

static const struct bench_known known_registers[] = {{"cm_registers", {64, 8}}}, known_slm[] = {{"cm", {64, 8}}};
static const struct bench_known known_cl[] = {{"histogram", {4, 256}}, {"histogram_long", {16, 256}}};

static const struct bench_family families[] = {
    {.name = "slm",
     .language = BENCH_CM,
     .parameters = {BENCH_PARAMETER("BLOCKS", 4, 8, 16, 32, 64, 128), BENCH_PARAMETER("GROUP", 4, 8, 16)},
     .work = work_slm,
     .run = tune_slm,
     BENCH_KNOWN(known_slm),
     .text = "counters of GROUP threads in local memory"},
    {.name = "registers",
     .language = BENCH_CM,
     .parameters = {BENCH_PARAMETER("BLOCKS", 8, 16, 32, 64, 128), BENCH_PARAMETER("GROUP", 8)},
     .work = work_registers,
     .run = tune_registers,
     BENCH_KNOWN(known_registers),
     .text = "256 counters in the registers of each thread"},
    {.name = "histogram",
     .language = BENCH_CL,
     .parameters = {BENCH_PARAMETER("LOADS", 1, 2, 4, 8, 16, 32), BENCH_PARAMETER("GROUP", 64, 128, 256)},
     .work = work_cl,
     .run = tune_cl,
     BENCH_KNOWN(known_cl),
     .text = "counters of a group in local memory; LOADS of 16 bytes a work item"},
};

const struct workload workload_histogram = {
    .name = "histogram",
    .title = "histogram",
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .published = {0, 2.7, "figure 5"},
    .size_names = "bytes",
    .families = families,
    .family_count = sizeof families / sizeof *families,
    .tuned_input = "random-1M",
    .prepare = prepare,
    .reference = reference,
};
