/* SGEMM: C = alpha * A * B + beta * C. The numbers are small and whole, so every sum is exact in any order. */
#define NUMBER      float
#define NUMBER_KIND BENCH_F32
#define DEPTH_STEP  16
#include "benchmarks/sgemm/matrices.h"

#include <math.h>

static const struct bench_input inputs[] = {
    {.name = "45x77x29", .sizes = BENCH_TINY, .n = {45, 77, 29}, .text = "whole numbers from -8 to 7"},
    {.name = "64x64x32", .sizes = BENCH_TINY, .n = {64, 64, 32}, .text = "the same"},
    {.name = "256x256x256", .sizes = BENCH_SMALL | BENCH_FULL, .n = {256, 256, 256}, .text = "the same"},
    {.name = "255x257x253", .sizes = BENCH_SMALL | BENCH_FULL, .n = {255, 257, 253}, .text = "the same"},
    {.name = "512x512x512", .sizes = BENCH_FULL, .n = {512, 512, 512}, .text = "the same"},
    {.name = "1000x999x1001", .sizes = BENCH_FULL, .n = {1000, 999, 1001}, .text = "the same"},
    {.name = "1024x1024x1024", .sizes = BENCH_FULL, .n = {1024, 1024, 1024}, .text = "the same"},
};

static cmrt_image *image(struct bench_run *run, const struct bench_array *array, size_t width, size_t height,
                         enum cmrt_access access)
{
    return bench_image(run, width, height, CMRT_FORMAT_R32F, access, array->data);
}

/* Kernels that take images: groups of `group_rows` x `group_columns` sums by `width` x `height` threads or work items.
 */
static void run_images(struct bench_run *run, struct bench_problem *problem, size_t group_rows, size_t group_columns,
                       uint32_t width, uint32_t height)
{
    size_t rows = problem->input->n[0], columns = problem->input->n[1], depth = problem->input->n[2];
    cmrt_image *a = image(run, &problem->in[A], depth, rows, CMRT_READ);
    cmrt_image *b = image(run, &problem->in[B], columns, depth, CMRT_READ);
    cmrt_image *c = image(run, &problem->in[C], columns, rows, CMRT_READ_WRITE);
    struct bench_grid grid = BENCH_GRID((columns + group_columns - 1) / group_columns,
                                        (rows + group_rows - 1) / group_rows, 1, width, height, 1);
    if (problem->variant->language == BENCH_CM)
        bench_launch(run, "sgemm", grid, BENCH_IMAGE(a), BENCH_IMAGE(b), BENCH_IMAGE(c), BENCH_U32(depth),
                     BENCH_F32(alpha), BENCH_F32(beta));
    else
        bench_launch(run, kernel_of(problem), grid, BENCH_IMAGE(a), BENCH_IMAGE(b), BENCH_IMAGE(c), BENCH_IMAGE(c),
                     BENCH_U32(depth), BENCH_F32(alpha), BENCH_F32(beta));
    bench_read_image(run, c, problem->result[0].data);
}

static void run_cm(struct bench_run *run, struct bench_problem *problem)
{
    run_images(run, problem, 32, 16, 1, 1);
}

static void run_slm(struct bench_run *run, struct bench_problem *problem)
{
    run_tiles(run, problem, 32, 64, 16, 8);
}

static void run_simd_16x2_1x8(struct bench_run *run, struct bench_problem *problem)
{
    run_tiles(run, problem, 16, 16, 8, 1);
}

static void run_simd_32x2_1x8(struct bench_run *run, struct bench_problem *problem)
{
    run_tiles(run, problem, 32, 16, 8, 1);
}

static void run_simd_32x1_1x16(struct bench_run *run, struct bench_problem *problem)
{
    run_tiles(run, problem, 32, 16, 16, 1);
}

static void run_block_32x2_1x8(struct bench_run *run, struct bench_problem *problem)
{
    run_images(run, problem, 32, 16, 8, 1);
}

static void run_block_32x1_1x8(struct bench_run *run, struct bench_problem *problem)
{
    run_images(run, problem, 32, 8, 8, 1);
}

static void run_block_32x1_1x16(struct bench_run *run, struct bench_problem *problem)
{
    run_images(run, problem, 32, 16, 16, 1);
}

