/* Finds a kernel interface by its name. */
#include <string.h>
#include "sim/kernel/kernel.h"

const struct kernel_interface *kernel_interface_find(const char *name)
{
    static const struct kernel_interface *const all[] = {&i915_interface, &xe_interface};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        if (strcmp(all[i]->name, name) == 0)
            return all[i];
    return NULL;
}
