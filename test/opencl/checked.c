/* Checks features of the GPU that PoCL lacks, at least in this form: sub-groups, collectives of groups, block reads and
 * writes, dot products, generic pointers, ordered atomics, media blocks, depths, planar images, images with levels,
 * printf. The expected results come from the host's arithmetic. (checked_formats.c: formats of images; checked_yuv.c:
 * planar and packed ones) */
#include "checked.h"

#include <CL/cl_ext.h>

#include <math.h>
#include <unistd.h>

enum { IN_WORDS = 4, OUT_WORDS = 8, GROUP = 64 };

/* A whole launch: every item's inputs and the expected outputs; `simd` items make a sub-group. */
struct launched {
    uint32_t items, simd;
    const uint32_t *in;
    uint32_t *out;
};

static uint32_t input(const struct launched *l, uint32_t item, unsigned word)
{
    return l->in[item * IN_WORDS + word];
}

/* Item `lane` of the sub-group of `item`. */
static uint32_t of_lane(const struct launched *l, uint32_t item, uint32_t lane, unsigned word)
{
    return input(l, item / l->simd * l->simd + lane % l->simd, word);
}

static void shuffles(const struct launched *l, uint32_t item, uint32_t *o)
{
    uint32_t simd = l->simd, lane = item % simd;
    uint32_t a = input(l, item, 0), b = input(l, item, 1), c = input(l, item, 2), d = input(l, item, 3);
    o[0] = of_lane(l, item, b, 0);
    o[1] = of_lane(l, item, lane ^ c % simd, 0);
    o[2] = lane + 3 < simd ? of_lane(l, item, lane + 3, 0) : of_lane(l, item, lane + 3 - simd, 1);
    o[3] = lane >= 5 ? of_lane(l, item, lane - 5, 1) : of_lane(l, item, lane + simd - 5, 0);
    o[4] = of_lane(l, item, 6, 2);
    o[5] = (of_lane(l, item, a >> 3, 3) & 0xffff) + ((of_lane(l, item, 2, 2) & 0xff) << 16);
    o[6] = of_lane(l, item, d, 1) ^ of_lane(l, item, d, 0) * 3;
    o[7] = lane + 100 * (item % GROUP / simd) + 10000 * simd;
}

static void collectives(const struct launched *l, uint32_t item, uint32_t *o)
{
    uint32_t lane = item % l->simd, most_c = 0, odd_all = 1, first_odd = l->simd, odd_lanes = 0, any = 0, all = 1;
    int32_t least_b = INT32_MAX, scan_b = INT32_MIN;
    uint64_t wide = 0;
    memset(o, 0, OUT_WORDS * 4);
    o[7] = UINT32_MAX;
    for (uint32_t i = 0; i < l->simd; i++) {
        uint32_t a = of_lane(l, item, i, 0), b = of_lane(l, item, i, 1), c = of_lane(l, item, i, 2),
                 d = of_lane(l, item, i, 3);
        o[0] += a;
        least_b = (int32_t)b < least_b ? (int32_t)b : least_b;
        most_c = c > most_c ? c : most_c;
        wide += (uint64_t)a << 32 | b;
        any |= (a & 15) == 3;
        all &= b != 0;
        if (a & 1) {
            odd_all &= b & 1;
            odd_lanes |= UINT32_C(1) << i;
            first_odd = i < first_odd ? i : first_odd;
        }
        if (i <= lane) {
            o[2] += d;
            scan_b = (int32_t)b > scan_b ? (int32_t)b : scan_b;
        }
        if (i < lane) {
            o[3] += a;
            o[7] = c < o[7] ? c : o[7];
        }
    }
    o[1] = (uint32_t)least_b ^ most_c;
    o[4] = (uint32_t)scan_b;
    o[5] = (uint32_t)wide ^ (uint32_t)(wide >> 32);
    o[6] = any + 2 * all;
    if (input(l, item, 0) & 1)
        o[7] += odd_all + 2 * (lane == first_odd) + 16 * odd_lanes;
}

