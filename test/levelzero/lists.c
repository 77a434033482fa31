/* Checks command lists and queues: repeated and reset lists, several lists in one submission, immediate lists; fences;
 * queues of several priorities at the same time; launches with a group count in memory. */
#include "level_zero.h"

#include <time.h>

enum { COUNT = 256, SIZE = 32, GROUPS = COUNT / SIZE };

static void append(const struct level_zero *z, ze_command_list_handle_t list, ze_kernel_handle_t kernel, uint32_t *data)
{
    const ze_group_count_t groups = {GROUPS, 1, 1};
    (void)z;
    ZE(zeKernelSetGroupSize(kernel, SIZE, 1, 1));
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof data, &data));
    ZE(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    ZE(zeCommandListAppendBarrier(list, NULL, 0, NULL));
}

static uint32_t *make_data(const struct level_zero *z)
{
    uint32_t *data = level_zero_shared(z, COUNT * sizeof *data);
    for (uint32_t i = 0; i < COUNT; i++)
        data[i] = i;
    return data;
}

static void check(const uint32_t *data, uint32_t added, const char *what)
{
    for (uint32_t i = 0; i < COUNT; i++)
        REQUIRE(data[i] == i + added, "%s: element %u is %u, expected %u", what, i, data[i], i + added);
}

/* One list again and again, the host changing memory between; then reset and filled with something else. */
static void run_again(const struct level_zero *z, ze_kernel_handle_t kernel)
{
    ze_command_queue_handle_t queue = level_zero_queue(z);
    ze_command_list_handle_t list = level_zero_list(z);
    uint32_t *data = make_data(z);
    append(z, list, kernel, data);
    ZE(zeCommandListClose(list));
    for (uint32_t round = 1; round <= 5; round++) {
        ZE(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
        ZE(zeCommandQueueSynchronize(queue, UINT64_MAX));
        check(data, 11 * round - 10, "a list that runs again");
        for (uint32_t i = 0; i < COUNT; i++)
            data[i] += 10;
    }
    ZE(zeCommandListReset(list));
    for (uint32_t i = 0; i < COUNT; i++)
        data[i] = i;
    for (int twice = 0; twice < 2; twice++)
        append(z, list, kernel, data);
    level_zero_run(queue, list);
    check(data, 2, "a list after its reset");
    ZE(zeCommandListDestroy(list));
    ZE(zeCommandQueueDestroy(queue));
    ZE(zeMemFree(z->context, data));
}

/* Several lists in one submission, and several submissions before the first wait, which is for a fence. No list is
 * submitted while it runs: from Xe-HP on, compute-runtime 26.27 then adds a jump to the list itself, to the end of the
 * submission. */
static void run_many(const struct level_zero *z, ze_kernel_handle_t kernel)
{
    enum { LISTS = 4, ROUNDS = 6 };
    const ze_fence_desc_t description = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
    ze_command_queue_handle_t queue = level_zero_queue(z);
    ze_command_list_handle_t lists[ROUNDS * LISTS];
    ze_fence_handle_t fence;
    uint32_t *data = make_data(z);
    ZE(zeFenceCreate(queue, &description, &fence));
    for (int i = 0; i < ROUNDS * LISTS; i++) {
        lists[i] = level_zero_list(z);
        append(z, lists[i], kernel, data);
        ZE(zeCommandListClose(lists[i]));
    }
    for (int round = 0; round < ROUNDS; round++)
        ZE(zeCommandQueueExecuteCommandLists(queue, LISTS, lists + round * LISTS, round == ROUNDS - 1 ? fence : NULL));
    ZE(zeFenceHostSynchronize(fence, UINT64_MAX));
    ZE(zeFenceQueryStatus(fence));
    check(data, LISTS * ROUNDS, "lists submitted together");
    ZE(zeFenceReset(fence));
    REQUIRE(zeFenceQueryStatus(fence) == ZE_RESULT_NOT_READY, "a fence after its reset");
    for (int i = 0; i < ROUNDS * LISTS; i++)
        ZE(zeCommandListDestroy(lists[i]));
    ZE(zeFenceDestroy(fence));
    ZE(zeCommandQueueDestroy(queue));
    ZE(zeMemFree(z->context, data));
}

/* Immediate lists: each append is a submission. */
static void run_immediately(const struct level_zero *z, ze_kernel_handle_t kernel, ze_command_queue_mode_t mode)
{
    const ze_command_queue_desc_t queue = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC, .mode = mode};
    const ze_event_pool_desc_t pool_description = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE, .count = 1};
    const ze_event_desc_t event_description = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
                                               .signal = ZE_EVENT_SCOPE_FLAG_HOST};
    ze_device_handle_t device = z->device;
    ze_command_list_handle_t list;
    ze_event_pool_handle_t pool;
    ze_event_handle_t done;
    uint32_t *data = make_data(z);
    ZE(zeCommandListCreateImmediate(z->context, z->device, &queue, &list));
    ZE(zeEventPoolCreate(z->context, &pool_description, 1, &device, &pool));
    ZE(zeEventCreate(pool, &event_description, &done));
    for (uint32_t round = 1; round <= 6; round++) {
        append(z, list, kernel, data);
        ZE(zeCommandListAppendSignalEvent(list, done));
        ZE(zeEventHostSynchronize(done, UINT64_MAX));
        check(data, round, "an immediate list");
        ZE(zeEventHostReset(done));
    }
    ZE(zeEventDestroy(done));
    ZE(zeEventPoolDestroy(pool));
    ZE(zeCommandListDestroy(list));
    ZE(zeMemFree(z->context, data));
}

