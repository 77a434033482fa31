/* Checks images whose pixels share chroma: cl_intel_packed_yuv and cl_intel_planar_yuv. A read returns V, Y, U and 1.
 * The two extensions define the U and V of a pixel; a linear filter weighs such pixels like those of every image. */
#include "checked.h"

#include <CL/cl_ext.h>
#include <math.h>

enum { MOST_PIXELS = 16 * 12, PLACES = 192 };

/* `bytes` of an image in host memory. order: that of a packed pair, such as "YUYV"; NULL: planar 4:2:0. */
struct picture {
    const char *order;
    int width, height;
    const uint8_t *bytes;
};

/* The pixel at x, y, or the nearest one of the edge. */
static void pixel_at(const struct picture *picture, int x, int y, float pixel[4])
{
    size_t width = (size_t)picture->width;
    size_t column = (size_t)(x < 0 ? 0 : x >= picture->width ? picture->width - 1 : x);
    size_t row = (size_t)(y < 0 ? 0 : y >= picture->height ? picture->height - 1 : y);
    const uint8_t *luma, *u, *v;
    if (picture->order) {
        const uint8_t *pair = picture->bytes + (row * width + column) / 2 * 4;
        luma = pair + (picture->order[0] == 'Y' ? 0 : 1) + column % 2 * 2;
        u = pair + (strchr(picture->order, 'U') - picture->order);
        v = pair + (strchr(picture->order, 'V') - picture->order);
    } else {
        luma = picture->bytes + row * width + column;
        u = picture->bytes + width * (size_t)picture->height + row / 2 * width + column / 2 * 2;
        v = u + 1;
    }
    pixel[0] = (float)*v / 255;
    pixel[1] = (float)*luma / 255;
    pixel[2] = (float)*u / 255;
    pixel[3] = 1;
}

/* OpenCL C's CLK_FILTER_LINEAR for two dimensions, at unnormalized coordinates. */
static void filtered_at(const struct picture *picture, const float at[2], float pixel[4])
{
    int x = (int)floorf(at[0] - 0.5f), y = (int)floorf(at[1] - 0.5f);
    float a = at[0] - 0.5f - (float)x, b = at[1] - 0.5f - (float)y;
    for (unsigned k = 0; k < 4; k++)
        pixel[k] = 0;
    for (int corner = 0; corner < 4; corner++) {
        float part[4], share = (corner & 1 ? a : 1 - a) * (corner & 2 ? b : 1 - b);
        pixel_at(picture, x + (corner & 1), y + corner / 2, part);
        for (unsigned k = 0; k < 4; k++)
            pixel[k] += share * part[k];
    }
}

static unsigned compare(const char *what, size_t at, const float got[4], const float want[4])
{
    for (unsigned k = 0; k < 4; k++)
        if (!(fabsf(got[k] - want[k]) <= 1e-6f)) {
            fprintf(stderr, "%s %zu, channel %u: %g, not %g\n", what, at, k, (double)got[k], (double)want[k]);
            return 1;
        }
    return 0;
}

static cl_kernel make_kernel(cl_program program, const char *name)
{
    cl_int error;
    cl_kernel kernel = clCreateKernel(program, name, &error);
    CL(error);
    return kernel;
}

/* Every pixel of `image`, as integer coordinates and no filter give it. */
static void read_pixels(const struct machine *gpu, cl_program program, cl_mem image, const size_t size[2],
                        float values[][4])
{
    cl_int error;
    size_t bytes = size[0] * size[1] * sizeof *values;
    cl_kernel kernel = make_kernel(program, "yuv_pixels");
    cl_mem out = clCreateBuffer(gpu->context, CL_MEM_READ_WRITE, bytes, NULL, &error);
    CL(error);
    CL(clSetKernelArg(kernel, 0, sizeof image, &image));
    CL(clSetKernelArg(kernel, 1, sizeof out, &out));
    CL(clEnqueueNDRangeKernel(gpu->queue, kernel, 2, NULL, size, NULL, 0, NULL, NULL));
    CL(clEnqueueReadBuffer(gpu->queue, out, CL_TRUE, 0, bytes, values, 0, NULL, NULL));
    CL(clReleaseMemObject(out));
    CL(clReleaseKernel(kernel));
}

