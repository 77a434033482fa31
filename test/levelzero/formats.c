/* Checks the image formats of Level Zero that OpenCL lacks: the driver copies random bits in, a kernel reads each
 * pixel, and the fields of the layout give the expected value. */
#include "level_zero.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { WIDTH = 21, HEIGHT = 6, PIXELS = WIDTH * HEIGHT, MOST_BYTES = 16 };

struct format {
    ze_image_format_layout_t layout;
    ze_image_format_type_t type;
    unsigned bits[4];   /* of the fields, from bit 0 on */
    const char *fields; /* what they hold */
};

static const struct format formats[] = {
    {ZE_IMAGE_FORMAT_LAYOUT_32, ZE_IMAGE_FORMAT_TYPE_UNORM, {32}, "R"},
    {ZE_IMAGE_FORMAT_LAYOUT_32, ZE_IMAGE_FORMAT_TYPE_SNORM, {32}, "R"},
    {ZE_IMAGE_FORMAT_LAYOUT_32_32, ZE_IMAGE_FORMAT_TYPE_UNORM, {32, 32}, "RG"},
    {ZE_IMAGE_FORMAT_LAYOUT_32_32, ZE_IMAGE_FORMAT_TYPE_SNORM, {32, 32}, "RG"},
    {ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32, ZE_IMAGE_FORMAT_TYPE_UNORM, {32, 32, 32, 32}, "RGBA"},
    {ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32, ZE_IMAGE_FORMAT_TYPE_SNORM, {32, 32, 32, 32}, "RGBA"},
    {ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, ZE_IMAGE_FORMAT_TYPE_UNORM, {10, 10, 10, 2}, "RGBA"},
    {ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, ZE_IMAGE_FORMAT_TYPE_SNORM, {10, 10, 10, 2}, "RGBA"},
    {ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, ZE_IMAGE_FORMAT_TYPE_UINT, {10, 10, 10, 2}, "RGBA"},
    {ZE_IMAGE_FORMAT_LAYOUT_10_10_10_2, ZE_IMAGE_FORMAT_TYPE_SINT, {10, 10, 10, 2}, "RGBA"},
    {ZE_IMAGE_FORMAT_LAYOUT_11_11_10, ZE_IMAGE_FORMAT_TYPE_FLOAT, {11, 11, 10}, "RGB"},
    {ZE_IMAGE_FORMAT_LAYOUT_5_6_5, ZE_IMAGE_FORMAT_TYPE_UNORM, {5, 6, 5}, "BGR"},
    {ZE_IMAGE_FORMAT_LAYOUT_5_5_5_1, ZE_IMAGE_FORMAT_TYPE_UNORM, {5, 5, 5, 1}, "BGRA"},
    {ZE_IMAGE_FORMAT_LAYOUT_4_4_4_4, ZE_IMAGE_FORMAT_TYPE_UNORM, {4, 4, 4, 4}, "BGRA"},
};

/* `count` bits from bit `low` on. */
static uint32_t field_at(const uint8_t *pixel, unsigned low, unsigned count)
{
    uint64_t field = 0;
    for (unsigned i = 0; i < count; i++)
        field |= (uint64_t)(pixel[(low + i) / 8] >> (low + i) % 8 & 1) << i;
    return (uint32_t)field;
}

/* Floats of 11 and 10 bits: five of exponent, no sign. */
static double short_float(uint32_t field, unsigned count)
{
    int mantissa_bits = (int)count - 5, exponent = (int)(field >> mantissa_bits);
    double mantissa = ldexp(field & ((1u << mantissa_bits) - 1), -mantissa_bits);
    if (exponent == 31)
        return mantissa != 0 ? NAN : INFINITY;
    return exponent == 0 ? ldexp(mantissa, -14) : ldexp(1 + mantissa, exponent - 15);
}

