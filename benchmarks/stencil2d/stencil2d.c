/* A nine-point stencil: a weighted sum of a pixel, its four neighbours and its four diagonal neighbours. */
#include "benchmarks/harness/workload.h"

#include <math.h>

static const float centre = 0.25f, side = 0.15f, corner = 0.0375f;

static const struct bench_input inputs[] = {
    {.name = "96x64", .sizes = BENCH_TINY, .n = {96, 64}, .text = "whole blocks, seeded random floats"},
    {.name = "83x46", .sizes = BENCH_TINY, .n = {83, 46}, .text = "odd sides, seeded random floats"},
    {.name = "1024x1024", .sizes = BENCH_SMALL | BENCH_FULL, .n = {1024, 1024}, .text = "seeded random floats"},
    {.name = "1333x777",
     .sizes = BENCH_SMALL | BENCH_FULL,
     .n = {1333, 777},
     .text = "odd sides, seeded random floats"},
    {.name = "4096x4096", .sizes = BENCH_FULL, .n = {4096, 4096}, .text = "seeded random floats"},
};

static void prepare(struct bench_problem *problem)
{
    size_t width = problem->input->n[0], height = problem->input->n[1];
    uint64_t state = 1;
    if (width < 16 || height < 4 || width > 16384 || height > 16384)
        bench_skip("images have 16 to 16384 columns and 4 to 16384 rows, not %zux%zu", width, height);
    float *in = bench_array_make(&problem->in[0], "image", BENCH_F32, width * height);
    for (size_t i = 0; i < width * height; i++)
        in[i] = bench_random_float(&state, -1, 1);
}

static double at(const struct bench_problem *problem, long x, long y)
{
    long width = (long)problem->input->n[0], height = (long)problem->input->n[1];
    x = x < 0 ? 0 : x < width ? x : width - 1;
    y = y < 0 ? 0 : y < height ? y : height - 1;
    return (double)((const float *)problem->in[0].data)[y * width + x];
}

static void reference(struct bench_problem *problem)
{
    long width = (long)problem->input->n[0], height = (long)problem->input->n[1];
    float *out = bench_array_make(&problem->expected[0], "pixels", BENCH_F32, (size_t)(width * height));
    problem->expected[0].absolute = 1e-6; /* eight roundings of numbers below 1 */
    for (long y = 0; y < height; y++)
        for (long x = 0; x < width; x++)
            *out++ = (float)(at(problem, x, y) * (double)centre +
                             (at(problem, x - 1, y) + at(problem, x + 1, y) + at(problem, x, y - 1) +
                              at(problem, x, y + 1)) *
                                 (double)side +
                             (at(problem, x - 1, y - 1) + at(problem, x + 1, y - 1) + at(problem, x - 1, y + 1) +
                              at(problem, x + 1, y + 1)) *
                                 (double)corner);
}

/* Groups of `columns` x `rows` pixels by `width` x `height` threads or work items. */
static void run_images(struct bench_run *run, struct bench_problem *problem, size_t columns, size_t rows,
                       uint32_t threads_x, uint32_t threads_y)
{
    size_t width = problem->input->n[0], height = problem->input->n[1];
    int cm = problem->variant->language == BENCH_CM;
    cmrt_image *in = bench_image(run, width, height, CMRT_FORMAT_R32F, CMRT_READ, problem->in[0].data);
    cmrt_image *out = bench_image(run, width, height, CMRT_FORMAT_R32F, CMRT_WRITE, NULL);
    bench_launch(run, cm ? "stencil" : "stencil_media_block",
                 BENCH_GRID((width + columns - 1) / columns, (height + rows - 1) / rows, 1, threads_x, threads_y, 1),
                 BENCH_IMAGE(in), BENCH_IMAGE(out), BENCH_F32(centre), BENCH_F32(side), BENCH_F32(corner));
    bench_read_image(run, out, problem->result[0].data);
}

static void run_blocks(struct bench_run *run, struct bench_problem *problem)
{
    int cm = problem->variant->language == BENCH_CM;
    run_images(run, problem, cm ? 16 : 8, 16, cm ? 1 : 8, 1);
}

