/* Checks images through Level Zero: copied in and out by the driver's kernels, sampled with a linear filter by ours. */
#include "level_zero.h"

#include <string.h>

enum { WIDTH = 37, HEIGHT = 21, CHANNELS = 4 };

typedef uint8_t pixels[HEIGHT][WIDTH][CHANNELS];

static ze_image_handle_t make_image(const struct level_zero *z)
{
    return level_zero_image(z, ZE_IMAGE_TYPE_2D, ZE_IMAGE_FORMAT_LAYOUT_8_8_8_8, ZE_IMAGE_FORMAT_TYPE_UNORM,
                            (struct level_zero_extent){WIDTH, HEIGHT, 1, 0});
}

int main(int count, char **arguments)
{
    static pixels in, copied, sampled;
    REQUIRE(count == 2, "usage: images MODULE");
    struct level_zero z = level_zero_open();
    ze_module_handle_t module = level_zero_load(&z, arguments[1]);
    ze_kernel_handle_t kernel = level_zero_kernel(module, "half_way");
    ze_command_queue_handle_t queue = level_zero_queue(&z);
    ze_command_list_handle_t list = level_zero_list(&z);
    ze_image_handle_t source = make_image(&z), result = make_image(&z);
    ze_group_count_t groups = {WIDTH, HEIGHT, 1};
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int c = 0; c < CHANNELS; c++)
                in[y][x][c] = (uint8_t)(2 * ((x * 5 + y * 11 + c * 40) % 128)); /* even: means are whole numbers */

    ZE(zeCommandListAppendImageCopyFromMemory(list, source, in, NULL, NULL, 0, NULL));
    ZE(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    ZE(zeKernelSetGroupSize(kernel, 1, 1, 1));
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof source, &source));
    ZE(zeKernelSetArgumentValue(kernel, 1, sizeof result, &result));
    ZE(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    ZE(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    ZE(zeCommandListAppendImageCopyToMemory(list, copied, source, NULL, NULL, 0, NULL));
    ZE(zeCommandListAppendImageCopyToMemory(list, sampled, result, NULL, NULL, 0, NULL));
    level_zero_run(queue, list);

    level_zero_keep(sampled, sizeof sampled);
    REQUIRE(memcmp(in, copied, sizeof in) == 0, "the copy of an image differs");
    for (int y = 0; y < HEIGHT; y++)
        for (int x = 0; x < WIDTH; x++)
            for (int c = 0; c < CHANNELS; c++) {
                int right = x + 1 < WIDTH ? x + 1 : x, mean = (in[y][x][c] + in[y][right][c]) / 2;
                REQUIRE(sampled[y][x][c] == mean, "pixel %d,%d channel %d is %d, expected %d", x, y, c,
                        sampled[y][x][c], mean);
            }
    ZE(zeImageDestroy(source));
    ZE(zeImageDestroy(result));
    ZE(zeModuleDestroy(module));
    return 0;
}
