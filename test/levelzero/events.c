/* Checks events: kernel times from the GPU's clock, waits that the host releases, and one queue waiting for another. */
#include "level_zero.h"

#include <time.h>

enum { COUNT = 512, GROUP = 16 };

static ze_event_pool_handle_t make_pool(const struct level_zero *z, ze_event_pool_flags_t flags, uint32_t count)
{
    ze_event_pool_desc_t description = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .flags = flags, .count = count};
    ze_device_handle_t device = z->device;
    ze_event_pool_handle_t pool;
    ZE(zeEventPoolCreate(z->context, &description, 1, &device, &pool));
    return pool;
}

static ze_event_handle_t make_event(ze_event_pool_handle_t pool, uint32_t index)
{
    ze_event_desc_t description = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC,
                                   .index = index,
                                   .signal = ZE_EVENT_SCOPE_FLAG_HOST,
                                   .wait = ZE_EVENT_SCOPE_FLAG_HOST};
    ze_event_handle_t event;
    ZE(zeEventCreate(pool, &description, &event));
    return event;
}

struct vectors {
    int *a, *b, *sum;
};

typedef void *allocate(const struct level_zero *z, size_t size);

static struct vectors make_vectors_of(const struct level_zero *z, allocate *memory)
{
    struct vectors v = {memory(z, COUNT * sizeof(int)), memory(z, COUNT * sizeof(int)), memory(z, COUNT * sizeof(int))};
    for (int i = 0; i < COUNT; i++) {
        v.a[i] = i;
        v.b[i] = 2 * i + 1;
        v.sum[i] = -1;
    }
    return v;
}

static struct vectors make_vectors(const struct level_zero *z)
{
    return make_vectors_of(z, level_zero_shared);
}

static void append_add(ze_command_list_handle_t list, ze_kernel_handle_t kernel, const struct vectors *v, int factor,
                       ze_event_handle_t signal, ze_event_handle_t wait)
{
    ze_group_count_t groups = {COUNT / GROUP, 1, 1};
    ZE(zeKernelSetGroupSize(kernel, GROUP, 1, 1));
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof v->a, &v->a));
    ZE(zeKernelSetArgumentValue(kernel, 1, sizeof v->b, &v->b));
    ZE(zeKernelSetArgumentValue(kernel, 2, sizeof v->sum, &v->sum));
    ZE(zeKernelSetArgumentValue(kernel, 3, sizeof factor, &factor));
    ZE(zeCommandListAppendLaunchKernel(list, kernel, &groups, signal, wait != NULL, wait ? &wait : NULL));
}

static void check_sum(const struct vectors *v, int factor)
{
    for (int i = 0; i < COUNT; i++)
        REQUIRE(v->sum[i] == v->a[i] + factor * v->b[i], "element %d is %d", i, v->sum[i]);
}

/* A launch ends after its start, a later launch is not earlier, and the device's clock is later than both. */
static void check_kernel_times(const struct level_zero *z, ze_kernel_handle_t kernel)
{
    ze_event_pool_handle_t pool =
        make_pool(z, ZE_EVENT_POOL_FLAG_HOST_VISIBLE | ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP, 2);
    ze_event_handle_t events[2] = {make_event(pool, 0), make_event(pool, 1)};
    ze_command_queue_handle_t queue = level_zero_queue(z);
    ze_command_list_handle_t list = level_zero_list(z);
    struct vectors v = make_vectors(z);
    ze_kernel_timestamp_result_t times[2];
    append_add(list, kernel, &v, 4, events[0], NULL);
    append_add(list, kernel, &v, 5, events[1], events[0]);
    level_zero_run(queue, list);
    check_sum(&v, 5);
    for (int i = 0; i < 2; i++) {
        ZE(zeEventQueryStatus(events[i]));
        ZE(zeEventQueryKernelTimestamp(events[i], &times[i]));
        REQUIRE(times[i].global.kernelEnd > times[i].global.kernelStart, "launch %d", i);
        REQUIRE(times[i].context.kernelEnd > times[i].context.kernelStart, "launch %d", i);
        ZE(zeEventDestroy(events[i]));
    }
    REQUIRE(times[1].global.kernelStart >= times[0].global.kernelEnd, "launch 1 starts before launch 0 ends");
    uint64_t host, device;
    ZE(zeDeviceGetGlobalTimestamps(z->device, &host, &device));
    REQUIRE(device >= times[1].global.kernelEnd, "the device's clock went back");
    ZE(zeEventPoolDestroy(pool));
    ZE(zeCommandListDestroy(list));
    ZE(zeCommandQueueDestroy(queue));
}