/* The eight words of an item are not its own here: word w of the sub-group's output is made of blocks. */
static void block_moves(const struct launched *l, uint32_t item, uint32_t *o)
{
    uint32_t simd = l->simd, first = item / simd * simd;
    const uint32_t *in = l->in + first * IN_WORDS;
    const uint8_t *bytes = (const uint8_t *)in;
    for (unsigned w = 0; w < OUT_WORDS; w++) {
        uint32_t at = (item - first) * OUT_WORDS + w, row = at / simd, lane = at % simd;
        if (row < 4)
            o[w] = in[row * simd + lane] + row + 1;
        else if (row < 6)
            o[w] = in[(row - 2) * simd + lane] + in[simd + lane];
        else if (row == 6) { /* words: two rows of 16 bits */
            o[w] = 0;
            for (unsigned half = 0; half < 2; half++) {
                uint32_t k = 2 * lane + half;
                uint16_t x, y;
                memcpy(&x, bytes + 2 * k, 2);
                memcpy(&y, bytes + 2 * (k + 2 * simd), 2);
                o[w] |= (uint32_t)(x ^ y) << 16 * half;
            }
        } else { /* bytes: four rows of 8 bits */
            o[w] = 0;
            for (unsigned quarter = 0; quarter < 4; quarter++) {
                uint32_t k = 4 * lane + quarter, from = k % simd;
                const uint8_t *sources[4] = {bytes + from, bytes + simd + from, bytes + 8 * from,
                                             bytes + 8 * (simd + from) + 5};
                o[w] |= (uint32_t)*sources[k / simd] << 8 * quarter;
            }
        }
    }
}

static void local_blocks(const struct launched *l, uint32_t item, uint32_t *o)
{
    uint32_t simd = l->simd, first = item / simd * simd, lane = item % simd;
    const uint32_t *words = l->in + first * IN_WORDS;
    for (uint32_t row = 0; row < 4; row++)
        o[row] = words[row * simd + lane];
    for (uint32_t i = 0; i < 4; i++) { /* rows 0 and 1 now hold rows 3 and 2, plus 1 */
        uint32_t at = 4 * lane + i, row = at / simd;
        o[4 + i] = row < 2 ? words[(3 - row) * simd + at % simd] + 1 : words[at];
    }
}

static uint32_t dot(uint32_t sum, uint32_t a, uint32_t b, bool signed_a, bool signed_b)
{
    for (unsigned i = 0; i < 4; i++) {
        uint8_t x = (uint8_t)(a >> 8 * i), y = (uint8_t)(b >> 8 * i);
        sum += (uint32_t)((signed_a ? (int8_t)x : (int)x) * (signed_b ? (int8_t)y : (int)y));
    }
    return sum;
}

static void dot_products(const struct launched *l, uint32_t item, uint32_t *o)
{
    uint32_t a = input(l, item, 0), b = input(l, item, 1), c = input(l, item, 2), d = input(l, item, 3);
    o[0] = dot(c, a, b, true, true);
    o[1] = dot(c, a, b, false, false);
    o[2] = dot(d, a, b, true, false);
    o[3] = dot(d, a, b, false, true);
}

static void generic_pointers(const struct launched *l, uint32_t item, uint32_t *o)
{
    uint32_t group = item / GROUP * GROUP, me = item % GROUP, other = group + 63 - me;
    const uint32_t *own = l->in + item * IN_WORDS;
    uint32_t words[4], choice = own[0] % 3;
    for (unsigned i = 0; i < 4; i++)
        words[i] = choice == 0 ? own[i] : choice == 1 ? input(l, other, i) ^ 5 : own[3 - i];
    for (unsigned i = 0; i < 4; i++) {
        o[0] = o[0] * 3 + words[i];
        o[1] = o[1] * 3 + words[1];
    }
    o[2] = choice == 2 ? own[1] : own[3];
    o[3] = input(l, other, 0) % 3 == 1 ? input(l, other, 1) : own[0] ^ 5;
}

