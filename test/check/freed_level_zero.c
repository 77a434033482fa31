/* Executes a launch of Level Zero with an argument that the program has freed.
 *
 * freed_level_zero ZEBIN KERNEL KIND WHEN: KIND is shared, device, host or image; WHEN is append (freed before the
 * launch is appended), execute (before the list is executed), again (the list is executed once more), immediate (before
 * it is appended to an immediate list), reset (after the list was reset: no fault), never. */
#include <level_zero/ze_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES = 4096, SIDE = 64 };

static void expect(ze_result_t result, const char *call)
{
    if (result == ZE_RESULT_SUCCESS)
        return;
    fprintf(stderr, "%s: 0x%x\n", call, (unsigned)result);
    exit(3);
}

#define CHECK(CALL) expect(CALL, #CALL)

static ze_driver_handle_t driver;
static ze_device_handle_t device;
static ze_context_handle_t context;

static void open_device(void)
{
    uint32_t one = 1;
    ze_context_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    CHECK(zeInit(0));
    CHECK(zeDriverGet(&one, &driver));
    one = 1;
    CHECK(zeDeviceGet(driver, &one, &device));
    CHECK(zeContextCreate(driver, &desc, &context));
}

static ze_kernel_handle_t open_kernel(const char *path, const char *name)
{
    enum { MOST = 1 << 20 };
    uint8_t *binary = malloc(MOST);
    FILE *file = fopen(path, "rbe");
    if (!binary || !file)
        exit(3);
    ze_module_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                             .format = ZE_MODULE_FORMAT_NATIVE,
                             .inputSize = fread(binary, 1, MOST, file),
                             .pInputModule = binary};
    fclose(file);
    ze_module_handle_t module;
    CHECK(zeModuleCreate(context, device, &desc, &module, NULL));
    free(binary);
    ze_kernel_desc_t named = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name};
    ze_kernel_handle_t kernel;
    CHECK(zeKernelCreate(module, &named, &kernel));
    CHECK(zeKernelSetGroupSize(kernel, 1, 1, 1));
    return kernel;
}

static void *allocate(const char *kind)
{
    ze_device_mem_alloc_desc_t of_device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    ze_host_mem_alloc_desc_t of_host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *memory = NULL;
    if (strcmp(kind, "device") == 0)
        CHECK(zeMemAllocDevice(context, &of_device, BYTES, 64, device, &memory));
    else if (strcmp(kind, "host") == 0)
        CHECK(zeMemAllocHost(context, &of_host, BYTES, 64, &memory));
    else
        CHECK(zeMemAllocShared(context, &of_device, &of_host, BYTES, 64, device, &memory));
    return memory;
}

static ze_image_handle_t make_image(void)
{
    ze_image_desc_t desc = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
                            .flags = ZE_IMAGE_FLAG_KERNEL_WRITE,
                            .type = ZE_IMAGE_TYPE_2D,
                            .format = {.layout = ZE_IMAGE_FORMAT_LAYOUT_32, .type = ZE_IMAGE_FORMAT_TYPE_UINT},
                            .width = SIDE,
                            .height = SIDE,
                            .depth = 1};
    ze_image_handle_t image;
    CHECK(zeImageCreate(context, device, &desc, &image));
    return image;
}

int main(int count, char **words)
{
    if (count != 5)
        return 2;
    const char *kind = words[3], *when = words[4];
    const ze_group_count_t one = {1, 1, 1};
    ze_command_queue_desc_t of_queue = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC};
    ze_command_list_desc_t of_list = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
    ze_command_queue_handle_t queue;
    ze_command_list_handle_t list;
    ze_image_handle_t image = NULL;
    void *out = NULL;
    open_device();
    ze_kernel_handle_t kernel = open_kernel(words[1], words[2]);
    CHECK(zeCommandQueueCreate(context, device, &of_queue, &queue));
    if (strcmp(when, "immediate") == 0)
        CHECK(zeCommandListCreateImmediate(context, device, &of_queue, &list));
    else
        CHECK(zeCommandListCreate(context, device, &of_list, &list));
    if (strcmp(kind, "image") == 0) {
        image = make_image();
        CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof image, &image));
    } else {
        void *in = allocate("shared");
        memset(in, 1, BYTES);
        out = allocate(kind);
        CHECK(zeKernelSetArgumentValue(kernel, 0, sizeof in, &in));
        CHECK(zeKernelSetArgumentValue(kernel, 1, sizeof out, &out));
    }
    static const char *const steps[] = {"append", "execute", "again"};
    for (unsigned step = 0; step < sizeof steps / sizeof steps[0]; step++) {
        if (step == 2) {
            CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
            CHECK(zeCommandQueueSynchronize(queue, UINT64_MAX));
        }
        if (step == 1 && strcmp(when, "reset") == 0)
            CHECK(zeCommandListReset(list));
        if (strcmp(when, steps[step]) == 0 || (step == 0 && strcmp(when, "immediate") == 0) ||
            (step == 1 && strcmp(when, "reset") == 0)) {
            CHECK(image ? zeImageDestroy(image) : zeMemFree(context, out));
            fprintf(stderr, "freed\n");
        }
        if (step == 0)
            CHECK(zeCommandListAppendLaunchKernel(list, kernel, &one, NULL, 0, NULL));
        if (step == 1)
            CHECK(zeCommandListClose(list));
    }
    CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    CHECK(zeCommandQueueSynchronize(queue, UINT64_MAX));
    fprintf(stderr, "end\n");
    return 0;
}
