/* Checks memory of every kind between launches: the device sees the host's changes, and the host the device's;
 * rectangles and boxes; memory passed to another process through a handle; prefetches and advice. */
#include "level_zero.h"

#include <string.h>

enum { COUNT = 2048, SIZE = 64 };

typedef void *allocate(const struct level_zero *z, size_t size);

static void start(uint32_t *data, uint32_t seed)
{
    for (uint32_t i = 0; i < COUNT; i++)
        data[i] = i * seed;
}

/* The host writes directly between launches. */
static void change_in_place(const struct level_zero *z, ze_kernel_handle_t kernel, allocate *kind)
{
    uint32_t *data = kind(z, COUNT * sizeof *data);
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof data, &data));
    for (uint32_t round = 1; round < 5; round++) {
        start(data, round);
        level_zero_launch(z, kernel, SIZE, COUNT / SIZE);
        for (uint32_t i = 0; i < COUNT; i++)
            REQUIRE(data[i] == i * round + 1, "round %u: element %u is %u", round, i, data[i]);
    }
    ZE(zeMemFree(z->context, data));
}

/* Device memory changes by copies from the program's own memory, at addresses that are no page's start. */
static void change_by_copies(const struct level_zero *z, ze_kernel_handle_t kernel)
{
    static uint32_t host[COUNT + 5];
    uint32_t *device = level_zero_device(z, COUNT * sizeof *device);
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof device, &device));
    for (uint32_t round = 1; round < 5; round++) {
        uint32_t *mine = host + round;
        start(mine, round);
        level_zero_copy(z, device, mine, COUNT * sizeof *device);
        level_zero_launch(z, kernel, SIZE, COUNT / SIZE);
        memset(mine, 0, COUNT * sizeof *mine);
        level_zero_copy(z, mine, device, COUNT * sizeof *device);
        for (uint32_t i = 0; i < COUNT; i++)
            REQUIRE(mine[i] == i * round + 1, "round %u: element %u is %u", round, i, mine[i]);
    }
    ZE(zeMemFree(z->context, device));
}

/* A box out of one volume into another, with pitches of rows and slices. */
static void copy_box(const struct level_zero *z)
{
    enum { ROW = 50, ROWS = 20, SLICE = ROW * ROWS, SLICES = 9 };
    const ze_copy_region_t to = {4, 2, 1, 21, 9, 5}, from = {13, 7, 3, 21, 9, 5};
    uint8_t *a = level_zero_shared(z, SLICE * SLICES), *b = level_zero_shared(z, SLICE * SLICES);
    ze_command_queue_handle_t queue = level_zero_queue(z);
    ze_command_list_handle_t list = level_zero_list(z);
    for (unsigned i = 0; i < SLICE * SLICES; i++)
        a[i] = (uint8_t)(i * 7 + i / 253);
    memset(b, 0, SLICE * SLICES);
    ZE(zeCommandListAppendMemoryCopyRegion(list, b, &to, ROW, SLICE, a, &from, ROW, SLICE, NULL, 0, NULL));
    level_zero_run(queue, list);
    for (unsigned i = 0; i < SLICE * SLICES; i++) {
        unsigned x = i % ROW - to.originX, y = i / ROW % ROWS - to.originY, slice = i / SLICE - to.originZ;
        uint8_t expected = 0;
        if (x < to.width && y < to.height && slice < to.depth)
            expected = a[(slice + from.originZ) * SLICE + (y + from.originY) * ROW + x + from.originX];
        REQUIRE(b[i] == expected, "byte %u is %u, expected %u", i, b[i], expected);
    }
    ZE(zeCommandListDestroy(list));
    ZE(zeCommandQueueDestroy(queue));
    ZE(zeMemFree(z->context, a));
    ZE(zeMemFree(z->context, b));
}

/* A handle made of one allocation opens as another address of the same memory. */
static void pass_handles(const struct level_zero *z, ze_kernel_handle_t kernel)
{
    uint32_t *memory = level_zero_device(z, COUNT * sizeof *memory), *opened, host[COUNT];
    ze_ipc_mem_handle_t handle;
    start(host, 3);
    level_zero_copy(z, memory, host, sizeof host);
    ZE(zeMemGetIpcHandle(z->context, memory, &handle));
    ZE(zeMemOpenIpcHandle(z->context, z->device, handle, 0, (void **)&opened));
    ZE(zeKernelSetArgumentValue(kernel, 0, sizeof opened, &opened));
    level_zero_launch(z, kernel, SIZE, COUNT / SIZE);
    level_zero_copy(z, host, memory, sizeof host);
    for (uint32_t i = 0; i < COUNT; i++)
        REQUIRE(host[i] == i * 3 + 1, "through a handle: element %u is %u", i, host[i]);
    ZE(zeMemCloseIpcHandle(z->context, opened));
    ZE(zeMemFree(z->context, memory));
}

static void advise(const struct level_zero *z)
{
    uint32_t *memory = level_zero_shared(z, COUNT * sizeof *memory);
    ze_command_queue_handle_t queue = level_zero_queue(z);
    ze_command_list_handle_t list = level_zero_list(z);
    const uint32_t pattern = 0x01020304;
    ZE(zeCommandListAppendMemoryPrefetch(list, memory, COUNT * sizeof *memory));
    ZE(zeCommandListAppendMemAdvise(list, z->device, memory, COUNT * sizeof *memory, ZE_MEMORY_ADVICE_SET_READ_MOSTLY));
    ZE(zeCommandListAppendMemoryFill(list, memory, &pattern, sizeof pattern, COUNT * sizeof *memory, NULL, 0, NULL));
    level_zero_run(queue, list);
    for (uint32_t i = 0; i < COUNT; i++)
        REQUIRE(memory[i] == pattern, "element %u is %x", i, memory[i]);
    ZE(zeContextMakeMemoryResident(z->context, z->device, memory, COUNT * sizeof *memory));
    ZE(zeContextEvictMemory(z->context, z->device, memory, COUNT * sizeof *memory));
    ZE(zeCommandListDestroy(list));
    ZE(zeCommandQueueDestroy(queue));
    ZE(zeMemFree(z->context, memory));
}

int main(int count, char **arguments)
{
    REQUIRE(count == 2, "usage: memory MODULE");
    struct level_zero z = level_zero_open();
    ze_module_handle_t module = level_zero_load(&z, arguments[1]);
    ze_kernel_handle_t kernel = level_zero_kernel(module, "add_one");
    change_in_place(&z, kernel, level_zero_shared);
    change_in_place(&z, kernel, level_zero_host);
    change_by_copies(&z, kernel);
    copy_box(&z);
    pass_handles(&z, kernel);
    advise(&z);
    ZE(zeKernelDestroy(kernel));
    ZE(zeModuleDestroy(module));
    ZE(zeContextDestroy(z.context));
    return 0;
}