static void ordered_atomics(const struct launched *l, uint32_t item, uint32_t *o)
{
    uint32_t group = item / GROUP * GROUP, value;
    uint32_t a = input(l, item, 0), b = input(l, item, 1), c = input(l, item, 2), d = input(l, item, 3);
    o[0] = 7;
    for (uint32_t i = 0; i < GROUP; i++)
        o[0] += input(l, group + i, 0) & 255;
    o[2] = b;
    o[3] = 1;
    o[4] = d;
    value = a > d ? a : d;
    o[5] = value;
    o[1] = value ^ 0xff00ff;
    o[6] = c;
}

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static void group_collectives(const struct launched *l, uint32_t item, uint32_t *o)
{
    uint32_t group = item / GROUP * GROUP, sum_a = 0, most_b = 0, any = 0, all = 1;
    int32_t least_c = INT32_MAX, least_b = INT32_MAX;
    uint64_t wide = 0;
    float sum_small = 0, most_small = -4096;
    memset(o, 0, OUT_WORDS * 4);
    for (uint32_t i = group; i < group + GROUP; i++) {
        uint32_t a = input(l, i, 0), b = input(l, i, 1), c = input(l, i, 2), d = input(l, i, 3);
        float small = (float)(int)(a & 0xfff) - 2048.0f;
        sum_a += a;
        most_b = b > most_b ? b : most_b;
        least_c = (int32_t)c < least_c ? (int32_t)c : least_c;
        wide += (uint64_t)a << 32 | b;
        most_small = small > most_small ? small : most_small;
        any |= (a & 63) == 5;
        all &= b != 0;
        if (i <= item) {
            o[2] += d;
            least_b = (int32_t)b < least_b ? (int32_t)b : least_b;
        }
        if (i < item) {
            o[3] = a > o[3] ? a : o[3];
            sum_small += small;
        }
    }
    o[0] = sum_a ^ most_b;
    o[1] = (uint32_t)least_c;
    o[4] = (uint32_t)least_b;
    o[5] = input(l, group + 37, 2);
    o[6] = float_bits(sum_small) + float_bits(most_small);
    o[7] = (uint32_t)(wide >> 32) ^ (uint32_t)wide ^ any ^ all << 1;
}

static const struct row {
    const char *name;
    void (*expect)(const struct launched *, uint32_t item, uint32_t *out);
    enum { ALWAYS, DOT_PRODUCTS, LOCAL_BLOCKS } needs;
    uint32_t most_simd;
} rows[] = {
    {"shuffles", shuffles, ALWAYS, 32},
    {"collectives", collectives, ALWAYS, 32},
    {"group_collectives", group_collectives, ALWAYS, 32},
    {"block_moves", block_moves, ALWAYS, 16},
    {"local_blocks", local_blocks, LOCAL_BLOCKS, 16},
    {"dot_products", dot_products, DOT_PRODUCTS, 32},
    {"generic_pointers", generic_pointers, ALWAYS, 32},
    {"ordered_atomics", ordered_atomics, ALWAYS, 32},
};

static unsigned differences(const char *name, uint32_t simd, const uint32_t *got, const uint32_t *want, uint32_t words)
{
    unsigned different = 0;
    for (uint32_t i = 0; i < words; i++)
        if (got[i] != want[i] && different++ < 5)
            fprintf(stderr, "%s, SIMD%u: item %u, word %u is 0x%08x, not 0x%08x\n", name, simd, i / OUT_WORDS,
                    i % OUT_WORDS, got[i], want[i]);
    return different;
}