static double field_value(ze_image_format_type_t type, uint32_t field, unsigned count)
{
    double most = ldexp(1, (int)count) - 1, half = ldexp(1, (int)count - 1);
    double number = field >= half ? field - 2 * half : field;
    switch (type) {
    case ZE_IMAGE_FORMAT_TYPE_UNORM: return field / most;
    case ZE_IMAGE_FORMAT_TYPE_SNORM: return fmax(number / (half - 1), -1);
    case ZE_IMAGE_FORMAT_TYPE_SINT: return number;
    case ZE_IMAGE_FORMAT_TYPE_FLOAT: return short_float(field, count);
    default: return field;
    }
}

static void decode(const struct format *format, const uint8_t *pixel, double components[4])
{
    unsigned low = 0;
    components[0] = components[1] = components[2] = 0;
    components[3] = 1;
    for (unsigned i = 0; format->fields[i]; low += format->bits[i++])
        components[strchr("RGBA", format->fields[i]) - "RGBA"] =
            field_value(format->type, field_at(pixel, low, format->bits[i]), format->bits[i]);
}

static const char *kernel_for(ze_image_format_type_t type)
{
    return type == ZE_IMAGE_FORMAT_TYPE_SINT   ? "pixels_signed"
           : type == ZE_IMAGE_FORMAT_TYPE_UINT ? "pixels_unsigned"
                                               : "pixels_real";
}

static double value_of(ze_image_format_type_t type, uint32_t bits)
{
    float real;
    memcpy(&real, &bits, sizeof real);
    return type == ZE_IMAGE_FORMAT_TYPE_SINT   ? (double)(int32_t)bits
           : type == ZE_IMAGE_FORMAT_TYPE_UINT ? bits
                                               : (double)real;
}

static void check_format(const struct level_zero *z, ze_module_handle_t module, const struct format *format)
{
    static uint8_t pixels[PIXELS * MOST_BYTES];
    unsigned bytes = (format->bits[0] + format->bits[1] + format->bits[2] + format->bits[3]) / 8;
    ze_image_handle_t image = level_zero_image(z, ZE_IMAGE_TYPE_2D, format->layout, format->type,
                                               (struct level_zero_extent){WIDTH, HEIGHT, 1, 0});
    ze_kernel_handle_t kernel = level_zero_kernel(module, kernel_for(format->type));
    ze_command_queue_handle_t queue = level_zero_queue(z);
    ze_command_list_handle_t list = level_zero_list(z);
    ze_group_count_t groups = {WIDTH, HEIGHT, 1};
    uint32_t(*values)[4] = level_zero_shared(z, PIXELS * sizeof *values);
    for (size_t i = 0; i < (size_t)PIXELS * bytes; i++)
        pixels[i] = (uint8_t)rand();
    ZE(zeCommandListAppendImageCopyFromMemory(list, image, pixels, NULL, NULL, 0, NULL));
    ZE(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    ZE(zeKernelSetGroupSize(kernel, 1, 1, 1));
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof image, &image));
    ZE(zeKernelSetArgumentValue(kernel, 1, sizeof values, &values));
    ZE(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    level_zero_run(queue, list);
    for (unsigned i = 0; i < PIXELS; i++) {
        double want[4];
        decode(format, pixels + i * bytes, want);
        for (unsigned k = 0; k < 4; k++) {
            double got = value_of(format->type, values[i][k]);
            bool right = isnan(want[k])   ? isnan(got)
                         : isinf(want[k]) ? got == want[k]
                                          : fabs(got - want[k]) <= fabs(want[k]) * 0x1p-23;
            REQUIRE(right, "layout %d, type %d: pixel %u, component %u is %g, not %g", format->layout, format->type, i,
                    k, got, want[k]);
        }
    }
    ZE(zeMemFree(z->context, values));
    ZE(zeImageDestroy(image));
}

int main(int count, char **arguments)
{
    REQUIRE(count == 2, "usage: formats MODULE");
    struct level_zero z = level_zero_open();
    ze_module_handle_t module = level_zero_load(&z, arguments[1]);
    srand(1);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        check_format(&z, module, &formats[i]);
    ZE(zeModuleDestroy(module));
    return 0;
}