static const struct bench_variant variants[] = {
    {.name = "cm", .language = BENCH_CM, .run = run_cm, .text = "32x16 sums in registers, block reads"},
    {.name = "naive", .language = BENCH_CL, .run = run_naive, .text = "a sum a work item"},
    {.name = "L3_SLM_4x4_8x16", .language = BENCH_CL, .run = run_slm, .text = "A in local memory"},
    {.name = "L3_SIMD_16x2_1x8", .language = BENCH_CL, .run = run_simd_16x2_1x8, .text = "rows by sub-group reads"},
    {.name = "L3_SIMD_32x2_1x8", .language = BENCH_CL, .run = run_simd_32x2_1x8, .text = "the same"},
    {.name = "L3_SIMD_32x1_1x16", .language = BENCH_CL, .run = run_simd_32x1_1x16, .text = "the same, SIMD16"},
    {.name = "block_read_32x2_1x8", .language = BENCH_CL, .run = run_block_32x2_1x8, .text = "blocks of images"},
    {.name = "block_read_32x1_1x8", .language = BENCH_CL, .run = run_block_32x1_1x8, .text = "the same"},
    {.name = "block_read_32x1_1x16", .language = BENCH_CL, .run = run_block_32x1_1x16, .text = "the same, SIMD16"},
};

/* What `cmbench tune` chooses. */

enum { ROWS, COLUMNS, STEP, GROUP };                 /* of CM */
enum { SIZE, SG_ROWS, SG_WIDTH, SG_GROUP, BARRIER }; /* of L3_SIMD and block_read */
enum { SLM_ROWS, SLM_WIDTH, HEIGHT };                /* of L3_SLM */
enum { MOST_SUMS = 100 };                            /* registers of sums: with more, no 28 are left for the rest */

static const char spills[] = "the sums alone take nearly all registers";

static void tune_cm(struct bench_run *run, struct bench_problem *problem)
{
    const int *v = problem->variant->values;
    run_images(run, problem, (size_t)v[ROWS] * (size_t)v[GROUP], (size_t)v[COLUMNS], 1, (uint32_t)v[GROUP]);
}

static const char *refuses_cm(const int *v)
{
    return v[ROWS] * v[COLUMNS] / 8 > MOST_SUMS ? spills : NULL;
}

/* Threads of tiles of `rows` x `columns` sums; `lanes` of a multiply-add, which takes two clocks of an EU's two pipes
 * for 16 of them; `lines` of 64 bytes for each element of the depth. */
static struct bench_work work_of(const struct bench_input *input, int rows, int columns, int lanes, double lines)
{
    double mads = (double)rows * columns / lanes, depth = (double)input->n[2];
    double down = (double)input->n[0] / rows, across = (double)input->n[1] / columns;
    return (struct bench_work){.threads = ceil(down) * ceil(across),
                               .clocks = depth * mads * (lanes == 8 ? 1 : 2),
                               .lines = depth * lines + rows * columns / 8.0};
}

static struct bench_work work_cm(const struct bench_input *input, const int *v)
{
    return work_of(input, v[ROWS], v[COLUMNS], v[COLUMNS] < 16 ? 8 : 16,
                   (double)v[ROWS] / v[STEP] + (v[COLUMNS] < 16 ? 1 : v[COLUMNS] / 16.0));
}

static const char *refuses_subgroups(const int *v)
{
    if (v[BARRIER] && v[SG_GROUP] == 1)
        return "a barrier of one sub-group";
    return v[SG_ROWS] * v[SG_WIDTH] * v[SIZE] / 8 > MOST_SUMS ? spills : NULL;
}

static struct bench_work work_subgroups(const struct bench_input *input, const int *v)
{
    return work_of(input, v[SG_ROWS], v[SG_WIDTH] * v[SIZE], v[SIZE], (double)v[SG_ROWS] / v[SIZE] + v[SG_WIDTH]);
}

static void tune_simd(struct bench_run *run, struct bench_problem *problem)
{
    const int *v = problem->variant->values;
    run_tiles(run, problem, (size_t)v[SG_ROWS] * (size_t)v[SG_GROUP], (size_t)v[SG_WIDTH] * (size_t)v[SIZE],
              (uint32_t)v[SIZE], (uint32_t)v[SG_GROUP]);
}

static void tune_block(struct bench_run *run, struct bench_problem *problem)
{
    const int *v = problem->variant->values;
    run_images(run, problem, (size_t)v[SG_ROWS] * (size_t)v[SG_GROUP], (size_t)v[SG_WIDTH] * (size_t)v[SIZE],
               (uint32_t)v[SIZE], (uint32_t)v[SG_GROUP]);
}

static void tune_slm(struct bench_run *run, struct bench_problem *problem)
{
    const int *v = problem->variant->values;
    run_tiles(run, problem, (size_t)v[SLM_ROWS] * (size_t)v[HEIGHT], 16 * (size_t)v[SLM_WIDTH], 16,
              (uint32_t)v[HEIGHT]);
}

/* A work item's sums are a register for 8 of the 16 lanes. */
static const char *refuses_slm(const int *v)
{
    return v[SLM_ROWS] * v[SLM_WIDTH] * 2 > MOST_SUMS ? spills : NULL;
}

/* Each lane reads B for itself: a line for each of the 16 columns of a work item, and a passage over local memory for
 * each row of A. */
static struct bench_work work_slm(const struct bench_input *input, const int *v)
{
    return work_of(input, v[SLM_ROWS], 16 * v[SLM_WIDTH], 16, v[SLM_WIDTH] + v[SLM_ROWS]);
}

