/* Compares images on the simulated GPU and on the host's CPU (PoCL): every kind of image in every format that both
 * devices have, read through every sampler and written. Integers, floats and unfiltered reads must be equal. Normalized
 * values may differ in the last bit, filtered ones by the precision of eight bits of weight. PoCL 3.1 differs from the
 * specification in three points: halves (its images hold the same values as floats instead), the alpha of integer
 * formats without alpha (1), and the layer with normalized coordinates (PoCL gets coordinates that count texels
 * instead). */
#include "machine.h"

#include <math.h>

enum { WIDTH = 13, HEIGHT = 9, DEPTH = 5, MOST_FORMATS = 64, CHANNELS = 4, READS = 3 };

static const struct kind {
    const char *name;
    cl_mem_object_type type;
    size_t width, height, depth; /* 1 where it has none; layers count as the next */
    unsigned axes;               /* without the layer */
    bool layered;
} kinds[] = {
    {"1d", CL_MEM_OBJECT_IMAGE1D, WIDTH, 1, 1, 1, false},
    {"1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY, WIDTH, HEIGHT, 1, 1, true},
    {"2d", CL_MEM_OBJECT_IMAGE2D, WIDTH, HEIGHT, 1, 2, false},
    {"2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY, WIDTH, HEIGHT, DEPTH, 2, true},
    {"3d", CL_MEM_OBJECT_IMAGE3D, WIDTH, HEIGHT, DEPTH, 3, false},
    {"buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER, WIDTH, 1, 1, 1, false},
};

static const struct {
    cl_addressing_mode mode;
    const char *name;
    bool only_normalized;
} addressings[] = {
    {CL_ADDRESS_NONE, "none", false},
    {CL_ADDRESS_CLAMP_TO_EDGE, "clamp to edge", false},
    {CL_ADDRESS_CLAMP, "clamp", false},
    {CL_ADDRESS_REPEAT, "repeat", true},
    {CL_ADDRESS_MIRRORED_REPEAT, "mirror", true},
};

static const struct data_type {
    cl_channel_type type;
    const char *name;
    unsigned bytes;
    enum { NORMALIZED, SIGNED_NORMALIZED, SIGNED, UNSIGNED, REAL } kind;
} data_types[] = {
    {CL_SNORM_INT8, "snorm8", 1, SIGNED_NORMALIZED},
    {CL_SNORM_INT16, "snorm16", 2, SIGNED_NORMALIZED},
    {CL_UNORM_INT8, "unorm8", 1, NORMALIZED},
    {CL_UNORM_INT16, "unorm16", 2, NORMALIZED},
    {CL_SIGNED_INT8, "int8", 1, SIGNED},
    {CL_SIGNED_INT16, "int16", 2, SIGNED},
    {CL_SIGNED_INT32, "int32", 4, SIGNED},
    {CL_UNSIGNED_INT8, "uint8", 1, UNSIGNED},
    {CL_UNSIGNED_INT16, "uint16", 2, UNSIGNED},
    {CL_UNSIGNED_INT32, "uint32", 4, UNSIGNED},
    {CL_HALF_FLOAT, "half", 2, REAL},
    {CL_FLOAT, "float", 4, REAL},
};

static unsigned channel_count(cl_channel_order order)
{
    switch (order) {
    case CL_R:
    case CL_A:
    case CL_INTENSITY:
    case CL_LUMINANCE:
    case CL_DEPTH: return 1;
    case CL_RG:
    case CL_RA: return 2;
    case CL_RGBA:
    case CL_BGRA:
    case CL_ARGB:
    case CL_sRGBA:
    case CL_sBGRA: return 4;
    default: return 0;
    }
}

static bool has_alpha(cl_channel_order order)
{
    return order != CL_R && order != CL_RG && order != CL_LUMINANCE;
}

/* One image of both machines under test. */
struct image {
    const struct kind *kind;
    cl_image_format format;
    const struct data_type *data;
    unsigned channels;
    size_t pixel_bytes, pixels;
    uint8_t *bytes; /* contents */
    char name[64];
    cl_mem on[2], storage[2];
    bool as_float[2]; /* the machine has the halves as floats */
};

static const char *element(const struct image *image)
{
    return image->data->kind == SIGNED ? "int" : image->data->kind == UNSIGNED ? "uint" : "float";
}

/* Formats that both have for this kind; those of luminance, depth and sRGB need kernels of their own or more leeway. */
static unsigned common_formats(const struct machine machines[2], const struct kind *kind, cl_image_format *common)
{
    cl_image_format have[2][256];
    cl_uint counts[2];
    unsigned count = 0;
    for (unsigned m = 0; m < 2; m++) {
        CL(clGetSupportedImageFormats(machines[m].context, CL_MEM_READ_WRITE, kind->type, 256, have[m], &counts[m]));
        REQUIRE(counts[m] <= 256, "%u formats", counts[m]);
    }
    for (unsigned i = 0; i < counts[0]; i++)
        for (unsigned j = 0; j < counts[1]; j++)
            if (have[0][i].image_channel_order == have[1][j].image_channel_order &&
                have[0][i].image_channel_data_type == have[1][j].image_channel_data_type && count < MOST_FORMATS &&
                have[0][i].image_channel_order != CL_DEPTH && channel_count(have[0][i].image_channel_order) != 0)
                common[count++] = have[0][i];
    return count;
}

/* Finite halves and floats of moderate size; any bits for integers. */
static void fill_pixels(struct image *image, struct random *random)
{
    for (size_t i = 0; i < image->pixels * image->channels; i++) {
        uint8_t *at = image->bytes + i * image->data->bytes;
        uint32_t bits = random_bits(random);
        float value = (float)(int32_t)bits * 0x1p-29f;
        if (image->data->kind != REAL)
            memcpy(at, &bits, image->data->bytes);
        else if (image->data->bytes == 4)
            memcpy(at, &value, 4);
        else
            memcpy(at, &(uint16_t){(uint16_t)((bits & 0x83ff) | (11 + (bits >> 20) % 7) << 10)}, 2);
    }
}

static float float_of_half(uint16_t half)
{
    float magnitude = ldexpf((float)(0x400 | (half & 0x3ff)), (half >> 10 & 31) - 25);
    if ((half >> 10 & 31) == 0)
        magnitude = ldexpf((float)(half & 0x3ff), -24);
    return half & 0x8000 ? -magnitude : magnitude;
}

static size_t image_bytes(const struct image *image, unsigned m)
{
    return image->pixels * image->pixel_bytes * (image->as_float[m] ? 2 : 1);
}

static void create(struct image *image, const struct machine *machine, unsigned m)
{
    const struct kind *kind = image->kind;
    cl_int error;
    cl_image_format format = image->format;
    image->as_float[m] = m == 1 && format.image_channel_data_type == CL_HALF_FLOAT;
    if (image->as_float[m])
        format.image_channel_data_type = CL_FLOAT;
    cl_image_desc description = {.image_type = kind->type, .image_width = kind->width};
    image->storage[m] = NULL;
    if (kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY)
        description.image_array_size = kind->height;
    if (kind->axes >= 2)
        description.image_height = kind->height;
    if (kind->axes == 3)
        description.image_depth = kind->depth;
    if (kind->axes == 2 && kind->layered)
        description.image_array_size = kind->depth;
    if (kind->type == CL_MEM_OBJECT_IMAGE1D_BUFFER) {
        image->storage[m] = clCreateBuffer(machine->context, CL_MEM_READ_WRITE, image_bytes(image, m), NULL, &error);
        CL(error);
        description.buffer = image->storage[m];
    }
    image->on[m] = clCreateImage(machine->context, CL_MEM_READ_WRITE, &format, &description, NULL, &error);
    REQUIRE(error == CL_SUCCESS, "%s: %s: %d", machine->name, image->name, error);
}

static void transfer(struct image *image, const struct machine *machine, unsigned m, uint8_t *bytes, bool write)
{
    const size_t origin[3] = {0, 0, 0}, region[3] = {image->kind->width, image->kind->height, image->kind->depth};
    size_t size = image_bytes(image, m);
    if (image->storage[m] && write)
        CL(clEnqueueWriteBuffer(machine->queue, image->storage[m], CL_TRUE, 0, size, bytes, 0, NULL, NULL));
    else if (image->storage[m])
        CL(clEnqueueReadBuffer(machine->queue, image->storage[m], CL_TRUE, 0, size, bytes, 0, NULL, NULL));
    else if (write)
        CL(clEnqueueWriteImage(machine->queue, image->on[m], CL_TRUE, origin, region, 0, 0, bytes, 0, NULL, NULL));
    else
        CL(clEnqueueReadImage(machine->queue, image->on[m], CL_TRUE, origin, region, 0, 0, bytes, 0, NULL, NULL));
}

static void write_contents(struct image *image, const struct machine *machine, unsigned m)
{
    if (!image->as_float[m]) {
        transfer(image, machine, m, image->bytes, true);
        return;
    }
    float *floats = malloc(image_bytes(image, m));
    REQUIRE(floats, "no memory");
    for (size_t i = 0; i < image->pixels * image->channels; i++) {
        uint16_t half;
        memcpy(&half, image->bytes + 2 * i, 2);
        floats[i] = float_of_half(half);
    }
    transfer(image, machine, m, (uint8_t *)floats, true);
    free(floats);
}

static cl_mem upload(const struct machine *machine, const void *bytes, size_t size)
{
    cl_int error;
    cl_mem buffer = clCreateBuffer(machine->context, CL_MEM_COPY_HOST_PTR, size, (void *)(uintptr_t)bytes, &error);
    CL(error);
    return buffer;
}

static void launch(const struct machine *machine, cl_program program, const char *name, size_t items, unsigned count,
                   const size_t sizes[], const void *const values[])
{
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    REQUIRE(error == CL_SUCCESS, "%s has no kernel %s: %d", machine->name, name, error);
    for (cl_uint i = 0; i < count; i++)
        CL(clSetKernelArg(kernel, i, sizes[i], values[i]));
    CL(clEnqueueNDRangeKernel(machine->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    CL(clFinish(machine->queue));
    CL(clReleaseKernel(kernel));
}

/* ---- Reading ---- */

struct places {
    cl_float4 *place;
    cl_int4 *pixel;
    uint32_t count;
};

/* Places away from the borders of texels, where rounding decides; `reach`: how far outside, in sizes of the image. */
static void choose_places(struct places *places, const struct kind *kind, struct random *random, bool normalized,
                          double reach)
{
    const size_t sizes[3] = {kind->width, kind->height, kind->depth};
    for (uint32_t i = 0; i < places->count; i++)
        for (unsigned axis = 0; axis < 4; axis++) {
            double size = axis < 3 ? (double)sizes[axis] : 1;
            double texel = floor(((double)random_bits(random) * 0x1p-32 * (1 + 2 * reach) - reach) * size);
            double at = texel + (2 + random_below(random, 13)) / 16.0;
            bool is_layer = axis >= kind->axes;
            places->place[i].s[axis] = (float)(normalized && !is_layer ? at / size : at);
            if (is_layer) /* a layer's number is rounded */
                places->place[i].s[axis] = (float)(floor(at) + (random_below(random, 7) - 3.0) / 8);
            places->pixel[i].s[axis] = (cl_int)random_below(random, (uint32_t)size);
        }
}

struct sampling {
    cl_addressing_mode mode;
    cl_filter_mode filter;
    bool normalized;
};

/* Maps a normalized coordinate to 0 to 1, as the addressing mode repeat does. */
static float fold(float at, cl_addressing_mode mode)
{
    if (mode == CL_ADDRESS_REPEAT)
        return at - floorf(at);
    return mode == CL_ADDRESS_MIRRORED_REPEAT ? fabsf(at - 2 * rintf(at / 2)) : at;
}

static void read_on(const struct machine *machine, unsigned m, cl_program program, const struct image *image,
                    const struct places *places, const struct sampling *sampling, void *values)
{
    char name[64];
    cl_int error;
    bool counts_texels = m == 1 && sampling->normalized && image->kind->layered;
    bool folded =
        counts_texels && (sampling->mode == CL_ADDRESS_REPEAT || sampling->mode == CL_ADDRESS_MIRRORED_REPEAT);
    cl_sampler_properties properties[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                          sampling->normalized && !counts_texels,
                                          CL_SAMPLER_ADDRESSING_MODE,
                                          folded ? CL_ADDRESS_CLAMP_TO_EDGE : sampling->mode,
                                          CL_SAMPLER_FILTER_MODE,
                                          sampling->filter,
                                          0};
    cl_sampler sampler = clCreateSamplerWithProperties(machine->context, properties, &error);
    CL(error);
    size_t bytes = (size_t)places->count * READS * CHANNELS * 4;
    cl_float4 *place = malloc(places->count * sizeof *place);
    REQUIRE(place, "no memory");
    memcpy(place, places->place, places->count * sizeof *place);
    for (uint32_t i = 0; i < places->count && counts_texels; i++)
        for (unsigned axis = 0; axis < image->kind->axes; axis++)
            place[i].s[axis] =
                fold(place[i].s[axis], sampling->mode) * (float)(axis == 0 ? image->kind->width : image->kind->height);
    cl_mem at = upload(machine, place, places->count * sizeof *place);
    free(place);
    cl_mem pixels = upload(machine, places->pixel, places->count * sizeof *places->pixel);
    cl_mem out = upload(machine, values, bytes);
    snprintf(name, sizeof name, "read_%s_%s", image->kind->name, element(image));
    launch(machine, program, name, places->count, 5,
           (const size_t[]){sizeof(cl_mem), sizeof sampler, sizeof at, sizeof pixels, sizeof out},
           (const void *const[]){&image->on[m], &sampler, &at, &pixels, &out});
    CL(clEnqueueReadBuffer(machine->queue, out, CL_TRUE, 0, bytes, values, 0, NULL, NULL));
    CL(clReleaseMemObject(at));
    CL(clReleaseMemObject(pixels));
    CL(clReleaseMemObject(out));
    CL(clReleaseSampler(sampler));
}

/* Largest difference that may be. */
static double leeway(const struct image *image, const struct sampling *sampling, unsigned read)
{
    bool srgb = image->format.image_channel_order == CL_sRGBA || image->format.image_channel_order == CL_sBGRA;
    double range = image->data->kind == REAL ? 64 : 2;
    if (sampling->filter == CL_FILTER_LINEAR && read < 2)
        return range * 3 / 256; /* three axes' weights in 1/256 */
    if (image->data->kind == REAL)
        return 0;
    return srgb ? 1e-3 : 0x1p-23;
}

static unsigned compare_reads(const struct image *image, const struct places *places, const struct sampling *sampling,
                              const uint32_t *gpu, const uint32_t *cpu, const char *mode)
{
    unsigned different = 0;
    bool integer = image->data->kind == SIGNED || image->data->kind == UNSIGNED;
    for (uint32_t i = 0; i < places->count * READS * CHANNELS; i++) {
        float got, want;
        uint32_t item = i / (READS * CHANNELS), read = i / CHANNELS % READS;
        memcpy(&got, &gpu[i], 4);
        memcpy(&want, &cpu[i], 4);
        if (integer && i % CHANNELS == 3 && !has_alpha(image->format.image_channel_order) ? gpu[i] == 1
            : integer                                                                     ? gpu[i] == cpu[i]
                      : fabs((double)got - (double)want) <= leeway(image, sampling, read))
            continue;
        /* Only unfiltered reads take integer coordinates. */
        if (read == 1 && (sampling->normalized || sampling->filter == CL_FILTER_LINEAR))
            continue;
        const float *at = places->place[item].s;
        if (different++ < 3)
            fprintf(stderr,
                    "%s, %s, %s%s, read %u at %g %g %g, pixel %d %d %d, channel %u: GPU 0x%08x (%g), CPU 0x%08x (%g)\n",
                    image->name, mode, sampling->filter == CL_FILTER_LINEAR ? "linear" : "nearest",
                    sampling->normalized ? ", normalized" : "", read, at[0], at[1], at[2], places->pixel[item].s[0],
                    places->pixel[item].s[1], places->pixel[item].s[2], i % CHANNELS, gpu[i], got, cpu[i], want);
    }
    return different != 0;
}

static unsigned check_reads(const struct machine machines[2], const cl_program programs[2], const struct image *image,
                            uint32_t items, struct random *random)
{
    struct places places = {calloc(items, sizeof(cl_float4)), calloc(items, sizeof(cl_int4)), items};
    size_t bytes = (size_t)items * READS * CHANNELS * 4;
    uint32_t *values[2] = {malloc(bytes), malloc(bytes)};
    bool integer = image->data->kind == SIGNED || image->data->kind == UNSIGNED,
         plain = image->kind->type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    unsigned wrong = 0;
    REQUIRE(places.place && places.pixel && values[0] && values[1], "no memory");
    for (size_t a = 0; a < sizeof addressings / sizeof addressings[0]; a++)
        for (unsigned linear = 0; linear < (integer || plain ? 1 : 2); linear++)
            for (unsigned normalized = addressings[a].only_normalized; normalized < 2; normalized++) {
                struct sampling sampling = {addressings[a].mode, linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST,
                                            normalized};
                bool outside = addressings[a].mode != CL_ADDRESS_NONE;
                if (plain && (a > 0 || normalized))
                    continue;
                if (linear && (!outside || (image->kind->layered && addressings[a].only_normalized)))
                    continue; /* the filter would reach out; PoCL's folded coordinates have no neighbours beyond */
                choose_places(&places, image->kind, random, normalized, outside ? 1.5 : 0);
                for (unsigned m = 0; m < 2; m++) {
                    memset(values[m], 0xcd, bytes);
                    read_on(&machines[m], m, programs[m], image, &places, &sampling, values[m]);
                }
                wrong += compare_reads(image, &places, &sampling, values[0], values[1], addressings[a].name);
            }
    free(places.place);
    free(places.pixel);
    free(values[0]);
    free(values[1]);
    return wrong;
}

/* ---- Writing and queries ---- */

/* Values around and beyond what the format holds. */
static void choose_values(const struct image *image, struct random *random, uint32_t *values)
{
    for (size_t i = 0; i < image->pixels * CHANNELS; i++) {
        uint32_t bits = random_bits(random);
        float value = (float)(int32_t)bits * 0x1p-30f * (image->data->kind == REAL ? 100 : 0.7f);
        values[i] = bits >> (random_below(random, 3) * 12);
        if (image->data->kind == SIGNED && bits & 1)
            values[i] = (uint32_t)-(int32_t)values[i];
        if (image->data->kind != SIGNED && image->data->kind != UNSIGNED)
            memcpy(&values[i], &value, 4);
    }
}

/* Normalized values may be rounded either way, so that a channel is off by one. */
static bool channels_agree(const struct image *image, size_t channel, const uint8_t *gpu, const uint8_t *cpu)
{
    int16_t a, b;
    const uint8_t *got = gpu + channel * image->data->bytes, *want = cpu + channel * image->data->bytes;
    if (image->as_float[1]) { /* a half next to the float */
        float exact, ulp;
        memcpy(&a, got, 2);
        memcpy(&exact, cpu + 4 * channel, 4);
        ulp = ldexpf(1, (a >> 10 & 31) - 25);
        return fabsf(float_of_half((uint16_t)a) - exact) <= ulp / 2;
    }
    if (image->data->kind != NORMALIZED && image->data->kind != SIGNED_NORMALIZED)
        return memcmp(got, want, image->data->bytes) == 0;
    if (image->data->bytes == 1)
        return abs((int8_t)(*got - *want)) <= 1;
    memcpy(&a, got, 2);
    memcpy(&b, want, 2);
    return abs((int16_t)(a - b)) <= 1;
}

static unsigned check_writes(const struct machine machines[2], const cl_program programs[2], struct image *image,
                             struct random *random)
{
    size_t value_bytes = image->pixels * CHANNELS * 4;
    cl_int4 *pixels = calloc(image->pixels, sizeof *pixels);
    uint32_t *values = malloc(value_bytes);
    uint8_t *out[2] = {calloc(1, image_bytes(image, 0) + 2), calloc(1, image_bytes(image, 1))};
    char name[64];
    unsigned different = 0;
    REQUIRE(pixels && values && out[0] && out[1], "no memory");
    for (size_t i = 0; i < image->pixels; i++)
        pixels[i] = (cl_int4){{(cl_int)(i % image->kind->width), (cl_int)(i / image->kind->width % image->kind->height),
                               (cl_int)(i / image->kind->width / image->kind->height), 0}};
    choose_values(image, random, values);
    snprintf(name, sizeof name, "write_%s_%s", image->kind->name, element(image));
    for (unsigned m = 0; m < 2; m++) {
        cl_mem at = upload(&machines[m], pixels, image->pixels * sizeof *pixels);
        cl_mem in = upload(&machines[m], values, value_bytes);
        launch(&machines[m], programs[m], name, image->pixels, 3,
               (const size_t[]){sizeof(cl_mem), sizeof at, sizeof in}, (const void *const[]){&image->on[m], &at, &in});
        transfer(image, &machines[m], m, out[m], false);
        CL(clReleaseMemObject(at));
        CL(clReleaseMemObject(in));
    }
    for (size_t i = 0; i < image->pixels * image->channels; i++) {
        uint32_t gpu = 0, cpu = 0;
        if (channels_agree(image, i, out[0], out[1]) || different++ >= 3)
            continue;
        memcpy(&gpu, out[0] + i * image->data->bytes, image->data->bytes);
        memcpy(&cpu, out[1] + i * (image->as_float[1] ? 4 : image->data->bytes),
               image->as_float[1] ? 4 : image->data->bytes);
        fprintf(stderr, "%s, write: pixel %zu, channel %zu in memory: GPU 0x%x, CPU 0x%x\n", image->name,
                i / image->channels, i % image->channels, gpu, cpu);
    }
    free(pixels);
    free(values);
    free(out[0]);
    free(out[1]);
    return different != 0;
}

/* PoCL 3.1 has no queries of an image in a buffer. */
static unsigned check_queries(const struct machine machines[2], const cl_program programs[2], const struct image *image)
{
    cl_int4 sizes[2];
    char name[64];
    snprintf(name, sizeof name, "size_%s", image->kind->name);
    sizes[1] = (cl_int4){
        {WIDTH, 0, 0, (cl_int)(image->format.image_channel_order << 16 | image->format.image_channel_data_type)}};
    for (unsigned m = 0; m < (image->kind->type == CL_MEM_OBJECT_IMAGE1D_BUFFER ? 1 : 2); m++) {
        cl_mem out = upload(&machines[m], &sizes[m], sizeof sizes[m]);
        launch(&machines[m], programs[m], name, 1, 2, (const size_t[]){sizeof(cl_mem), sizeof out},
               (const void *const[]){&image->on[m], &out});
        CL(clEnqueueReadBuffer(machines[m].queue, out, CL_TRUE, 0, sizeof sizes[m], &sizes[m], 0, NULL, NULL));
        CL(clReleaseMemObject(out));
    }
    if (image->as_float[1] && image->kind->type != CL_MEM_OBJECT_IMAGE1D_BUFFER)
        sizes[1].s[3] += CL_HALF_FLOAT - CL_FLOAT;
    bool same = true;
    for (unsigned k = 0; k < 4; k++)
        same = same && sizes[0].s[k] == sizes[1].s[k];
    if (same)
        return 0;
    fprintf(stderr, "%s: sizes %d %d %d %d on the GPU, %d %d %d %d on the CPU\n", image->name, sizes[0].s[0],
            sizes[0].s[1], sizes[0].s[2], sizes[0].s[3], sizes[1].s[0], sizes[1].s[1], sizes[1].s[2], sizes[1].s[3]);
    return 1;
}

static unsigned check_image(const struct suite *suite, const struct machine machines[2], const cl_program programs[2],
                            const struct kind *kind, cl_image_format format, struct random *random)
{
    struct image image = {.kind = kind, .format = format, .channels = channel_count(format.image_channel_order)};
    for (size_t i = 0; i < sizeof data_types / sizeof data_types[0]; i++)
        if (data_types[i].type == format.image_channel_data_type)
            image.data = &data_types[i];
    if (!image.data)
        return 0;
    snprintf(image.name, sizeof image.name, "%s %s order 0x%x", kind->name, image.data->name,
             format.image_channel_order);
    if (!suite_wants(suite, image.name))
        return 0;
    image.pixel_bytes = image.channels * image.data->bytes;
    image.pixels = kind->width * kind->height * kind->depth;
    image.bytes = malloc(image.pixels * image.pixel_bytes);
    REQUIRE(image.bytes, "no memory");
    fill_pixels(&image, random);
    for (unsigned m = 0; m < 2; m++) {
        create(&image, &machines[m], m);
        write_contents(&image, &machines[m], m);
    }
    unsigned wrong = check_reads(machines, programs, &image, suite->items, random);
    wrong += check_writes(machines, programs, &image, random) + check_queries(machines, programs, &image);
    for (unsigned m = 0; m < 2; m++) {
        CL(clReleaseMemObject(image.on[m]));
        if (image.storage[m])
            CL(clReleaseMemObject(image.storage[m]));
    }
    free(image.bytes);
    return wrong;
}

/* Arguments: SOURCE. */
int main(int count, char **arguments)
{
    struct suite suite = suite_parse(count, arguments, 64);
    struct machine machines[2] = {machine_open(CL_DEVICE_TYPE_GPU), machine_open(CL_DEVICE_TYPE_CPU)};
    struct random random = {suite.seed};
    unsigned wrong = 0, images = 0;
    REQUIRE(suite.rest[0], "usage: agree_images SOURCE [--seed N] [--items N] [--only NAME]");
    char *source = read_text(suite.rest[0]);
    cl_program programs[2] = {machine_build(&machines[0], source, ""), machine_build(&machines[1], source, "")};
    free(source);
    for (size_t k = 0; k < sizeof kinds / sizeof kinds[0]; k++) {
        cl_image_format formats[MOST_FORMATS];
        unsigned format_count = common_formats(machines, &kinds[k], formats);
        REQUIRE(format_count > 0, "no common format for %s", kinds[k].name);
        for (unsigned f = 0; f < format_count; f++, images++)
            wrong += check_image(&suite, machines, programs, &kinds[k], formats[f], &random);
    }
    printf("%u images, %u wrong\n", images, wrong);
    for (unsigned m = 0; m < 2; m++) {
        CL(clReleaseProgram(programs[m]));
        machine_close(&machines[m]);
    }
    return wrong != 0;
}
