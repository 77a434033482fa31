/* Checks every image format that kernels can read on the device: a pixel of random bits must have the value of OpenCL
 * C's rules for channel types and orders. No table of the simulator is used. */
#include "checked.h"

#include <CL/cl_ext.h>
#include <float.h>
#include <math.h>

enum { WIDTH = 19, HEIGHT = 5, PIXELS = WIDTH * HEIGHT, MOST_BYTES = 16 };

/* Names of the fields of a pixel, from its first byte on. NULL: the format belongs to another test. */
static const char *fields_of(cl_channel_order order)
{
    switch (order) {
    case CL_R: return "R";
    case CL_A: return "A";
    case CL_INTENSITY: return "I";
    case CL_LUMINANCE: return "L";
    case CL_RG: return "RG";
    case CL_RGBA: return "RGBA";
    case CL_BGRA: return "BGRA";
    case CL_sRGBA: return "rgbA"; /* small: gamma coded */
    case CL_sBGRA: return "bgrA";
    default: return NULL;
    }
}

static unsigned bytes_of(cl_channel_type type)
{
    switch (type) {
    case CL_SNORM_INT8:
    case CL_UNORM_INT8:
    case CL_SIGNED_INT8:
    case CL_UNSIGNED_INT8: return 1;
    case CL_SNORM_INT16:
    case CL_UNORM_INT16:
    case CL_SIGNED_INT16:
    case CL_UNSIGNED_INT16:
    case CL_HALF_FLOAT: return 2;
    default: return 4;
    }
}

static double half_value(uint16_t half)
{
    int exponent = half >> 10 & 31;
    double mantissa = half & 1023, value;
    if (exponent == 31)
        value = mantissa != 0 ? NAN : INFINITY;
    else
        value = exponent == 0 ? ldexp(mantissa, -24) : ldexp(mantissa + 1024, exponent - 25);
    return half & 0x8000 ? -value : value;
}

/* A field's value, as the function of its type reads it. */
static double field_value(cl_channel_type type, uint32_t bits)
{
    float real;
    memcpy(&real, &bits, sizeof real);
    switch (type) {
    case CL_SNORM_INT8: return fmax((int8_t)bits / 127.0, -1);
    case CL_SNORM_INT16: return fmax((int16_t)bits / 32767.0, -1);
    case CL_UNORM_INT8: return bits / 255.0;
    case CL_UNORM_INT16: return bits / 65535.0;
    case CL_SIGNED_INT8: return (int8_t)bits;
    case CL_SIGNED_INT16: return (int16_t)bits;
    case CL_SIGNED_INT32: return (int32_t)bits;
    case CL_HALF_FLOAT: return half_value((uint16_t)bits);
    case CL_FLOAT: return (double)real;
    default: return bits;
    }
}

static double linear_of_gamma(double value)
{
    return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4);
}

/* A pixel's four components; what it has no field for is 0, alpha 1. */
static void decode(const cl_image_format *format, const uint8_t *pixel, double components[4])
{
    static const char names[] = "RGBA";
    const char *fields = fields_of(format->image_channel_order);
    unsigned bytes = bytes_of(format->image_channel_data_type);
    components[0] = components[1] = components[2] = 0;
    components[3] = 1;
    for (unsigned i = 0; fields[i]; i++) {
        uint32_t bits = 0;
        memcpy(&bits, pixel + i * bytes, bytes);
        double value = field_value(format->image_channel_data_type, bits);
        if (fields[i] >= 'a')
            value = linear_of_gamma(value);
        for (unsigned k = 0; k < 4; k++)
            if (fields[i] == names[k] || fields[i] - 'a' + 'A' == names[k] || fields[i] == 'I' ||
                (fields[i] == 'L' && k < 3))
                components[k] = value;
    }
}

