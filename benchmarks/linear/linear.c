/* Runs the linear filter: 3x3 box blur of a picture. README.md and reference.c define the results of each version. */
#include "benchmarks/harness/workload.h"
#include "benchmarks/linear/reference.h"

#include <stdlib.h>
#include <string.h>

enum { NOISE, PHOTOGRAPH };

static const struct bench_input inputs[] = {
    {.name = "75x50", .sizes = BENCH_TINY, .n = {75, 50}, .kind = NOISE, .text = "seeded noise in stripes"},
    {.name = "photo-1507x848",
     .sizes = BENCH_SMALL | BENCH_FULL,
     .n = {2},
     .kind = PHOTOGRAPH,
     .text = "a photograph of a bird by Lukas Baubkus, at 2/8 of its size",
     .file = "/usr/share/backgrounds/Kleiber_by_Lukas_Baubkus.jpg",
     .package = "lomiri-wallpapers-20.04"},
    {.name = "photo-3014x1696",
     .sizes = BENCH_FULL,
     .n = {4},
     .kind = PHOTOGRAPH,
     .text = "the same at 4/8 of its size",
     .file = "/usr/share/backgrounds/Kleiber_by_Lukas_Baubkus.jpg",
     .package = "lomiri-wallpapers-20.04"},
    {.name = "photo-3768x2120",
     .sizes = BENCH_FULL,
     .n = {5},
     .kind = PHOTOGRAPH,
     .text = "the same at 5/8 of its size",
     .file = "/usr/share/backgrounds/Kleiber_by_Lukas_Baubkus.jpg",
     .package = "lomiri-wallpapers-20.04"},
};

static unsigned char *make_noise(size_t width, size_t height)
{
    uint64_t state = 1;
    unsigned char *samples = malloc(width * height * 3);
    if (!samples)
        bench_fail("out of memory");
    for (size_t i = 0; i < width * height * 3; i++) { /* stripes of full and of no contrast: every sum occurs */
        size_t stripe = i / 3 / 5 % 4;
        samples[i] = (unsigned char)(stripe == 0 ? 255 : stripe == 1 ? 0 : bench_random(&state));
    }
    return samples;
}

static void prepare(struct bench_problem *problem)
{
    const struct bench_input *input = problem->input;
    struct pixels *picture = calloc(1, sizeof *picture);
    if (!picture)
        bench_fail("out of memory");
    picture->channels = 3;
    picture->width = input->n[0];
    picture->height = input->n[1];
    if (input->kind == PHOTOGRAPH)
        picture->samples = bench_picture(input, (unsigned)input->n[0], &picture->width, &picture->height);
    else if (!picture->width || !picture->height || picture->width > 5000 || picture->height > 16000)
        bench_skip("pictures are 1 to 5000 by 1 to 16000 pixels, not %zux%zu", picture->width, picture->height);
    else
        picture->samples = make_noise(picture->width, picture->height);
    problem->extra = picture;
}

static void run_sampler(struct bench_run *run, struct bench_problem *problem);

static void reference(struct bench_problem *problem)
{
    const struct pixels *picture = problem->extra;
    int cuts = problem->variant->run != run_sampler;
    unsigned char *expected =
        bench_array_make(&problem->expected[0], "pixels", BENCH_U8, picture->width * picture->height * 3);
    for (size_t y = 0; y < picture->height; y++)
        for (size_t x = 0; x < picture->width; x++)
            for (size_t c = 0; c < 3; c++) {
                unsigned sum = linear_sum(picture, x, y, c);
                *expected++ = (unsigned char)(cuts ? linear_mean_cm(sum) : linear_mean_cl(sum));
            }
}

/* The picture in the upper left corner of an image of `pitch` bytes a row, `pixel` bytes a pixel. */
static void crop(const struct pixels *picture, const unsigned char *image, size_t pitch, size_t pixel,
                 struct bench_array *result)
{
    unsigned char *to = result->data;
    for (size_t y = 0; y < picture->height; y++)
        for (size_t x = 0; x < picture->width; x++, to += 3)
            memcpy(to, image + y * pitch + x * pixel, 3);
}

static unsigned char *allocate(size_t bytes)
{
    unsigned char *memory = malloc(bytes);
    if (!memory)
        bench_fail("out of memory");
    return memory;
}

