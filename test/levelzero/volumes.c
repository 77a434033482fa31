/* Checks images of one, two and three dimensions and arrays, in several formats: copied completely and in regions, from
 * image to image and by kernels. */
#include "level_zero.h"

#include <string.h>

struct shape {
    const char *name;
    ze_image_type_t type;
    uint32_t width, height, depth, levels;
    ze_image_format_layout_t layout;
    ze_image_format_type_t kind;
    uint32_t bytes; /* of a pixel */
};

static const struct shape shapes[] = {
    {"a line", ZE_IMAGE_TYPE_1D, 77, 1, 1, 0, ZE_IMAGE_FORMAT_LAYOUT_32, ZE_IMAGE_FORMAT_TYPE_UINT, 4},
    {"bytes", ZE_IMAGE_TYPE_2D, 67, 35, 1, 0, ZE_IMAGE_FORMAT_LAYOUT_8, ZE_IMAGE_FORMAT_TYPE_UINT, 1},
    {"halves", ZE_IMAGE_TYPE_2D, 33, 18, 1, 0, ZE_IMAGE_FORMAT_LAYOUT_16_16, ZE_IMAGE_FORMAT_TYPE_FLOAT, 4},
    {"four words", ZE_IMAGE_TYPE_2D, 19, 40, 1, 0, ZE_IMAGE_FORMAT_LAYOUT_16_16_16_16, ZE_IMAGE_FORMAT_TYPE_UNORM, 8},
    {"four floats", ZE_IMAGE_TYPE_2D, 21, 9, 1, 0, ZE_IMAGE_FORMAT_LAYOUT_32_32_32_32, ZE_IMAGE_FORMAT_TYPE_FLOAT, 16},
    {"a volume", ZE_IMAGE_TYPE_3D, 24, 13, 6, 0, ZE_IMAGE_FORMAT_LAYOUT_32, ZE_IMAGE_FORMAT_TYPE_FLOAT, 4},
    {"an array", ZE_IMAGE_TYPE_2DARRAY, 30, 11, 1, 5, ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, ZE_IMAGE_FORMAT_TYPE_UNORM, 4},
};

static ze_image_handle_t make_image(const struct level_zero *z, const struct shape *shape)
{
    return level_zero_image(z, shape->type, shape->layout, shape->kind,
                            (struct level_zero_extent){shape->width, shape->height, shape->depth, shape->levels});
}

/* Host to image to a second image to the host. */
static void copy_whole(const struct level_zero *z, const struct shape *shape)
{
    static uint8_t in[1 << 16], out[1 << 16];
    const uint32_t layers = shape->levels ? shape->levels : 1, depth = shape->depth;
    const size_t layer_size = (size_t)shape->width * shape->height * depth * shape->bytes;
    const size_t size = layers * layer_size;
    ze_image_handle_t first = make_image(z, shape), second = make_image(z, shape);
    ze_command_queue_handle_t queue = level_zero_queue(z);
    ze_command_list_handle_t list = level_zero_list(z);
    REQUIRE(size <= sizeof in, "%s is too large for this test", shape->name);
    for (size_t i = 0; i < size; i++)
        in[i] = (uint8_t)(i * 29 + i / 255);
    memset(out, 0, size);
    for (uint32_t layer = 0; layer < layers; layer++) { /* this driver sees one layer of host memory at a time */
        const ze_image_region_t all = {0, 0, layer, shape->width, shape->height, depth};
        ZE(zeCommandListAppendImageCopyFromMemory(list, first, in + layer * layer_size, &all, NULL, 0, NULL));
        ZE(zeCommandListAppendBarrier(list, NULL, 0, NULL));
        ZE(zeCommandListAppendImageCopyRegion(list, second, first, &all, &all, NULL, 0, NULL));
        ZE(zeCommandListAppendBarrier(list, NULL, 0, NULL));
        ZE(zeCommandListAppendImageCopyToMemory(list, out + layer * layer_size, second, &all, NULL, 0, NULL));
    }
    level_zero_run(queue, list);
    for (size_t i = 0; i < size; i++)
        REQUIRE(out[i] == in[i], "%s: byte %zu is %u, expected %u", shape->name, i, out[i], in[i]);
    ZE(zeCommandListDestroy(list));
    ZE(zeCommandQueueDestroy(queue));
    ZE(zeImageDestroy(first));
    ZE(zeImageDestroy(second));
}