/* A queue of each priority, all at work at once on data of their own. */
static void run_priorities(const struct level_zero *z, ze_module_handle_t module)
{
    enum { QUEUES = 5, ROUNDS = 4 };
    static const ze_command_queue_priority_t priorities[QUEUES] = {
        ZE_COMMAND_QUEUE_PRIORITY_NORMAL, ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW,
        ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_HIGH, ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW,
        ZE_COMMAND_QUEUE_PRIORITY_NORMAL};
    ze_command_queue_handle_t queues[QUEUES];
    ze_command_list_handle_t lists[QUEUES][ROUNDS];
    uint32_t *data[QUEUES];
    ze_kernel_handle_t kernel = level_zero_kernel(module, "add_one");
    for (int i = 0; i < QUEUES; i++) {
        const ze_command_queue_desc_t description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                                     .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
                                                     .priority = priorities[i]};
        ZE(zeCommandQueueCreate(z->context, z->device, &description, &queues[i]));
        data[i] = make_data(z);
        for (int round = 0; round < ROUNDS; round++) {
            lists[i][round] = level_zero_list(z);
            append(z, lists[i][round], kernel, data[i]);
            ZE(zeCommandListClose(lists[i][round]));
        }
    }
    for (int round = 0; round < ROUNDS; round++)
        for (int i = 0; i < QUEUES; i++)
            ZE(zeCommandQueueExecuteCommandLists(queues[i], 1, &lists[i][round], NULL));
    for (int i = QUEUES - 1; i >= 0; i--) {
        ZE(zeCommandQueueSynchronize(queues[i], UINT64_MAX));
        check(data[i], ROUNDS, "a queue among others");
        for (int round = 0; round < ROUNDS; round++)
            ZE(zeCommandListDestroy(lists[i][round]));
        ZE(zeCommandQueueDestroy(queues[i]));
        ZE(zeMemFree(z->context, data[i]));
    }
    ZE(zeKernelDestroy(kernel));
}

/* Three launches whose group counts are in memory; the number of launches is in memory, too. */
static void run_by_counts(const struct level_zero *z, ze_kernel_handle_t kernel)
{
    ze_command_queue_handle_t queue = level_zero_queue(z);
    ze_command_list_handle_t list = level_zero_list(z);
    uint32_t *data = make_data(z), *launches = level_zero_shared(z, sizeof *launches);
    ze_group_count_t *groups = level_zero_shared(z, 3 * sizeof *groups);
    ze_kernel_handle_t kernels[3] = {kernel, kernel, kernel};
    ZE(zeKernelSetGroupSize(kernel, SIZE, 1, 1));
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof data, &data));
    ZE(zeCommandListAppendLaunchMultipleKernelsIndirect(list, 3, kernels, launches, groups, NULL, 0, NULL));
    ZE(zeCommandListClose(list));
    for (uint32_t number = 0; number <= 3; number++) {
        *launches = number;
        for (uint32_t i = 0; i < COUNT; i++)
            data[i] = i;
        for (uint32_t i = 0; i < 3; i++)
            groups[i] = (ze_group_count_t){GROUPS - i, 1, 1};
        ZE(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
        ZE(zeCommandQueueSynchronize(queue, UINT64_MAX));
        for (uint32_t i = 0; i < COUNT; i++) {
            uint32_t added = 0;
            for (uint32_t launch = 0; launch < number; launch++)
                added += i < (GROUPS - launch) * SIZE;
            REQUIRE(data[i] == i + added, "%u launches: element %u is %u", number, i, data[i]);
        }
    }
    ZE(zeMemFree(z->context, groups));
    ZE(zeMemFree(z->context, launches));
    ZE(zeMemFree(z->context, data));
    ZE(zeCommandListDestroy(list));
    ZE(zeCommandQueueDestroy(queue));
}

int main(int count, char **arguments)
{
    REQUIRE(count == 2, "usage: lists MODULE");
    struct level_zero z = level_zero_open();
    ze_module_handle_t module = level_zero_load(&z, arguments[1]);
    ze_kernel_handle_t kernel = level_zero_kernel(module, "add_one");
    run_again(&z, kernel);
    run_many(&z, kernel);
    run_immediately(&z, kernel, ZE_COMMAND_QUEUE_MODE_SYNCHRONOUS);
    run_immediately(&z, kernel, ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS);
    run_priorities(&z, module);
    run_by_counts(&z, kernel);
    ZE(zeKernelDestroy(kernel));
    ZE(zeModuleDestroy(module));
    ZE(zeContextDestroy(z.context));
    return 0;
}
