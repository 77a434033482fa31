/* Runs many more threads than a small GPU has slots for. */
#include "level_zero.h"

int main(int count, char **arguments)
{
    enum { SIZE = 16, GROUPS = 500 };
    REQUIRE(count == 2, "usage: topology MODULE");
    struct level_zero z = level_zero_open();
    ze_module_handle_t module = level_zero_load(&z, arguments[1]);
    ze_kernel_handle_t kernel = level_zero_kernel(module, "add_one");
    uint32_t *data = level_zero_shared(&z, SIZE * GROUPS * sizeof *data);
    for (uint32_t i = 0; i < SIZE * GROUPS; i++)
        data[i] = i;
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof data, &data));
    level_zero_launch(&z, kernel, SIZE, GROUPS);
    for (uint32_t i = 0; i < SIZE * GROUPS; i++)
        REQUIRE(data[i] == i + 1, "element %u is %u", i, data[i]);
    return 0;
}