/* A part of one image into another place of a second, the rest staying as it was. */
static void copy_region(const struct level_zero *z)
{
    const struct shape *shape = &shapes[1];
    enum { WIDTH = 67, HEIGHT = 35 };
    static uint8_t a[HEIGHT][WIDTH], b[HEIGHT][WIDTH], out[HEIGHT][WIDTH];
    const ze_image_region_t to = {9, 4, 0, 31, 17, 1}, from = {20, 11, 0, 31, 17, 1};
    ze_image_handle_t first = make_image(z, shape), second = make_image(z, shape);
    ze_command_queue_handle_t queue = level_zero_queue(z);
    ze_command_list_handle_t list = level_zero_list(z);
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            a[y][x] = (uint8_t)(x * 3 + y * 5);
            b[y][x] = (uint8_t)(200 - x - y);
        }
    ZE(zeCommandListAppendImageCopyFromMemory(list, first, a, NULL, NULL, 0, NULL));
    ZE(zeCommandListAppendImageCopyFromMemory(list, second, b, NULL, NULL, 0, NULL));
    ZE(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    ZE(zeCommandListAppendImageCopyRegion(list, second, first, &to, &from, NULL, 0, NULL));
    ZE(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    ZE(zeCommandListAppendImageCopyToMemory(list, out, second, NULL, NULL, 0, NULL));
    level_zero_run(queue, list);
    for (unsigned y = 0; y < HEIGHT; y++)
        for (unsigned x = 0; x < WIDTH; x++) {
            int inside = x - to.originX < to.width && y - to.originY < to.height;
            uint8_t expected = inside ? a[y - to.originY + from.originY][x - to.originX + from.originX] : b[y][x];
            REQUIRE(out[y][x] == expected, "pixel %u,%u is %u, expected %u", x, y, out[y][x], expected);
        }
    ZE(zeCommandListDestroy(list));
    ZE(zeCommandQueueDestroy(queue));
    ZE(zeImageDestroy(first));
    ZE(zeImageDestroy(second));
}

/* A kernel adds up a volume along its depth. */
static void sum_depth(const struct level_zero *z, ze_module_handle_t module)
{
    enum { WIDTH = 24, HEIGHT = 13, DEPTH = 6 };
    static float in[DEPTH][HEIGHT][WIDTH];
    const ze_group_count_t groups = {WIDTH, HEIGHT, 1};
    ze_image_handle_t image = make_image(z, &shapes[5]);
    float *out = level_zero_shared(z, HEIGHT * WIDTH * sizeof *out);
    ze_kernel_handle_t kernel = level_zero_kernel(module, "sum_depth");
    ze_command_queue_handle_t queue = level_zero_queue(z);
    ze_command_list_handle_t list = level_zero_list(z);
    for (int i = 0; i < DEPTH * HEIGHT * WIDTH; i++)
        ((float *)in)[i] = (float)(i * 37 % 1000);
    ZE(zeCommandListAppendImageCopyFromMemory(list, image, in, NULL, NULL, 0, NULL));
    ZE(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    ZE(zeKernelSetGroupSize(kernel, 1, 1, 1));
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof image, &image));
    ZE(zeKernelSetArgumentValue(kernel, 1, sizeof out, &out));
    ZE(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    level_zero_run(queue, list);
    level_zero_keep(out, WIDTH * HEIGHT * sizeof *out);
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++) {
            float expected = 0;
            for (int depth = 0; depth < DEPTH; depth++)
                expected += in[depth][y][x];
            REQUIRE(out[y * WIDTH + x] == expected, "%d,%d is %g, expected %g", x, y, (double)out[y * WIDTH + x],
                    (double)expected);
        }
    ZE(zeMemFree(z->context, out));
    ZE(zeKernelDestroy(kernel));
    ZE(zeCommandListDestroy(list));
    ZE(zeCommandQueueDestroy(queue));
    ZE(zeImageDestroy(image));
}

int main(int count, char **arguments)
{
    REQUIRE(count == 2, "usage: volumes MODULE");
    struct level_zero z = level_zero_open();
    ze_module_handle_t module = level_zero_load(&z, arguments[1]);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        copy_whole(&z, &shapes[i]);
    copy_region(&z);
    sum_depth(&z, module);
    ZE(zeModuleDestroy(module));
    ZE(zeContextDestroy(z.context));
    return 0;
}
