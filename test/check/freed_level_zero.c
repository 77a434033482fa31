/* Executes a launch of Level Zero with an argument that the program has freed.
 *
 * freed_level_zero ZEBIN KERNEL KIND WHEN: KIND is shared, device, host or image; WHEN is append (freed before the
 * launch is appended), execute (before the list is executed), again (the list is executed once more), immediate (before
 * it is appended to an immediate list), reset (after the list was reset: no fault), never; replaced (the kernel gets
 * another argument behind the append, the launch keeps the first, which is freed), other (that other one is freed: no
 * fault); changed (the launch itself gets another argument once the list is closed, which is freed), unused (the first
 * one is freed then: no fault), both of which need a driver with changeable command lists: else the status is 77. */
#include <dlfcn.h>
#include <level_zero/ze_api.h>
#include <stdbool.h>
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

static bool is(const char *a, const char *b)
{
    return strcmp(a, b) == 0;
}

static void *allocate(const char *kind)
{
    ze_device_mem_alloc_desc_t of_device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    ze_host_mem_alloc_desc_t of_host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *memory = NULL;
    if (is(kind, "device"))
        CHECK(zeMemAllocDevice(context, &of_device, BYTES, 64, device, &memory));
    else if (is(kind, "host"))
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

/* What Debian 12's header lacks: ZE_experimental_mutable_command_list. */
enum { OF_LIST = 0x20016, OF_ID = 0x20017, OF_COMMANDS = 0x20018, OF_ARGUMENT = 0x20019, CHANGES_ARGUMENTS = 1 };

struct description {
    uint32_t stype;
    const void *next;
    uint32_t flags;
};

struct argument {
    uint32_t stype;
    const void *next;
    uint64_t command;
    uint32_t index;
    size_t size;
    const void *value;
};

typedef ze_result_t next_command(ze_command_list_handle_t list, const struct description *of, uint64_t *command);
typedef ze_result_t update(ze_command_list_handle_t list, const struct description *commands);

/* Returns the number of the next launch of a list. The program ends if the driver knows no such launches. */
static uint64_t number_next(ze_command_list_handle_t list)
{
    uint64_t command = 0;
    struct description of = {OF_ID, NULL, CHANGES_ARGUMENTS};
    next_command *next = (next_command *)dlsym(RTLD_DEFAULT, "zeCommandListGetNextCommandIdExp");
    ze_result_t result = next ? next(list, &of, &command) : ZE_RESULT_ERROR_UNSUPPORTED_FEATURE;
    if (result == ZE_RESULT_ERROR_UNSUPPORTED_FEATURE)
        exit(77);
    expect(result, "zeCommandListGetNextCommandIdExp");
    return command;
}

static void change(ze_command_list_handle_t list, uint64_t command, uint32_t index, void **memory)
{
    struct argument argument = {OF_ARGUMENT, NULL, command, index, sizeof *memory, memory};
    struct description commands = {OF_COMMANDS, &argument, 0};
    update *function = (update *)dlsym(RTLD_DEFAULT, "zeCommandListUpdateMutableCommandsExp");
    expect(function ? function(list, &commands) : ZE_RESULT_ERROR_UNSUPPORTED_FEATURE,
           "zeCommandListUpdateMutableCommandsExp");
    CHECK(zeCommandListClose(list));
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
    void *out = NULL, *other = NULL;
    uint64_t command = 0;
    bool changes = is(when, "changed") || is(when, "unused"), replaces = is(when, "replaced") || is(when, "other");
    struct description changeable = {OF_LIST, NULL, 0};
    of_list.pNext = changes ? &changeable : NULL;
    open_device();
    ze_kernel_handle_t kernel = open_kernel(words[1], words[2]);
    CHECK(zeCommandQueueCreate(context, device, &of_queue, &queue));
    if (is(when, "immediate"))
        CHECK(zeCommandListCreateImmediate(context, device, &of_queue, &list));
    else
        CHECK(zeCommandListCreate(context, device, &of_list, &list));
    if (is(kind, "image")) {
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
        if (step == 1 && is(when, "reset"))
            CHECK(zeCommandListReset(list));
        if (is(when, steps[step]) || (step == 0 && is(when, "immediate")) || (step == 1 && is(when, "reset"))) {
            CHECK(image ? zeImageDestroy(image) : zeMemFree(context, out));
            fprintf(stderr, "freed\n");
        }
        if (step == 0) {
            command = changes ? number_next(list) : 0;
            CHECK(zeCommandListAppendLaunchKernel(list, kernel, &one, NULL, 0, NULL));
        }
        if (step == 1) {
            CHECK(zeCommandListClose(list));
            other = changes || replaces ? allocate(kind) : NULL;
            if (changes)
                change(list, command, 1, &other);
            if (replaces)
                CHECK(zeKernelSetArgumentValue(kernel, 1, sizeof other, &other));
            if (other) {
                CHECK(zeMemFree(context, is(when, "changed") || is(when, "other") ? other : out));
                fprintf(stderr, "freed\n");
            }
        }
    }
    CHECK(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    CHECK(zeCommandQueueSynchronize(queue, UINT64_MAX));
    fprintf(stderr, "end\n");
    return 0;
}
