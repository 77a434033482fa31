/* Checks a vector add with inputs and factor that change from launch to launch, in memory of every kind, on two queues.
 */
#include "level_zero.h"

enum { COUNT = 1000 /* no multiple of the group size: the last group is cut by the driver's choice of 8 */, GROUP = 8 };

struct vectors {
    int *a, *b, *sum; /* as the GPU sees them */
    int host[3][COUNT];
};

static void fill(struct vectors *v, int seed)
{
    for (int i = 0; i < COUNT; i++) {
        v->host[0][i] = i * 7 + seed;
        v->host[1][i] = seed * 1000003 - i * i;
        v->host[2][i] = -1;
    }
}

static void check(const struct vectors *v, int factor, const char *what)
{
    for (int i = 0; i < COUNT; i++) {
        int expected = (int)((unsigned)v->host[0][i] + (unsigned)factor * (unsigned)v->host[1][i]);
        REQUIRE(v->host[2][i] == expected, "%s: element %d is %d, expected %d", what, i, v->host[2][i], expected);
    }
}

/* Copies in, adds, copies out: all on the GPU, in one list. */
static void append(ze_command_list_handle_t list, ze_kernel_handle_t kernel, struct vectors *v, int factor)
{
    ze_group_count_t groups = {COUNT / GROUP, 1, 1};
    ZE(zeCommandListAppendMemoryCopy(list, v->a, v->host[0], sizeof v->host[0], NULL, 0, NULL));
    ZE(zeCommandListAppendMemoryCopy(list, v->b, v->host[1], sizeof v->host[1], NULL, 0, NULL));
    ZE(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    ZE(zeKernelSetGroupSize(kernel, GROUP, 1, 1));
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof v->a, &v->a));
    ZE(zeKernelSetArgumentValue(kernel, 1, sizeof v->b, &v->b));
    ZE(zeKernelSetArgumentValue(kernel, 2, sizeof v->sum, &v->sum));
    ZE(zeKernelSetArgumentValue(kernel, 3, sizeof factor, &factor));
    ZE(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    ZE(zeCommandListAppendBarrier(list, NULL, 0, NULL));
    ZE(zeCommandListAppendMemoryCopy(list, v->host[2], v->sum, sizeof v->host[2], NULL, 0, NULL));
}

static void run_kind(const struct level_zero *z, ze_command_queue_handle_t queue, ze_kernel_handle_t kernel,
                     void *(*allocate)(const struct level_zero *, size_t), const char *what)
{
    static struct vectors v;
    v.a = allocate(z, sizeof v.host[0]);
    v.b = allocate(z, sizeof v.host[0]);
    v.sum = allocate(z, sizeof v.host[0]);
    for (int launch = 1; launch <= 3; launch++) {
        ze_command_list_handle_t list = level_zero_list(z);
        fill(&v, launch);
        append(list, kernel, &v, 11 * launch);
        level_zero_run(queue, list);
        check(&v, 11 * launch, what);
        ZE(zeCommandListDestroy(list));
    }
    ZE(zeMemFree(z->context, v.a));
    ZE(zeMemFree(z->context, v.b));
    ZE(zeMemFree(z->context, v.sum));
}

/* Shared memory that host and GPU write in turn, without copies: one closed list run again and again. */
static void run_shared_in_place(const struct level_zero *z, ze_command_queue_handle_t queue, ze_kernel_handle_t kernel)
{
    int *a = level_zero_shared(z, COUNT * sizeof *a), *b = level_zero_shared(z, COUNT * sizeof *b);
    int *sum = level_zero_shared(z, COUNT * sizeof *sum), factor = 3;
    ze_command_list_handle_t list = level_zero_list(z);
    ze_group_count_t groups = {COUNT / GROUP, 1, 1};
    ZE(zeKernelSetGroupSize(kernel, GROUP, 1, 1));
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof a, &a));
    ZE(zeKernelSetArgumentValue(kernel, 1, sizeof b, &b));
    ZE(zeKernelSetArgumentValue(kernel, 2, sizeof sum, &sum));
    ZE(zeKernelSetArgumentValue(kernel, 3, sizeof factor, &factor));
    ZE(zeCommandListAppendLaunchKernel(list, kernel, &groups, NULL, 0, NULL));
    ZE(zeCommandListClose(list));
    for (int launch = 0; launch < 4; launch++) {
        for (int i = 0; i < COUNT; i++) {
            a[i] = i + 100 * launch;
            b[i] = launch ? sum[i] : i;
        }
        ZE(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
        ZE(zeCommandQueueSynchronize(queue, UINT64_MAX));
        for (int i = 0; i < COUNT; i++)
            REQUIRE(sum[i] == a[i] + 3 * b[i], "launch %d: element %d is %d", launch, i, sum[i]);
    }
    ZE(zeCommandListDestroy(list));
    ZE(zeMemFree(z->context, a));
    ZE(zeMemFree(z->context, b));
    ZE(zeMemFree(z->context, sum));
}

/* Two queues at work at the same time, each on vectors of its own. */
static void run_two_queues(const struct level_zero *z, ze_module_handle_t module)
{
    static struct vectors v[2];
    ze_command_queue_handle_t queue[2];
    ze_command_list_handle_t list[2];
    ze_kernel_handle_t kernel[2];
    for (int i = 0; i < 2; i++) {
        queue[i] = level_zero_queue(z);
        list[i] = level_zero_list(z);
        kernel[i] = level_zero_kernel(module, "vector_add");
        v[i].a = level_zero_device(z, sizeof v[i].host[0]);
        v[i].b = level_zero_device(z, sizeof v[i].host[0]);
        v[i].sum = level_zero_device(z, sizeof v[i].host[0]);
        fill(&v[i], 50 + i);
        append(list[i], kernel[i], &v[i], 5 + i);
        ZE(zeCommandListClose(list[i]));
    }
    for (int i = 0; i < 2; i++)
        ZE(zeCommandQueueExecuteCommandLists(queue[i], 1, &list[i], NULL));
    for (int i = 0; i < 2; i++) {
        ZE(zeCommandQueueSynchronize(queue[i], UINT64_MAX));
        check(&v[i], 5 + i, "two queues");
        ZE(zeKernelDestroy(kernel[i]));
        ZE(zeCommandListDestroy(list[i]));
        ZE(zeCommandQueueDestroy(queue[i]));
    }
}

int main(int count, char **arguments)
{
    REQUIRE(count == 2, "usage: vector_add MODULE");
    struct level_zero z = level_zero_open();
    ze_module_handle_t module = level_zero_load(&z, arguments[1]);
    ze_kernel_handle_t kernel = level_zero_kernel(module, "vector_add");
    ze_command_queue_handle_t queue = level_zero_queue(&z);
    run_shared_in_place(&z, queue, kernel);
    run_kind(&z, queue, kernel, level_zero_shared, "shared memory");
    run_kind(&z, queue, kernel, level_zero_host, "host memory");
    run_kind(&z, queue, kernel, level_zero_device, "device memory");
    run_two_queues(&z, module);
    ZE(zeCommandQueueDestroy(queue));
    ZE(zeKernelDestroy(kernel));
    ZE(zeModuleDestroy(module));
    ZE(zeContextDestroy(z.context));
    return 0;
}