/* On packed bytes, moved by a pixel (README.md): a group writes a block of `width` bytes and `rows` rows. */
static void run_bytes(struct bench_run *run, struct bench_problem *problem, const char *kernel, size_t width,
                      size_t rows, uint32_t local)
{
    const struct pixels *picture = problem->extra;
    struct pixels padded;
    if (linear_pad(picture, &padded))
        bench_fail("out of memory");
    size_t pitch = linear_columns(picture) * BLOCK_PIXELS * 3, height = linear_rows(picture) * BLOCK_ROWS;
    cmrt_image *in = bench_image(run, padded.width * 3, padded.height, CMRT_FORMAT_R8U, CMRT_READ, padded.samples);
    cmrt_image *out = bench_image(run, pitch, height, CMRT_FORMAT_R8U, CMRT_WRITE, NULL);
    bench_launch(run, kernel, BENCH_GRID((pitch + width - 1) / width, (height + rows - 1) / rows, 1, local, 1, 1),
                 BENCH_IMAGE(in), BENCH_IMAGE(out));
    unsigned char *pixels = allocate(pitch * height);
    bench_read_image(run, out, pixels);
    crop(picture, pixels, pitch, 3, &problem->result[0]);
    free(pixels);
    free(padded.samples);
}

static void run_shared(struct bench_run *run, struct bench_problem *problem)
{
    run_bytes(run, problem, "linear_shared", 32, 14, 1);
}

static void run_algorithm_2(struct bench_run *run, struct bench_problem *problem)
{
    run_bytes(run, problem, "linear", BLOCK_PIXELS * 3, BLOCK_ROWS, 1);
}

static void run_media_block(struct bench_run *run, struct bench_problem *problem)
{
    run_bytes(run, problem, problem->variant->name, 16, 14, 16);
}

static void run_sampler(struct bench_run *run, struct bench_problem *problem)
{
    const struct pixels *picture = problem->extra;
    size_t width = picture->width, height = picture->height;
    unsigned char *pixels = allocate(width * height * 4);
    for (size_t i = 0; i < width * height; i++) {
        memcpy(pixels + i * 4, picture->samples + i * 3, 3);
        pixels[i * 4 + 3] = 255;
    }
    cmrt_image *in = bench_image(run, width, height, CMRT_FORMAT_RGBA8, CMRT_READ, pixels);
    cmrt_image *out = bench_image(run, width, height, CMRT_FORMAT_RGBA8, CMRT_WRITE, NULL);
    bench_launch(run, "linear", BENCH_GRID((width + 15) / 16, (height + 15) / 16, 1, 16, 16, 1), BENCH_IMAGE(in),
                 BENCH_IMAGE(out), BENCH_I32(width), BENCH_I32(height));
    bench_read_image(run, out, pixels);
    crop(picture, pixels, width * 4, 4, &problem->result[0]);
    free(pixels);
}

static const struct bench_variant variants[] = {
    {.name = "cm",
     .language = BENCH_CM,
     .source = "shared_sums",
     .run = run_shared,
     .text = "sums of neighbours shared, 32x14 bytes a thread"},
    {.name = "cm_algorithm_2",
     .language = BENCH_CM,
     .run = run_algorithm_2,
     .text = "Algorithm 2 of the paper: a block of 8x6 pixels a thread"},
    {.name = "linear",
     .language = BENCH_CL,
     .run = run_sampler,
     .text = "Algorithm 1 of the paper: image and sampler, a pixel a work item"},
    {.name = "linear_media_block",
     .language = BENCH_CL,
     .run = run_media_block,
     .text = "16x14 bytes a sub-group, three media block reads, sums shared"},
    {.name = "linear_shuffle",
     .language = BENCH_CL,
     .run = run_media_block,
     .text = "the same, two media block reads and shuffles"},
};

const struct workload workload_linear = {
    .name = "linear",
    .title = "linear filter",
    .needs = BENCH_NEEDS_MEDIA_BLOCKS,
    .inputs = inputs,
    .input_count = sizeof inputs / sizeof *inputs,
    .variants = variants,
    .variant_count = sizeof variants / sizeof *variants,
    .size_names = "width x height",
    .prepare = prepare,
    .reference = reference,
    .cross_absolute = 1, /* they round differently: README.md */
};