/* `columns` and `rows` of a group of `grid`. */
static void run_buffers(struct bench_run *run, struct bench_problem *problem, const char *kernel,
                        struct bench_grid grid, size_t columns, size_t rows)
{
    size_t width = problem->input->n[0], height = problem->input->n[1];
    cmrt_buffer *in = bench_buffer_of(run, &problem->in[0]);
    cmrt_buffer *out = bench_buffer(run, NULL, width * height * sizeof(float));
    grid.groups[0] = (uint32_t)((width + columns - 1) / columns);
    grid.groups[1] = (uint32_t)((height + rows - 1) / rows);
    bench_launch(run, kernel, grid, BENCH_BUFFER(in), BENCH_BUFFER(out), BENCH_I32(width), BENCH_I32(height),
                 BENCH_F32(centre), BENCH_F32(side), BENCH_F32(corner));
    bench_read_array(run, out, &problem->result[0]);
}

static void run_plain(struct bench_run *run, struct bench_problem *problem)
{
    run_buffers(run, problem, "stencil", BENCH_GRID(1, 1, 1, 16, 16, 1), 16, 16);
}

static void run_slm(struct bench_run *run, struct bench_problem *problem)
{
    run_buffers(run, problem, "stencil_slm", BENCH_GRID(1, 1, 1, 16, 8, 1), 16, 64);
}

static void run_subgroup(struct bench_run *run, struct bench_problem *problem)
{
    run_buffers(run, problem, "stencil_subgroup", BENCH_GRID(1, 1, 1, 16, 1, 1), 16, 16);
}

static const struct bench_variant variants[] = {
    {.name = "cm", .language = BENCH_CM, .run = run_blocks, .text = "16x16 pixels a thread, media blocks"},
    {.name = "stencil", .language = BENCH_CL, .run = run_plain, .text = "a pixel a work item, nine loads"},
    {.name = "stencil_slm", .language = BENCH_CL, .run = run_slm, .text = "tiles in local memory"},
    {.name = "stencil_subgroup",
     .language = BENCH_CL,
     .run = run_subgroup,
     .text = "16x16 pixels a sub-group, block reads and shuffles"},
    {.name = "stencil_media_block",
     .language = BENCH_CL,
     .run = run_blocks,
     .text = "8x16 pixels a sub-group, media block reads and writes"},
};

/* What `cmbench tune` chooses. */

enum { ROWS, GROUP };                       /* of CM */
enum { WIDTH, HEIGHT };                     /* of the plain kernel's groups */
enum { SLM_ROWS, SLM_COLUMNS, SLM_HEIGHT }; /* rows of a work item; the group */
enum { SG_ROWS, SIZE };                     /* of a sub-group, and of media blocks */

static void tune_cm(struct bench_run *run, struct bench_problem *problem)
{
    const int *v = problem->variant->values;
    run_images(run, problem, 16, (size_t)v[ROWS] * (size_t)v[GROUP], 1, (uint32_t)v[GROUP]);
}

static void tune_plain(struct bench_run *run, struct bench_problem *problem)
{
    const int *v = problem->variant->values;
    run_buffers(run, problem, "stencil", BENCH_GRID(1, 1, 1, (uint32_t)v[WIDTH], (uint32_t)v[HEIGHT], 1),
                (size_t)v[WIDTH], (size_t)v[HEIGHT]);
}

static void tune_slm(struct bench_run *run, struct bench_problem *problem)
{
    const int *v = problem->variant->values;
    run_buffers(run, problem, "stencil_slm", BENCH_GRID(1, 1, 1, (uint32_t)v[SLM_COLUMNS], (uint32_t)v[SLM_HEIGHT], 1),
                (size_t)v[SLM_COLUMNS], (size_t)v[SLM_ROWS] * (size_t)v[SLM_HEIGHT]);
}

static void tune_subgroup(struct bench_run *run, struct bench_problem *problem)
{
    const int *v = problem->variant->values;
    run_buffers(run, problem, "stencil_subgroup", BENCH_GRID(1, 1, 1, (uint32_t)v[SIZE], 1, 1), (size_t)v[SIZE],
                (size_t)v[SG_ROWS]);
}

static void tune_media_block(struct bench_run *run, struct bench_problem *problem)
{
    run_images(run, problem, 8, (size_t)problem->variant->values[SG_ROWS], 8, 1);
}

static const char *refuses_plain(const int *v)
{
    return v[WIDTH] * v[HEIGHT] > 256 ? "a group of more than 256" : NULL;
}

static const char *refuses_slm(const int *v)
{
    if (v[SLM_COLUMNS] * v[SLM_HEIGHT] > 256)
        return "a group of more than 256";
    return (v[SLM_ROWS] * v[SLM_HEIGHT] + 2) * (v[SLM_COLUMNS] + 2) * 4 > 65536 ? "more than 64 KB" : NULL;
}

