/* Checks modules that need each other: linked in both orders of loading, functions called across them, variables of
 * both reached from the host by name; a module that is never linked is refused. */
#include "level_zero.h"

enum { COUNT = 100, FACTOR = 3 };

static void check_calls(const struct level_zero *z, ze_module_handle_t use)
{
    ze_kernel_handle_t kernel = level_zero_kernel(use, "through_library");
    int *data = level_zero_shared(z, COUNT * sizeof *data), factor = FACTOR;
    for (int i = 0; i < COUNT; i++)
        data[i] = i * i;
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof data, &data));
    ZE(zeKernelSetArgumentValue(kernel, 1, sizeof factor, &factor));
    /* The variable of the library, which the driver does not see in this kernel. */
    ZE(zeKernelSetIndirectAccess(kernel, ZE_KERNEL_INDIRECT_ACCESS_FLAG_DEVICE));
    level_zero_launch(z, kernel, 10, COUNT / 10);
    for (int i = 0; i < COUNT; i++)
        REQUIRE(data[i] == i * i * FACTOR + 7, "element %d is %d", i, data[i]);
    ZE(zeMemFree(z->context, data));
    ZE(zeKernelDestroy(kernel));
}

/* The device's variable `name`, as the host reads it through a copy. */
static uint32_t read_variable(const struct level_zero *z, ze_module_handle_t module, const char *name)
{
    uint32_t value = 0;
    size_t size = 0;
    void *address = NULL;
    ZE(zeModuleGetGlobalPointer(module, name, &size, &address));
    REQUIRE(size >= sizeof value, "%s has %zu bytes", name, size);
    level_zero_copy(z, &value, address, sizeof value);
    return value;
}

static void check_variables(const struct level_zero *z, ze_module_handle_t use)
{
    enum { ITEMS = 8 };
    static const uint32_t steps[] = {1, 10, 100, 1000};
    const uint32_t total = 77;
    void *address;
    ze_kernel_handle_t kernel = level_zero_kernel(use, "use_globals");
    uint32_t *out = level_zero_shared(z, ITEMS * sizeof *out);
    REQUIRE(read_variable(z, use, "total") == 5, "the initial value of a variable");
    ZE(zeModuleGetGlobalPointer(use, "total", NULL, &address));
    level_zero_copy(z, address, &total, sizeof total);
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof out, &out));
    level_zero_launch(z, kernel, ITEMS, 1);
    for (unsigned i = 0; i < ITEMS; i++)
        REQUIRE(out[i] == total + steps[i % 4], "element %u is %u", i, out[i]);
    ZE(zeMemFree(z->context, out));
    ZE(zeKernelDestroy(kernel));
}

int main(int count, char **arguments)
{
    REQUIRE(count == 3, "usage: modules LIBRARY USE");
    struct level_zero z = level_zero_open();
    for (int order = 0; order < 2; order++) {
        ze_module_handle_t library = order ? NULL : level_zero_load(&z, arguments[1]);
        ze_module_handle_t use = level_zero_load(&z, arguments[2]);
        ze_kernel_desc_t description = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = "through_library"};
        ze_kernel_handle_t unlinked;
        if (order)
            library = level_zero_load(&z, arguments[1]);
        REQUIRE(zeKernelCreate(use, &description, &unlinked) == ZE_RESULT_ERROR_INVALID_MODULE_UNLINKED,
                "a kernel whose function is missing");
        ze_module_handle_t both[2] = {order ? use : library, order ? library : use};
        ZE(zeModuleDynamicLink(2, both, NULL));
        check_calls(&z, use);
        check_variables(&z, use);
        REQUIRE(read_variable(&z, library, "calls") == COUNT, "calls that the library counted");
        ZE(zeModuleDestroy(use));
        ZE(zeModuleDestroy(library));
    }
    ZE(zeContextDestroy(z.context));
    return 0;
}