/* The batch waits on its own thread: nothing may run before the host has signalled. In memory of the host, for parts
 * with memory of their own move shared memory to and fro, and so forbid the host to touch it while a batch may. */
static void check_host_release(const struct level_zero *z, ze_kernel_handle_t kernel)
{
    const struct timespec a_while = {0, 20000000};
    ze_event_pool_handle_t pool = make_pool(z, ZE_EVENT_POOL_FLAG_HOST_VISIBLE, 1);
    ze_event_handle_t go = make_event(pool, 0);
    ze_command_queue_handle_t queue = level_zero_queue(z);
    ze_command_list_handle_t list = level_zero_list(z);
    struct vectors v = make_vectors_of(z, level_zero_host);
    append_add(list, kernel, &v, 6, NULL, go);
    ZE(zeCommandListClose(list));
    ZE(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    nanosleep(&a_while, NULL); /* not the driver's own timeout: some versions take it for microseconds */
    REQUIRE(zeCommandQueueSynchronize(queue, 0) == ZE_RESULT_NOT_READY, "the queue did not wait for the event");
    REQUIRE(zeCommandQueueSynchronize(queue, 1000) == ZE_RESULT_NOT_READY, "a wait that is over");
    REQUIRE(zeEventHostSynchronize(go, 1000) == ZE_RESULT_NOT_READY, "an event without a signal");
    for (int i = 0; i < COUNT; i++)
        REQUIRE(v.sum[i] == -1, "element %d was written before the event", i);
    v.a[0] = 77;
    ZE(zeEventHostSignal(go));
    ZE(zeCommandQueueSynchronize(queue, UINT64_MAX));
    check_sum(&v, 6);
    ZE(zeEventDestroy(go));
    ZE(zeEventPoolDestroy(pool));
    ZE(zeCommandListDestroy(list));
    ZE(zeCommandQueueDestroy(queue));
}

/* The second queue's launch adds to what the first queue's launch makes, though it is submitted earlier. */
static void check_queue_order(const struct level_zero *z, ze_module_handle_t module)
{
    ze_event_pool_handle_t pool = make_pool(z, 0, 1);
    ze_event_handle_t made = make_event(pool, 0);
    struct vectors first = make_vectors(z), second = make_vectors(z);
    ze_command_queue_desc_t low = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                   .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS,
                                   .priority = ZE_COMMAND_QUEUE_PRIORITY_PRIORITY_LOW};
    ze_command_queue_handle_t queues[2] = {level_zero_queue(z)};
    ZE(zeCommandQueueCreate(z->context, z->device, &low, &queues[1])); /* the driver gives it a context of its own */
    ze_command_list_handle_t lists[2] = {level_zero_list(z), level_zero_list(z)};
    ze_kernel_handle_t kernels[2] = {level_zero_kernel(module, "vector_add"), level_zero_kernel(module, "vector_add")};
    second.a = first.sum;
    append_add(lists[0], kernels[0], &first, 2, made, NULL);
    append_add(lists[1], kernels[1], &second, 3, NULL, made);
    ZE(zeCommandListClose(lists[0]));
    ZE(zeCommandListClose(lists[1]));
    ZE(zeCommandQueueExecuteCommandLists(queues[1], 1, &lists[1], NULL));
    ZE(zeCommandQueueExecuteCommandLists(queues[0], 1, &lists[0], NULL));
    ZE(zeCommandQueueSynchronize(queues[1], UINT64_MAX));
    check_sum(&first, 2);
    check_sum(&second, 3);
    for (int i = 0; i < 2; i++) {
        ZE(zeKernelDestroy(kernels[i]));
        ZE(zeCommandListDestroy(lists[i]));
        ZE(zeCommandQueueSynchronize(queues[i], UINT64_MAX));
        ZE(zeCommandQueueDestroy(queues[i]));
    }
    ZE(zeEventDestroy(made));
    ZE(zeEventPoolDestroy(pool));
}

int main(int count, char **arguments)
{
    REQUIRE(count == 2, "usage: events MODULE");
    struct level_zero z = level_zero_open();
    ze_module_handle_t module = level_zero_load(&z, arguments[1]);
    ze_kernel_handle_t kernel = level_zero_kernel(module, "vector_add");
    check_kernel_times(&z, kernel);
    check_host_release(&z, kernel);
    check_queue_order(&z, module);
    ZE(zeKernelDestroy(kernel));
    ZE(zeModuleDestroy(module));
    return 0;
}