static unsigned run_row(const struct row *row, const struct machine *gpu, cl_program program, uint32_t simd,
                        uint32_t items, struct random *random)
{
    uint32_t *in = calloc(items, IN_WORDS * 4), *out = calloc(items, OUT_WORDS * 4),
             *want = calloc(items, OUT_WORDS * 4);
    REQUIRE(in && out && want, "no memory");
    for (uint32_t i = 0; i < items * IN_WORDS; i++)
        in[i] = random_bits(random) >> (random_below(random, 4) * 8);
    struct launched launched = {items, simd, in, out};
    for (uint32_t item = 0; item < items; item++)
        row->expect(&launched, item, want + item * OUT_WORDS);
    machine_run(gpu, program, row->name,
                &(struct launch){items, GROUP, items * IN_WORDS * 4, items * OUT_WORDS * 4, in, out});
    unsigned wrong = differences(row->name, simd, out, want, items * OUT_WORDS);
    free(in);
    free(out);
    free(want);
    return wrong != 0;
}

/* ---- Images ---- */

static cl_mem make_image(const struct machine *gpu, cl_channel_type type, cl_image_desc *description)
{
    cl_image_format format = {CL_R, type};
    cl_int error;
    cl_mem image = clCreateImage(gpu->context, CL_MEM_READ_WRITE, &format, description, NULL, &error);
    REQUIRE(error == CL_SUCCESS, "image of type 0x%x: %d", type, error);
    return image;
}

static cl_kernel make_kernel(cl_program program, const char *name)
{
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    CL(error);
    return kernel;
}

static uint32_t clamped(int32_t at, int32_t size)
{
    return (uint32_t)(at < 0 ? 0 : at >= size ? size - 1 : at);
}

/* Word at byte `x` of row `y`, repeating the pixels at the edges. */
static uint32_t image_word(const uint32_t *words, uint32_t width, uint32_t height, int32_t x, int32_t y)
{
    return words[clamped(y, (int32_t)height) * width + clamped((x - (x & 3)) / 4, (int32_t)width)];
}

static unsigned media_blocks(const struct machine *gpu, cl_program program, uint32_t simd, struct random *random)
{
    enum { HEIGHT = 32 };
    uint32_t width = 4 * simd, items = GROUP, words = width * HEIGHT;
    uint32_t *image = malloc(words * 4), *copy = calloc(words, 4), *out = calloc(items, OUT_WORDS * 4),
             *want = calloc(items, OUT_WORDS * 4);
    const size_t origin[3] = {0, 0, 0}, region[3] = {width, HEIGHT, 1}, count = items, group = GROUP;
    cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = width, .image_height = HEIGHT};
    cl_mem from = make_image(gpu, CL_UNSIGNED_INT32, &description),
           to = make_image(gpu, CL_UNSIGNED_INT32, &description);
    cl_kernel kernel = make_kernel(program, "media_blocks");
    cl_int error;
    REQUIRE(image && copy && out && want, "no memory");
    for (uint32_t i = 0; i < words; i++)
        image[i] = random_bits(random);
    cl_mem result = clCreateBuffer(gpu->context, CL_MEM_COPY_HOST_PTR, items * OUT_WORDS * 4, out, &error);
    CL(error);
    CL(clEnqueueWriteImage(gpu->queue, from, CL_TRUE, origin, region, 0, 0, image, 0, NULL, NULL));
    CL(clEnqueueWriteImage(gpu->queue, to, CL_TRUE, origin, region, 0, 0, copy, 0, NULL, NULL));
    CL(clSetKernelArg(kernel, 0, sizeof from, &from));
    CL(clSetKernelArg(kernel, 1, sizeof to, &to));
    CL(clSetKernelArg(kernel, 2, sizeof result, &result));
    CL(clEnqueueNDRangeKernel(gpu->queue, kernel, 1, NULL, &count, &group, 0, NULL, NULL));
    CL(clEnqueueReadImage(gpu->queue, to, CL_TRUE, origin, region, 0, 0, copy, 0, NULL, NULL));
    CL(clEnqueueReadBuffer(gpu->queue, result, CL_TRUE, 0, items * OUT_WORDS * 4, out, 0, NULL, NULL));
    unsigned wrong = 0;
    for (uint32_t item = 0; item < items; item++) {
        int32_t lane = (int32_t)(item % simd), row = (int32_t)(item / simd * 4);
        uint32_t *o = want + item * OUT_WORDS;
        for (int32_t r = 0; r < 4; r++) {
            o[r] = image_word(image, width, HEIGHT, 12 + 4 * lane, row + r);
            uint32_t written = copy[(uint32_t)(row + r) * width + simd + (uint32_t)lane];
            wrong += written != o[r];
        }
        for (unsigned half = 0; half < 2; half++) {
            int32_t x = 8 + 2 * lane;
            uint32_t word = image_word(image, width, HEIGHT, x, row + (half ? 3 : 0));
            o[4] |= (x & 2 ? word >> 16 : word & 0xffff) << 16 * half;
        }
        o[5] = image_word(image, width, HEIGHT, -16 + 4 * lane, row - 3);
        o[6] = image_word(image, width, HEIGHT, 4 + lane % 8 * 4, row + lane / 8);
        for (unsigned i = 0; i < 2; i++) {
            int32_t k = lane + (int32_t)(i * simd);
            o[7] ^= image_word(image, width, HEIGHT, 8 + k % 4 * 4, row + k / 4) * (i ? 3 : 1);
        }
    }
    if (wrong)
        fprintf(stderr, "media_blocks, SIMD%u: %u pixels were written wrongly\n", simd, wrong);
    wrong += differences("media_blocks", simd, out, want, items * OUT_WORDS);
    CL(clReleaseMemObject(from));
    CL(clReleaseMemObject(to));
    CL(clReleaseMemObject(result));
    CL(clReleaseKernel(kernel));
    free(image);
    free(copy);
    free(out);
    free(want);
    return wrong != 0;
}

