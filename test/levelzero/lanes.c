/* Checks the thread payload at each SIMD width, in full and partial threads, and many consecutive barriers: each lane's
 * ids, and a sort of each group in local memory. */
#include "level_zero.h"

#include <stdlib.h>

static void check_width(const struct level_zero *z, ze_module_handle_t module, const char *name, uint32_t width,
                        uint32_t size)
{
    enum { GROUPS = 3 };
    ze_kernel_handle_t kernel = level_zero_kernel(module, name);
    uint32_t *out = level_zero_shared(z, GROUPS * size * sizeof *out);
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof out, &out));
    level_zero_launch(z, kernel, size, GROUPS);
    level_zero_keep(out, GROUPS * size * sizeof *out);
    for (uint32_t i = 0; i < GROUPS * size; i++) {
        uint32_t item = i % size, first = item / width * width, lanes = size - first < width ? size - first : width;
        uint32_t expected = (item - first) << 16 | item / width << 8 | lanes;
        REQUIRE(out[i] == expected, "%s, groups of %u: item %u is %06x, expected %06x", name, size, i, out[i],
                expected);
    }
    ZE(zeMemFree(z->context, out));
    ZE(zeKernelDestroy(kernel));
}

static int rising(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

static void check_sort(const struct level_zero *z, ze_module_handle_t module, uint32_t size)
{
    enum { GROUPS = 6, MOST = 256 };
    int expected[GROUPS * MOST];
    ze_kernel_handle_t kernel = level_zero_kernel(module, "sort_groups");
    int *data = level_zero_shared(z, GROUPS * size * sizeof *data);
    uint32_t value = 12345;
    for (uint32_t i = 0; i < GROUPS * size; i++) {
        value = value * 1664525 + 1013904223;
        data[i] = expected[i] = (int)value >> 8;
    }
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof data, &data));
    ZE(zeKernelSetArgumentValue(kernel, 1, size * sizeof(int), NULL));
    level_zero_launch(z, kernel, size, GROUPS);
    level_zero_keep(data, GROUPS * size * sizeof *data);
    for (uint32_t group = 0; group < GROUPS; group++)
        qsort(expected + group * size, size, sizeof expected[0], rising);
    for (uint32_t i = 0; i < GROUPS * size; i++)
        REQUIRE(data[i] == expected[i], "groups of %u: element %u is %d, expected %d", size, i, data[i], expected[i]);
    ZE(zeMemFree(z->context, data));
    ZE(zeKernelDestroy(kernel));
}

int main(int count, char **arguments)
{
    static const uint32_t sizes[] = {1, 7, 8, 13, 16, 31, 32, 33, 96, 100, 256};
    static const struct {
        const char *name;
        uint32_t width;
    } kernels[] = {{"lanes_8", 8}, {"lanes_16", 16}, {"lanes_32", 32}};
    REQUIRE(count == 2, "usage: lanes MODULE");
    struct level_zero z = level_zero_open();
    ze_module_handle_t module = level_zero_load(&z, arguments[1]);
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; k++)
        for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
            check_width(&z, module, kernels[k].name, kernels[k].width, sizes[i]);
    for (uint32_t size = 2; size <= 256; size *= 4)
        check_sort(&z, module, size);
    ZE(zeModuleDestroy(module));
    ZE(zeContextDestroy(z.context));
    return 0;
}
