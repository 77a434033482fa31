/* Finds devices by name: the machine's own GPU, and simulated ones. */
#include "benchmarks/harness/suite.h"

#include <string.h>

/* Finds the platform of the machine's own GPU. */
static int choose_gpu(struct bench_device_choice *choice, char why[512])
{
    cmrt_device *device;
    if (cmrt_device_open(CMRT_TARGET_GPU, &device)) {
        snprintf(why, 512, "%s; --device icllp simulates one", cmrt_message());
        return -1;
    }
    const char *name = cmrt_device_platform(device);
    choice->platform = name ? platform_find(name) : NULL;
    if (!choice->platform)
        snprintf(why, 512, "%s is not known here", cmrt_device_name(device));
    cmrt_device_close(device);
    return choice->platform ? 0 : -1;
}

/* Lists the names that --device takes, with commas. */
static const char *device_names(void)
{
    static char names[256];
    size_t length = (size_t)snprintf(names, sizeof names, "gpu");
    for (size_t k = 0; k < platform_count; k++)
        if (platform_table[k].simulated)
            length += (size_t)snprintf(names + length, sizeof names - length, ", %s", platform_table[k].ocloc);
    return names;
}

int device_choose(const char *name, struct bench_device_choice *choice, char why[512])
{
    choice->simulated = strcmp(name, "gpu") != 0;
    if (!choice->simulated)
        return choose_gpu(choice, why);
    choice->platform = platform_find(name);
    if (choice->platform && choice->platform->simulated)
        return 0;
    snprintf(why, 512, "--device: no device '%s'; there are %s", name, device_names());
    return -1;
}