static struct bench_work work_naive(const struct bench_input *input, const int *v)
{
    (void)v;
    return work_of(input, 1, 16, 16, 2);
}

/* The article's variants, and this repository's. */
static const struct bench_known known_cm[] = {{"cm", {32, 16, 8, 1}}};
static const struct bench_known known_naive[] = {{"naive", {0}}};
static const struct bench_known known_slm[] = {{"L3_SLM_8x8_4x16", {8, 8, 4}},
                                               {"L3_SLM_8x8_8x16", {8, 8, 8}},
                                               {"L3_SLM_8x8_16x16", {8, 8, 16}},
                                               {"L3_SLM_4x4_8x16", {4, 4, 8}}};
static const struct bench_known known_simd[] = {
    {"L3_SIMD_32x2_1x8", {8, 32, 2, 1, 0}}, {"L3_SIMD_16x2_1x8", {8, 16, 2, 1, 0}},
    {"L3_SIMD_16x2_4x8", {8, 16, 2, 4, 0}}, {"L3_SIMD_8x4_1x8", {8, 8, 4, 1, 0}},
    {"L3_SIMD_8x4_8x8", {8, 8, 4, 8, 0}},   {"L3_SIMD_8x4_8x8_barrier", {8, 8, 4, 8, 1}}};
static const struct bench_known known_block[] = {{"block_read_32x2_1x8", {8, 32, 2, 1, 0}},
                                                 {"block_read_32x1_1x8", {8, 32, 1, 1, 0}},
                                                 {"block_read_16x2_1x8", {8, 16, 2, 1, 0}},
                                                 {"block_read_16x4_1x8", {8, 16, 4, 1, 0}}};

static const struct bench_family families[] = {
    {.name = "cm",
     .language = BENCH_CM,
     .parameters = {BENCH_PARAMETER("ROWS", 8, 16, 24, 32, 48, 64), BENCH_PARAMETER("COLUMNS", 8, 16, 32),
                    BENCH_PARAMETER("STEP", 8, 16), BENCH_PARAMETER("GROUP", 1, 2, 4, 8)},
     .refuses = refuses_cm,
     .work = work_cm,
     .run = tune_cm,
     BENCH_KNOWN(known_cm),
     .text = "sums in registers, block reads; GROUP threads one below the other"},
    {.name = "naive",
     .language = BENCH_CL,
     .work = work_naive,
     .run = run_naive,
     BENCH_KNOWN(known_naive),
     .text = "a sum a work item"},
    {.name = "L3_SLM",
     .language = BENCH_CL,
     .parameters = {BENCH_PARAMETER("ROWS", 2, 4, 8, 16), BENCH_PARAMETER("WIDTH", 4, 8),
                    BENCH_PARAMETER("HEIGHT", 4, 8, 16)},
     .refuses = refuses_slm,
     .work = work_slm,
     .run = tune_slm,
     BENCH_KNOWN(known_slm),
     .text = "A in local memory; HEIGHT x 16 work items of ROWS x WIDTH sums"},
    {.name = "L3_SIMD",
     .language = BENCH_CL,
     .parameters = {BENCH_PARAMETER("SIZE", 8, 16), BENCH_PARAMETER("ROWS", 8, 16, 24, 32),
                    BENCH_PARAMETER("WIDTH", 1, 2, 4), BENCH_PARAMETER("GROUP", 1, 2, 4, 8),
                    BENCH_PARAMETER("BARRIER", 0, 1)},
     .refuses = refuses_subgroups,
     .work = work_subgroups,
     .run = tune_simd,
     BENCH_KNOWN(known_simd),
     .text = "rows by sub-group reads; GROUP sub-groups of SIZE lanes"},
    {.name = "block_read",
     .language = BENCH_CL,
     .parameters = {BENCH_PARAMETER("SIZE", 8, 16), BENCH_PARAMETER("ROWS", 8, 16, 24, 32),
                    BENCH_PARAMETER("WIDTH", 1, 2, 4), BENCH_PARAMETER("GROUP", 1, 2, 4, 8),
                    BENCH_PARAMETER("BARRIER", 0, 1)},
     .refuses = refuses_subgroups,
     .work = work_subgroups,
     .run = tune_block,
     BENCH_KNOWN(known_block),
     .text = "blocks of images; GROUP sub-groups of SIZE lanes"},
};

const struct workload workload_sgemm = {
    .name = "sgemm",
    .title = "SGEMM",
    .needs = BENCH_NEEDS_MEDIA_BLOCKS,
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .published = {.low = 1.1, .high = 1.1, .text = "section VI: around 10%"},
    .size_names = "rows x columns x depth",
    .families = families,
    .family_count = sizeof families / sizeof *families,
    .tuned_input = "1024x1024x1024",
    .prepare = prepare,
    .reference = reference,
};
