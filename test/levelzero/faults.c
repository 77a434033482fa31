/* Makes one mistake, named on the command line, that the simulated GPU must report and stop at. */
#include "level_zero.h"

#include <string.h>

static void launch(const struct level_zero *z, ze_kernel_handle_t kernel)
{
    ze_command_queue_handle_t queue = level_zero_queue(z);
    ze_command_list_handle_t list = level_zero_list(z);
    ze_group_count_t groups = {1, 1, 1};
    ZE(zeKernelSetGroupSize(kernel, 1, 1, 1));
    ZE(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    level_zero_run(queue, list);
}

int main(int count, char **arguments)
{
    REQUIRE(count == 3, "usage: faults MODULE wild-read|endless");
    struct level_zero z = level_zero_open();
    ze_module_handle_t module = level_zero_load(&z, arguments[1]);
    uint32_t *memory = level_zero_shared(&z, 4096);
    uint64_t nowhere = 0x123456789000;
    memory[0] = 0;
    if (strcmp(arguments[2], "wild-read") == 0) {
        ze_kernel_handle_t kernel = level_zero_kernel(module, "read_anywhere");
        ZE(zeKernelSetArgumentValue(kernel, 0, sizeof nowhere, &nowhere));
        ZE(zeKernelSetArgumentValue(kernel, 1, sizeof memory, &memory));
        launch(&z, kernel);
    } else {
        ze_kernel_handle_t kernel = level_zero_kernel(module, "spin");
        ZE(zeKernelSetArgumentValue(kernel, 0, sizeof memory, &memory));
        launch(&z, kernel);
    }
    return 0; /* the fault must not let us come here */
}
