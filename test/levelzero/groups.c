/* Checks the inputs of thread groups: their ids and sizes in three dimensions, cut groups, local memory and barriers;
 * and that the number of host threads changes no result. */
#include "level_zero.h"

static void launch(const struct level_zero *z, ze_kernel_handle_t kernel, const uint32_t size[3], uint32_t groups_x,
                   uint32_t groups_y, uint32_t groups_z)
{
    ze_command_queue_handle_t queue = level_zero_queue(z);
    ze_command_list_handle_t list = level_zero_list(z);
    ze_group_count_t groups = {groups_x, groups_y, groups_z};
    ZE(zeKernelSetGroupSize(kernel, size[0], size[1], size[2]));
    ZE(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    level_zero_run(queue, list);
    ZE(zeCommandListDestroy(list));
    ZE(zeCommandQueueDestroy(queue));
}

/* The same with the number of groups read from memory by the GPU. */
static void launch_indirect(const struct level_zero *z, ze_kernel_handle_t kernel, const uint32_t size[3],
                            const uint32_t groups[3])
{
    ze_command_queue_handle_t queue = level_zero_queue(z);
    ze_command_list_handle_t list = level_zero_list(z);
    ze_group_count_t *count = level_zero_shared(z, sizeof *count);
    *count = (ze_group_count_t){1, 1, 1};
    ZE(zeKernelSetGroupSize(kernel, size[0], size[1], size[2]));
    ZE(zeCommandListAppendLaunchKernelIndirect(list, kernel, count, NULL, 0, NULL));
    *count = (ze_group_count_t){groups[0], groups[1], groups[2]}; /* after it was appended */
    level_zero_run(queue, list);
    ZE(zeMemFree(z->context, count));
    ZE(zeCommandListDestroy(list));
    ZE(zeCommandQueueDestroy(queue));
}

static uint32_t packed(uint32_t x, uint32_t y, uint32_t z)
{
    return x | y << 8 | z << 16;
}

static void check_positions(const struct level_zero *z, ze_module_handle_t module, const uint32_t size[3],
                            const uint32_t groups[3], int indirect)
{
    ze_kernel_handle_t kernel = level_zero_kernel(module, "positions");
    uint32_t width = size[0] * groups[0], height = size[1] * groups[1], depth = size[2] * groups[2];
    uint32_t *out = level_zero_shared(z, 16 * (size_t)width * height * depth);
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof out, &out));
    if (indirect)
        launch_indirect(z, kernel, size, groups);
    else
        launch(z, kernel, size, groups[0], groups[1], groups[2]);
    level_zero_keep(out, 16 * (size_t)width * height * depth);
    for (uint32_t i = 0; i < width * height * depth; i++) {
        uint32_t x = i % width, y = i / width % height, at_z = i / width / height;
        uint32_t expected[4] = {packed(x / size[0], y / size[1], at_z / size[2]),
                                packed(x % size[0], y % size[1], at_z % size[2]),
                                packed(groups[0], groups[1], groups[2]), packed(size[0], size[1], size[2])};
        for (int k = 0; k < 4; k++)
            REQUIRE(out[4 * i + k] == expected[k], "item %u,%u,%u value %d is %x, expected %x", x, y, at_z, k,
                    out[4 * i + k], expected[k]);
    }
    ZE(zeMemFree(z->context, out));
    ZE(zeKernelDestroy(kernel));
}

static void check_group_sums(const struct level_zero *z, ze_module_handle_t module, uint32_t size)
{
    enum { GROUPS = 9 };
    const uint32_t sizes[3] = {size, 1, 1};
    ze_kernel_handle_t kernel = level_zero_kernel(module, "group_sum");
    uint32_t *in = level_zero_shared(z, GROUPS * size * sizeof *in),
             *sums = level_zero_shared(z, GROUPS * sizeof *sums);
    for (uint32_t i = 0; i < GROUPS * size; i++)
        in[i] = i * i;
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof in, &in));
    ZE(zeKernelSetArgumentValue(kernel, 1, sizeof sums, &sums));
    ZE(zeKernelSetArgumentValue(kernel, 2, size * sizeof(uint32_t), NULL));
    launch(z, kernel, sizes, GROUPS, 1, 1);
    level_zero_keep(sums, GROUPS * sizeof *sums);
    for (uint32_t group = 0; group < GROUPS; group++) {
        uint32_t expected = 0;
        for (uint32_t i = group * size; i < (group + 1) * size; i++)
            expected += i * i;
        REQUIRE(sums[group] == expected, "group %u of %u items is %u, expected %u", group, size, sums[group], expected);
    }
    ZE(zeMemFree(z->context, in));
    ZE(zeMemFree(z->context, sums));
    ZE(zeKernelDestroy(kernel));
}

int main(int count, char **arguments)
{
    static const uint32_t shapes[][2][3] = {{{16, 1, 1}, {3, 1, 1}},
                                            {{5, 3, 2}, {2, 3, 4}}, /* 30 items: the last thread is cut */
                                            {{1, 1, 1}, {7, 2, 1}},
                                            {{64, 4, 1}, {1, 2, 2}}};
    REQUIRE(count == 2, "usage: groups MODULE");
    struct level_zero z = level_zero_open();
    ze_module_handle_t module = level_zero_load(&z, arguments[1]);
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
        for (int indirect = 0; indirect < 2; indirect++)
            check_positions(&z, module, shapes[i][0], shapes[i][1], indirect);
    check_group_sums(&z, module, 16);
    check_group_sums(&z, module, 256);
    ZE(zeModuleDestroy(module));
    ZE(zeContextDestroy(z.context));
    return 0;
}