/* Every texel of level l is l + 1, so the value shows the level that was read, by an explicit LOD or by derivatives. */
static unsigned levels(const struct machine *gpu, cl_program program)
{
    enum { WIDTH = 32, HEIGHT = 16, LEVELS = 5, PLACES = 64 };
    static float texels[WIDTH * HEIGHT], values[PLACES * 8];
    static cl_float4 places[PLACES];
    cl_image_desc description = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT, .num_mip_levels = LEVELS};
    cl_mem image = make_image(gpu, CL_FLOAT, &description);
    cl_kernel kernel = make_kernel(program, "levels");
    cl_int error;
    unsigned wrong = 0;
    for (size_t l = 0; l < LEVELS; l++) {
        const size_t origin[4] = {0, 0, l, 0}, region[3] = {WIDTH >> l, HEIGHT >> l, 1};
        for (size_t i = 0; i < region[0] * region[1]; i++)
            texels[i] = (float)(l + 1);
        CL(clEnqueueWriteImage(gpu->queue, image, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL));
    }
    for (unsigned i = 0; i < PLACES; i++) /* LODs -0.5 to 4.5 and derivatives of 2^-1 to 2^4.5 texels */
        places[i] = (cl_float4){
            {(float)(i % 8) / 8 + 0.03f, 0.4f, (float)i / 12.7f - 0.47f, exp2f((float)(i % 11) / 2 - 0.9f) / WIDTH}};
    cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                          CL_TRUE,
                                          CL_SAMPLER_ADDRESSING_MODE,
                                          CL_ADDRESS_CLAMP_TO_EDGE,
                                          CL_SAMPLER_FILTER_MODE,
                                          CL_FILTER_NEAREST,
                                          0};
    cl_sampler sampler = clCreateSamplerWithProperties(gpu->context, properties, &error);
    CL(error);
    cl_mem at = clCreateBuffer(gpu->context, CL_MEM_COPY_HOST_PTR, sizeof places, places, &error);
    CL(error);
    cl_mem out = clCreateBuffer(gpu->context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &error);
    CL(error);
    CL(clSetKernelArg(kernel, 0, sizeof image, &image));
    CL(clSetKernelArg(kernel, 1, sizeof sampler, &sampler));
    CL(clSetKernelArg(kernel, 2, sizeof at, &at));
    CL(clSetKernelArg(kernel, 3, sizeof out, &out));
    CL(clEnqueueNDRangeKernel(gpu->queue, kernel, 1, NULL, &(size_t){PLACES}, NULL, 0, NULL, NULL));
    CL(clEnqueueReadBuffer(gpu->queue, out, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    for (unsigned i = 0; i < PLACES; i++) {
        float sent = places[i].s[2], derived = log2f(places[i].s[3] * WIDTH);
        float want[2] = {1 + floorf(fmaxf(sent, 0) + 0.5f), 1 + floorf(fmaxf(derived, 0) + 0.5f)};
        for (unsigned k = 0; k < 2; k++)
            if (values[8 * i + 4 * k] != fminf(want[k], LEVELS) && wrong++ < 5)
                fprintf(stderr, "levels: place %u, %s %g: %g, not %g\n", i, k ? "derivatives of" : "LOD",
                        k ? derived : sent, values[8 * i + 4 * k], fminf(want[k], LEVELS));
    }
    CL(clReleaseSampler(sampler));
    CL(clReleaseMemObject(at));
    CL(clReleaseMemObject(out));
    CL(clReleaseMemObject(image));
    CL(clReleaseKernel(kernel));
    return wrong != 0;
}

static float depth_at(const float *pixels, int x, int y, int width, int height)
{
    return pixels[clamped(y, height) * (uint32_t)width + clamped(x, width)];
}

/* Depth images of floats and of 16 bits, whose values are multiples of 1/65535. */
static unsigned depths(const struct machine *gpu, cl_program program, struct random *random)
{
    enum { WIDTH = 13, HEIGHT = 7, PIXELS = WIDTH * HEIGHT };
    static const cl_channel_type types[] = {CL_FLOAT, CL_UNORM_INT16};
    const size_t origin[3] = {0, 0, 0}, region[3] = {WIDTH, HEIGHT, 1};
    unsigned wrong = 0;
    for (size_t t = 0; t < sizeof types / sizeof *types; t++) {
        static float pixels[PIXELS], values[4 * PIXELS], written[PIXELS];
        static uint16_t words[PIXELS];
        bool is_float = types[t] == CL_FLOAT;
        cl_image_format format = {CL_DEPTH, types[t]};
        cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
        cl_int error;
        for (size_t i = 0; i < PIXELS; i++) {
            words[i] = (uint16_t)random_bits(random);
            pixels[i] = (float)words[i] / 65535;
        }
        cl_mem image = clCreateImage(gpu->context, CL_MEM_READ_WRITE, &format, &description, NULL, &error);
        CL(error);
        cl_mem changed = clCreateImage(gpu->context, CL_MEM_READ_WRITE, &format, &description, NULL, &error);
        CL(error);
        cl_mem out = clCreateBuffer(gpu->context, CL_MEM_READ_WRITE, sizeof values, NULL, &error);
        CL(error);
        cl_kernel kernel = make_kernel(program, "depths");
        const void *source = is_float ? (const void *)pixels : (const void *)words;
        CL(clEnqueueWriteImage(gpu->queue, image, CL_TRUE, origin, region, 0, 0, source, 0, NULL, NULL));
        CL(clSetKernelArg(kernel, 0, sizeof image, &image));
        CL(clSetKernelArg(kernel, 1, sizeof changed, &changed));
        CL(clSetKernelArg(kernel, 2, sizeof out, &out));
        CL(clEnqueueNDRangeKernel(gpu->queue, kernel, 2, NULL, region, NULL, 0, NULL, NULL));
        CL(clEnqueueReadBuffer(gpu->queue, out, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
        void *back = is_float ? (void *)written : (void *)words;
        CL(clEnqueueReadImage(gpu->queue, changed, CL_TRUE, origin, region, 0, 0, back, 0, NULL, NULL));
        for (int i = 0; i < PIXELS; i++) {
            int x = i % WIDTH, y = i / WIDTH;
            float next = depth_at(pixels, x + 1, y, WIDTH, HEIGHT);
            float want[5] = {pixels[i], depth_at(pixels, x - 1, y + 2, WIDTH, HEIGHT), (pixels[i] + next) / 2,
                             WIDTH + 100.0f * HEIGHT, 1 - pixels[i]};
            float got[5] = {0, 0, 0, 0, is_float ? written[i] : (float)words[i] / 65535};
            memcpy(got, values + 4 * i, 4 * sizeof *got);
            for (unsigned k = 0; k < 5; k++)
                if (fabsf(got[k] - want[k]) > 1e-5f && wrong++ < 5)
                    fprintf(stderr, "depths: type 0x%x, pixel %d, value %u: %g, not %g\n", types[t], i, k,
                            (double)got[k], (double)want[k]);
        }
        CL(clReleaseMemObject(image));
        CL(clReleaseMemObject(changed));
        CL(clReleaseMemObject(out));
        CL(clReleaseKernel(kernel));
    }
    return wrong != 0;
}

/* Images that a kernel reads and writes, with a fence between: the compiler flushes the sampler's cache there. */
static unsigned rewritten(const struct machine *gpu, cl_program program, struct random *random)
{
    enum { WIDTH = 21, HEIGHT = 5, CHANNELS = WIDTH * HEIGHT * 4 };
    static int32_t pixels[CHANNELS], read[CHANNELS], left[CHANNELS];
    const size_t origin[3] = {0, 0, 0}, region[3] = {WIDTH, HEIGHT, 1};
    cl_image_format format = {CL_RGBA, CL_SIGNED_INT32};
    cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
    unsigned wrong = 0;
    cl_int error;
    for (size_t i = 0; i < CHANNELS; i++)
        pixels[i] = (int32_t)random_below(random, 1u << 20) - (1 << 19);
    cl_mem image =
        clCreateImage(gpu->context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, &format, &description, pixels, &error);
    CL(error);
    cl_mem out = clCreateBuffer(gpu->context, CL_MEM_READ_WRITE, sizeof read, NULL, &error);
    CL(error);
    cl_kernel kernel = make_kernel(program, "rewritten");
    CL(clSetKernelArg(kernel, 0, sizeof image, &image));
    CL(clSetKernelArg(kernel, 1, sizeof out, &out));
    CL(clEnqueueNDRangeKernel(gpu->queue, kernel, 2, NULL, region, NULL, 0, NULL, NULL));
    CL(clEnqueueReadBuffer(gpu->queue, out, CL_TRUE, 0, sizeof read, read, 0, NULL, NULL));
    CL(clEnqueueReadImage(gpu->queue, image, CL_TRUE, origin, region, 0, 0, left, 0, NULL, NULL));
    for (size_t i = 0; i < CHANNELS; i++)
        if ((read[i] != 3 * pixels[i] || left[i] != 3 * pixels[i] + 1) && wrong++ < 5)
            fprintf(stderr, "rewritten: channel %zu: %d read and %d left of %d\n", i, read[i], left[i], pixels[i]);
    CL(clReleaseKernel(kernel));
    CL(clReleaseMemObject(image));
    CL(clReleaseMemObject(out));
    return wrong != 0;
}

/* ---- printf ---- */

/* The kernel's output goes to standard output when the queue is finished; here standard output is a file. */
static unsigned print(const struct machine *gpu, cl_program program)
{
    uint32_t in[4] = {4000000000u, (uint32_t)-77, 0xbeef, 0x1ff};
    char got[1024] = "", want[1024];
    cl_kernel kernel = make_kernel(program, "print");
    cl_int error;
    FILE *file = tmpfile();
    fflush(stdout);
    int before = dup(1);
    REQUIRE(file && before >= 0 && dup2(fileno(file), 1) == 1, "cannot redirect the output");
    cl_mem buffer = clCreateBuffer(gpu->context, CL_MEM_COPY_HOST_PTR, sizeof in, in, &error);
    CL(error);
    CL(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    CL(clEnqueueNDRangeKernel(gpu->queue, kernel, 1, NULL, &(size_t){1}, NULL, 0, NULL, NULL));
    CL(clFinish(gpu->queue));
    fflush(stdout);
    dup2(before, 1);
    close(before);
    fseek(file, 0, SEEK_SET);
    size_t length = fread(got, 1, sizeof got - 1, file);
    got[length] = 0;
    fclose(file);
    snprintf(want, sizeof want, "[%u %d %5x %#o|%-6d|%+d]%s %c %.3f %e %g 1,-2,3,%d 7,255 %lld %%\n", in[0], (int)in[1],
             in[2], in[3] & 0xff, 42, (int)(in[0] & 255), "text", 'a' + (int)(in[3] % 26), (double)(int)in[1] * 0.5,
             1234.5, 0.25, (int)in[2], (long long)in[0] << 20);
    CL(clReleaseMemObject(buffer));
    CL(clReleaseKernel(kernel));
    if (strcmp(got, want) == 0)
        return 0;
    fprintf(stderr, "print: \"%s\", not \"%s\"\n", got, want);
    return 1;
}

/* Arguments: SOURCE. */
int main(int count, char **arguments)
{
    struct suite suite = suite_parse(count, arguments, 1024);
    struct machine gpu = machine_open(CL_DEVICE_TYPE_GPU);
    struct random random = {suite.seed};
    char name[256];
    CL(clGetDeviceInfo(gpu.device, CL_DEVICE_NAME, sizeof name, name, NULL));
    bool gen12 = strstr(name, " Xe ") != NULL;
    unsigned wrong = 0, run = 0;
    REQUIRE(suite.rest[0], "usage: checked SOURCE [--seed N] [--items N] [--only NAME]");
    const bool has[3] = {true, gen12, machine_has(&gpu, "cl_intel_subgroup_local_block_io")};
    uint32_t items = (suite.items + GROUP - 1) / GROUP * GROUP;
    char *source = read_text(suite.rest[0]);
    for (uint32_t simd = 8; simd <= 32; simd *= 2) {
        char options[64];
        snprintf(options, sizeof options, "-cl-std=CL3.0 -DSIMD=%u -DTGLLP=%d%s", simd, gen12,
                 has[LOCAL_BLOCKS] ? " -DLOCAL_BLOCKS" : "");
        cl_program program = machine_build(&gpu, source, options);
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
            if (suite_wants(&suite, rows[i].name) && has[rows[i].needs] && simd <= rows[i].most_simd)
                wrong += run_row(&rows[i], &gpu, program, simd, items, &random), run++;
        if (suite_wants(&suite, "media_blocks") && simd <= 16)
            wrong += media_blocks(&gpu, program, simd, &random), run++;
        if (suite_wants(&suite, "formats"))
            wrong += checked_formats(&gpu, program, &random), run++;
        if (suite_wants(&suite, "packed_pixels"))
            wrong += checked_packed_pixels(&gpu, program, &random), run++;
        if (suite_wants(&suite, "planar_pixels"))
            wrong += checked_planar_pixels(&gpu, program, &random), run++;
        if (suite_wants(&suite, "rewritten"))
            wrong += rewritten(&gpu, program, &random), run++;
        if (suite_wants(&suite, "depths"))
            wrong += depths(&gpu, program, &random), run++;
        if (suite_wants(&suite, "levels"))
            wrong += levels(&gpu, program), run++;
        if (suite_wants(&suite, "print"))
            wrong += print(&gpu, program), run++;
        CL(clReleaseProgram(program));
    }
    free(source);
    printf("%u launches, %u wrong\n", run, wrong);
    machine_close(&gpu);
    return wrong != 0 || run == 0;
}
