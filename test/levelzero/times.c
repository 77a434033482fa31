/* Checks clocks: global timestamps that a list writes, events' times as the device copies them out, and their relation
 * to the host's clock. */
#include "level_zero.h"

enum { COUNT = 4096, SIZE = 64 };

static ze_event_handle_t make_event(const struct level_zero *z, ze_event_pool_handle_t *pool)
{
    const ze_event_pool_desc_t pool_description = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                                   .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE |
                                                            ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP,
                                                   .count = 1};
    const ze_event_desc_t description = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .signal = ZE_EVENT_SCOPE_FLAG_HOST};
    ze_device_handle_t device = z->device;
    ze_event_handle_t event;
    ZE(zeEventPoolCreate(z->context, &pool_description, 1, &device, pool));
    ZE(zeEventCreate(*pool, &description, &event));
    return event;
}

/* Returns the duration of a launch: timestamps of a list's commands must increase, and a launch must take time. */
static uint64_t check_list(const struct level_zero *z, ze_kernel_handle_t kernel)
{
    const ze_group_count_t groups = {COUNT / SIZE, 1, 1};
    ze_event_pool_handle_t pool;
    ze_event_handle_t event = make_event(z, &pool);
    ze_command_queue_handle_t queue = level_zero_queue(z);
    ze_command_list_handle_t list = level_zero_list(z);
    uint64_t *times = level_zero_host(z, 4 * sizeof *times);
    ze_kernel_timestamp_result_t *copied = level_zero_shared(z, sizeof *copied), asked;
    ZE(zeKernelSetGroupSize(kernel, SIZE, 1, 1));
    ZE(zeCommandListAppendWriteGlobalTimestamp(list, &times[0], NULL, 0, NULL));
    ZE(zeCommandListAppendWriteGlobalTimestamp(list, &times[1], NULL, 0, NULL));
    ZE(zeCommandListAppendLaunchKernel(list, kernel, &groups, event, 0, NULL));
    ZE(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    ZE(zeCommandListAppendWriteGlobalTimestamp(list, &times[2], NULL, 0, NULL));
    ZE(zeCommandListAppendQueryKernelTimestamps(list, 1, &event, copied, NULL, NULL, 0, NULL));
    level_zero_run(queue, list);
    ZE(zeEventQueryKernelTimestamp(event, &asked));
    REQUIRE(times[0] < times[1] && times[1] < times[2], "times %llu %llu %llu", (unsigned long long)times[0],
            (unsigned long long)times[1], (unsigned long long)times[2]);
    REQUIRE(asked.global.kernelStart >= times[1] && asked.global.kernelEnd <= times[2], "the launch is outside");
    REQUIRE(asked.global.kernelEnd - asked.global.kernelStart > times[1] - times[0], "the launch took no time");
    REQUIRE(copied->global.kernelStart == asked.global.kernelStart &&
                copied->global.kernelEnd == asked.global.kernelEnd &&
                copied->context.kernelStart == asked.context.kernelStart &&
                copied->context.kernelEnd == asked.context.kernelEnd,
            "the device's copy of the times differs");
    uint64_t duration = asked.global.kernelEnd - asked.global.kernelStart;
    ZE(zeMemFree(z->context, times));
    ZE(zeMemFree(z->context, copied));
    ZE(zeEventDestroy(event));
    ZE(zeEventPoolDestroy(pool));
    ZE(zeCommandListDestroy(list));
    ZE(zeCommandQueueDestroy(queue));
    return duration;
}

/* Both clocks go on, never back. */
static void check_clocks(const struct level_zero *z)
{
    uint64_t host[2], device[2];
    ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES_1_2};
    ZE(zeDeviceGetProperties(z->device, &properties));
    enum { DG2 = 0x56a0 };
    const uint64_t ticks = properties.deviceId == DG2 ? 19200000 : 12000000;
    REQUIRE(properties.timerResolution == ticks, "%llu ticks a second", (unsigned long long)properties.timerResolution);
    ZE(zeDeviceGetGlobalTimestamps(z->device, &host[0], &device[0]));
    for (int i = 0; i < 100; i++) {
        ZE(zeDeviceGetGlobalTimestamps(z->device, &host[1], &device[1]));
        REQUIRE(host[1] > host[0] && device[1] > device[0], "a clock stands or goes back");
        host[0] = host[1];
        device[0] = device[1];
    }
}

int main(int count, char **arguments)
{
    REQUIRE(count == 2, "usage: times MODULE");
    struct level_zero z = level_zero_open();
    ze_module_handle_t module = level_zero_load(&z, arguments[1]);
    ze_kernel_handle_t kernel = level_zero_kernel(module, "add_one");
    uint32_t *data = level_zero_shared(&z, COUNT * sizeof *data);
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof data, &data));
    check_clocks(&z);
    uint64_t first = check_list(&z, kernel);
    for (int launch = 0; launch < 5; launch++) {
        uint64_t next = check_list(&z, kernel);
        REQUIRE(next <= first + 2 && first <= next + 2, /* the driver takes away the last bit of both times */
                "launches of one kernel take %llu and %llu ticks", (unsigned long long)first, (unsigned long long)next);
    }
    check_clocks(&z);
    ZE(zeMemFree(z.context, data));
    ZE(zeKernelDestroy(kernel));
    ZE(zeModuleDestroy(module));
    ZE(zeContextDestroy(z.context));
    return 0;
}