/* Reads `image` through a linear filter, inside of it and around it, at 1/16 of pixels: those weights are exact. */
static unsigned check_filter(const struct machine *gpu, cl_program program, cl_mem image, const struct picture *picture,
                             struct random *random)
{
    static float places[PLACES][2], values[PLACES][4];
    unsigned wrong = 0;
    cl_int error;
    for (unsigned i = 0; i < PLACES; i++) {
        places[i][0] = (float)random_below(random, (uint32_t)(picture->width + 4) * 16) / 16 - 2;
        places[i][1] = (float)random_below(random, (uint32_t)(picture->height + 4) * 16) / 16 - 2;
    }
    cl_mem at = clCreateBuffer(gpu->context, CL_MEM_COPY_HOST_PTR, sizeof places, places, &error);
    CL(error);
    cl_mem out = clCreateBuffer(gpu->context, CL_MEM_READ_WRITE, sizeof values, NULL, &error);
    CL(error);
    cl_kernel kernel = make_kernel(program, "yuv_filtered");
    CL(clSetKernelArg(kernel, 0, sizeof image, &image));
    CL(clSetKernelArg(kernel, 1, sizeof at, &at));
    CL(clSetKernelArg(kernel, 2, sizeof out, &out));
    CL(clEnqueueNDRangeKernel(gpu->queue, kernel, 1, NULL, &(size_t){PLACES}, NULL, 0, NULL, NULL));
    CL(clEnqueueReadBuffer(gpu->queue, out, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    for (unsigned i = 0; i < PLACES && wrong < 5; i++) {
        float want[4];
        filtered_at(picture, places[i], want);
        wrong += compare(picture->order ? picture->order : "NV12, filtered", i, values[i], want);
    }
    CL(clReleaseMemObject(at));
    CL(clReleaseMemObject(out));
    CL(clReleaseKernel(kernel));
    return wrong;
}

unsigned checked_packed_pixels(const struct machine *gpu, cl_program program, struct random *random)
{
    enum { WIDTH = 14, HEIGHT = 6 };
    static const struct {
        cl_channel_order order;
        const char *bytes;
    } orders[] = {{CL_YUYV_INTEL, "YUYV"}, {CL_UYVY_INTEL, "UYVY"}, {CL_YVYU_INTEL, "YVYU"}, {CL_VYUY_INTEL, "VYUY"}};
    static uint8_t bytes[WIDTH * HEIGHT * 2];
    static float values[WIDTH * HEIGHT][4];
    unsigned wrong = 0;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (uint8_t)random_bits(random);
    for (size_t o = 0; o < sizeof orders / sizeof orders[0]; o++) {
        const struct picture picture = {orders[o].bytes, WIDTH, HEIGHT, bytes};
        cl_image_format format = {orders[o].order, CL_UNORM_INT8};
        cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
        cl_int error;
        cl_mem image =
            clCreateImage(gpu->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, &format, &description, bytes, &error);
        CL(error);
        read_pixels(gpu, program, image, (const size_t[2]){WIDTH, HEIGHT}, values);
        for (int i = 0; i < WIDTH * HEIGHT && wrong < 5; i++) {
            float want[4];
            pixel_at(&picture, i % WIDTH, i / WIDTH, want);
            wrong += compare(picture.order, (size_t)i, values[i], want);
        }
        wrong += check_filter(gpu, program, image, &picture, random);
        CL(clReleaseMemObject(image));
    }
    return wrong != 0;
}

/* Returns the texel of image `i` at x, y. Image 0 has all three channels, 1 the plane of Y, 2 that of U and V. */
static void planar_at(const struct picture *picture, unsigned i, int x, int y, float want[4])
{
    float whole[4];
    pixel_at(picture, i == 2 ? 2 * x : x, i == 2 ? 2 * y : y, whole);
    want[0] = i == 0 ? whole[0] : i == 1 ? whole[1] : whole[2];
    want[1] = i == 0 ? whole[1] : i == 1 ? 0 : whole[0];
    want[2] = i == 0 ? whole[2] : 0;
    want[3] = 1;
}

/* The extension promises reads at integer coordinates only; the driver takes linear samplers too. */
unsigned checked_planar_pixels(const struct machine *gpu, cl_program program, struct random *random)
{
    enum { WIDTH = 16, HEIGHT = 12, BYTES = WIDTH * HEIGHT * 3 / 2 };
    static uint8_t bytes[BYTES];
    static float values[MOST_PIXELS][4];
    const struct picture picture = {NULL, WIDTH, HEIGHT, bytes};
    unsigned wrong = 0;
    cl_int error;
    for (size_t i = 0; i < BYTES; i++)
        bytes[i] = (uint8_t)random_bits(random);
    cl_image_format formats[3] = {{CL_NV12_INTEL, CL_UNORM_INT8}, {CL_R, CL_UNORM_INT8}, {CL_RG, CL_UNORM_INT8}};
    cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
    cl_mem images[3];
    images[0] = clCreateImage(gpu->context, CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_COPY_HOST_PTR,
                              &formats[0], &description, bytes, &error);
    CL(error);
    for (unsigned plane = 0; plane < 2; plane++) {
        cl_image_desc part = {.image_type = CL_MEM_OBJECT_IMAGE2D, .mem_object = images[0], .image_depth = plane};
        images[1 + plane] = clCreateImage(gpu->context, CL_MEM_READ_ONLY, &formats[1 + plane], &part, NULL, &error);
        CL(error);
    }
    for (unsigned i = 0; i < 3; i++) {
        const size_t size[2] = {i == 2 ? WIDTH / 2 : WIDTH, i == 2 ? HEIGHT / 2 : HEIGHT};
        read_pixels(gpu, program, images[i], size, values);
        for (size_t at = 0; at < size[0] * size[1] && wrong < 5; at++) {
            float want[4];
            planar_at(&picture, i, (int)(at % size[0]), (int)(at / size[0]), want);
            wrong += compare(i == 0 ? "NV12" : i == 1 ? "NV12, Y" : "NV12, U and V", at, values[at], want);
        }
    }
    wrong += check_filter(gpu, program, images[0], &picture, random);
    for (unsigned i = 3; i-- > 0;)
        CL(clReleaseMemObject(images[i]));
    return wrong != 0;
}