/* The kernel for a channel type, and a value of what it writes. */
static const char *kernel_for(cl_channel_type type)
{
    switch (type) {
    case CL_SIGNED_INT8:
    case CL_SIGNED_INT16:
    case CL_SIGNED_INT32: return "format_signed";
    case CL_UNSIGNED_INT8:
    case CL_UNSIGNED_INT16:
    case CL_UNSIGNED_INT32: return "format_unsigned";
    default: return "format_real";
    }
}

static double value_of(const char *kernel, uint32_t bits)
{
    float real;
    memcpy(&real, &bits, sizeof real);
    return kernel[7] == 's' ? (double)(int32_t)bits : kernel[7] == 'u' ? bits : (double)real;
}

/* sRGB values may differ by as much as OpenCL allows, half a step of eight bits; others are rounded once. For float
 * images, the sampler flushes denormals to zeros of the same sign, as OpenCL allows. */
static bool agree(const cl_image_format *format, double got, double want)
{
    bool gamma = format->image_channel_order == CL_sRGBA || format->image_channel_order == CL_sBGRA;
    if (isnan(want) || isinf(want))
        return isnan(want) ? isnan(got) : got == want;
    if (format->image_channel_data_type == CL_FLOAT && fabs(want) < FLT_MIN)
        return got == 0 && signbit(got) == signbit(want);
    return fabs(got - want) <= (gamma ? 0.5 / 255 : fabs(want) * 0x1p-23);
}

static unsigned check_format(const struct machine *gpu, cl_program program, const cl_image_format *format,
                             struct random *random)
{
    static uint8_t pixels[PIXELS * MOST_BYTES];
    static uint32_t values[PIXELS][4];
    const char *name = kernel_for(format->image_channel_data_type);
    size_t bytes = strlen(fields_of(format->image_channel_order)) * bytes_of(format->image_channel_data_type);
    const size_t size[2] = {WIDTH, HEIGHT};
    cl_image_desc description = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = WIDTH, .image_height = HEIGHT};
    cl_int error;
    for (size_t i = 0; i < PIXELS * bytes; i++)
        pixels[i] = (uint8_t)random_bits(random);
    cl_mem image =
        clCreateImage(gpu->context, CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, format, &description, pixels, &error);
    CL(error);
    cl_mem out = clCreateBuffer(gpu->context, CL_MEM_READ_WRITE, sizeof values, NULL, &error);
    CL(error);
    cl_kernel kernel = clCreateKernel(program, name, &error);
    CL(error);
    CL(clSetKernelArg(kernel, 0, sizeof image, &image));
    CL(clSetKernelArg(kernel, 1, sizeof out, &out));
    CL(clEnqueueNDRangeKernel(gpu->queue, kernel, 2, NULL, size, NULL, 0, NULL, NULL));
    CL(clEnqueueReadBuffer(gpu->queue, out, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    unsigned wrong = 0;
    for (size_t i = 0; i < 4 * PIXELS && !wrong; i++) {
        double want[4], got = value_of(name, values[i / 4][i % 4]);
        decode(format, pixels + i / 4 * bytes, want);
        if (!agree(format, got, want[i % 4])) {
            fprintf(stderr, "formats: order 0x%x, type 0x%x: pixel %zu, component %zu is %g, not %g\n",
                    format->image_channel_order, format->image_channel_data_type, i / 4, i % 4, got, want[i % 4]);
            wrong = 1;
        }
    }
    CL(clReleaseKernel(kernel));
    CL(clReleaseMemObject(image));
    CL(clReleaseMemObject(out));
    return wrong;
}

unsigned checked_formats(const struct machine *gpu, cl_program program, struct random *random)
{
    cl_image_format formats[128];
    cl_uint count, checked = 0;
    unsigned wrong = 0;
    CL(clGetSupportedImageFormats(gpu->context, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 128, formats, &count));
    REQUIRE(count <= 128, "%u formats", count);
    for (cl_uint i = 0; i < count; i++)
        if (fields_of(formats[i].image_channel_order))
            wrong += check_format(gpu, program, &formats[i], random), checked++;
    REQUIRE(checked >= 50, "%u formats", checked); /* what the driver lists for these parts */
    return wrong != 0;
}