/* Threads of `columns` x `rows` pixels, which read `reads` rows of `lines` lines: eight operations of 16 lanes a row.
 */
static struct bench_work work_of(const struct bench_input *input, double columns, double rows, double reads,
                                 double lines)
{
    double threads = ceil((double)input->n[0] / columns) * ceil((double)input->n[1] / rows);
    return (struct bench_work){threads, (rows + 2) * columns, reads * lines + rows};
}

static struct bench_work work_cm(const struct bench_input *input, const int *v)
{
    return work_of(input, 16, v[ROWS], v[ROWS] + 4, 3);
}

static struct bench_work work_plain(const struct bench_input *input, const int *v)
{
    (void)v;
    return work_of(input, 16, 1, 9, 2);
}

static struct bench_work work_slm(const struct bench_input *input, const int *v)
{
    return work_of(input, 16, v[SLM_ROWS], v[SLM_ROWS] + 2, 4); /* loads, and passages over local memory */
}

static struct bench_work work_subgroup(const struct bench_input *input, const int *v)
{
    return work_of(input, v[SIZE], v[SG_ROWS], v[SG_ROWS] + 2, 3);
}

static struct bench_work work_media_block(const struct bench_input *input, const int *v)
{
    return work_of(input, 8, v[SG_ROWS], v[SG_ROWS] + 8, 3);
}

static const struct bench_known known_cm[] = {{"cm", {16, 1}}}, known_plain[] = {{"stencil", {16, 16}}};
static const struct bench_known known_slm[] = {{"stencil_slm", {8, 16, 8}}};
static const struct bench_known known_subgroup[] = {{"stencil_subgroup", {16, 16}}};
static const struct bench_known known_media_block[] = {{"stencil_media_block", {16}}};

static const struct bench_family families[] = {
    {.name = "cm",
     .language = BENCH_CM,
     .parameters = {BENCH_PARAMETER("ROWS", 4, 8, 12, 16, 20, 24, 28, 32), BENCH_PARAMETER("GROUP", 1, 2, 4, 8)},
     .work = work_cm,
     .run = tune_cm,
     BENCH_KNOWN(known_cm),
     .text = "16 columns of ROWS rows a thread, media blocks"},
    {.name = "stencil",
     .language = BENCH_CL,
     .parameters = {BENCH_PARAMETER("WIDTH", 8, 16, 32, 64, 128, 256), BENCH_PARAMETER("HEIGHT", 1, 2, 4, 8, 16)},
     .refuses = refuses_plain,
     .work = work_plain,
     .run = tune_plain,
     BENCH_KNOWN(known_plain),
     .text = "a pixel a work item; groups of WIDTH x HEIGHT"},
    {.name = "stencil_slm",
     .language = BENCH_CL,
     .parameters = {BENCH_PARAMETER("ROWS", 2, 4, 8, 16), BENCH_PARAMETER("COLUMNS", 16, 32, 64),
                    BENCH_PARAMETER("HEIGHT", 2, 4, 8, 16)},
     .refuses = refuses_slm,
     .work = work_slm,
     .run = tune_slm,
     BENCH_KNOWN(known_slm),
     .text = "tiles in local memory; ROWS rows a work item"},
    {.name = "stencil_subgroup",
     .language = BENCH_CL,
     .parameters = {BENCH_PARAMETER("ROWS", 4, 8, 12, 16, 20, 24), BENCH_PARAMETER("SIZE", 8, 16)},
     .work = work_subgroup,
     .run = tune_subgroup,
     BENCH_KNOWN(known_subgroup),
     .text = "ROWS rows of SIZE pixels a sub-group"},
    {.name = "stencil_media_block",
     .language = BENCH_CL,
     .parameters = {BENCH_PARAMETER("ROWS", 8, 16, 24, 32)},
     .work = work_media_block,
     .run = tune_media_block,
     BENCH_KNOWN(known_media_block),
     .text = "8 columns of ROWS rows a sub-group, media block reads and writes"},
};

const struct workload workload_stencil2d = {
    .name = "stencil2d",
    .title = "stencil 2D, nine points",
    .needs = BENCH_NEEDS_MEDIA_BLOCKS,
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .published = {2.2, 2.2, "table I"},
    .size_names = "width x height",
    .families = families,
    .family_count = sizeof families / sizeof *families,
    .tuned_input = "1024x1024",
    .prepare = prepare,
    .reference = reference,
};
