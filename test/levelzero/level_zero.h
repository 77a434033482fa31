/* Declares the steps that every Level Zero test has in common. Each ends the test with a message if the driver fails.
 */
#ifndef CMKIT_TEST_LEVEL_ZERO_H
#define CMKIT_TEST_LEVEL_ZERO_H

#include <level_zero/ze_api.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ZE(CALL)                                                                                                       \
    do {                                                                                                               \
        ze_result_t result_ = (CALL);                                                                                  \
        if (result_ != ZE_RESULT_SUCCESS) {                                                                            \
            fprintf(stderr, "%s:%d: %s: result 0x%x\n", __FILE__, __LINE__, #CALL, result_);                           \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#define REQUIRE(CONDITION, ...)                                                                                        \
    do {                                                                                                               \
        if (!(CONDITION)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s: ", __FILE__, __LINE__, #CONDITION);                                            \
            fprintf(stderr, __VA_ARGS__);                                                                              \
            fputc('\n', stderr);                                                                                       \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

struct level_zero {
    ze_driver_handle_t driver;
    ze_device_handle_t device;
    ze_context_handle_t context;
};

struct level_zero_extent {
    uint32_t width, height, depth, levels; /* levels: of an array of images, else 0 */
};

/* The first GPU of the first driver. */
static inline struct level_zero level_zero_open(void)
{
    struct level_zero z;
    uint32_t one = 1;
    ZE(zeInit(ZE_INIT_FLAG_GPU_ONLY));
    ZE(zeDriverGet(&one, &z.driver));
    one = 1;
    ZE(zeDeviceGet(z.driver, &one, &z.device));
    ze_context_desc_t description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    ZE(zeContextCreate(z.driver, &description, &z.context));
    return z;
}

/* The bytes of a file, for free(). */
static inline uint8_t *level_zero_file(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    REQUIRE(file, "cannot open %s", path);
    fseek(file, 0, SEEK_END);
    *size = (size_t)ftell(file);
    fseek(file, 0, SEEK_SET);
    uint8_t *bytes = malloc(*size);
    REQUIRE(bytes && fread(bytes, 1, *size, file) == *size, "cannot read %s", path);
    fclose(file);
    return bytes;
}

/* The module in a zebin. */
static inline ze_module_handle_t level_zero_module(const struct level_zero *z, const uint8_t *bytes, size_t size)
{
    ze_module_desc_t description = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                    .format = ZE_MODULE_FORMAT_NATIVE,
                                    .inputSize = size,
                                    .pInputModule = bytes};
    ze_module_handle_t module;
    ZE(zeModuleCreate(z->context, z->device, &description, &module, NULL));
    return module;
}

/* The module in the zebin file `path`. */
static inline ze_module_handle_t level_zero_load(const struct level_zero *z, const char *path)
{
    size_t size;
    uint8_t *bytes = level_zero_file(path, &size);
    ze_module_handle_t module = level_zero_module(z, bytes, size);
    free(bytes);
    return module;
}

static inline ze_kernel_handle_t level_zero_kernel(ze_module_handle_t module, const char *name)
{
    ze_kernel_desc_t description = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = name};
    ze_kernel_handle_t kernel;
    ZE(zeKernelCreate(module, &description, &kernel));
    return kernel;
}

static inline ze_command_queue_handle_t level_zero_queue(const struct level_zero *z)
{
    ze_command_queue_desc_t description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                           .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
    ze_command_queue_handle_t queue;
    ZE(zeCommandQueueCreate(z->context, z->device, &description, &queue));
    return queue;
}

static inline ze_command_list_handle_t level_zero_list(const struct level_zero *z)
{
    ze_command_list_desc_t description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC};
    ze_command_list_handle_t list;
    ZE(zeCommandListCreate(z->context, z->device, &description, &list));
    return list;
}

static inline void *level_zero_shared(const struct level_zero *z, size_t size)
{
    ze_device_mem_alloc_desc_t on_device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    ze_host_mem_alloc_desc_t on_host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *memory;
    ZE(zeMemAllocShared(z->context, &on_device, &on_host, size, 64, z->device, &memory));
    return memory;
}

static inline void *level_zero_host(const struct level_zero *z, size_t size)
{
    ze_host_mem_alloc_desc_t on_host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    void *memory;
    ZE(zeMemAllocHost(z->context, &on_host, size, 64, &memory));
    return memory;
}

static inline void *level_zero_device(const struct level_zero *z, size_t size)
{
    ze_device_mem_alloc_desc_t on_device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    void *memory;
    ZE(zeMemAllocDevice(z->context, &on_device, size, 64, z->device, &memory));
    return memory;
}

/* An image of a layout and type of components, with RGBA in their places and kernels that may write it. */
static inline ze_image_handle_t level_zero_image(const struct level_zero *z, ze_image_type_t type,
                                                 ze_image_format_layout_t layout, ze_image_format_type_t components,
                                                 struct level_zero_extent extent)
{
    ze_image_desc_t description = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
                                   .flags = ZE_IMAGE_FLAG_KERNEL_WRITE,
                                   .type = type,
                                   .format = {.layout = layout,
                                              .type = components,
                                              .x = ZE_IMAGE_FORMAT_SWIZZLE_R,
                                              .y = ZE_IMAGE_FORMAT_SWIZZLE_G,
                                              .z = ZE_IMAGE_FORMAT_SWIZZLE_B,
                                              .w = ZE_IMAGE_FORMAT_SWIZZLE_A},
                                   .width = extent.width,
                                   .height = extent.height,
                                   .depth = extent.depth,
                                   .arraylevels = extent.levels};
    ze_image_handle_t image;
    ZE(zeImageCreate(z->context, z->device, &description, &image));
    return image;
}

/* Closes the list, runs it and waits. */
static inline void level_zero_run(ze_command_queue_handle_t queue, ze_command_list_handle_t list)
{
    ZE(zeCommandListClose(list));
    ZE(zeCommandQueueExecuteCommandLists(queue, 1, &list, NULL));
    ZE(zeCommandQueueSynchronize(queue, UINT64_MAX));
}

/* Launches `groups` groups of `size` work items on a queue of its own and waits. */
static inline void level_zero_launch(const struct level_zero *z, ze_kernel_handle_t kernel, uint32_t size,
                                     uint32_t groups)
{
    ze_command_queue_handle_t queue = level_zero_queue(z);
    ze_command_list_handle_t list = level_zero_list(z);
    ze_group_count_t count = {groups, 1, 1};
    ZE(zeKernelSetGroupSize(kernel, size, 1, 1));
    ZE(zeCommandListAppendLaunchKernel(list, kernel, &count, NULL, 0, NULL));
    level_zero_run(queue, list);
    ZE(zeCommandListDestroy(list));
    ZE(zeCommandQueueDestroy(queue));
}

/* Adds results to the file that the environment names, for comparison with another run. By way of a copy, for the
 * driver may have to bring shared memory back first, which it does when the program touches it and not when the kernel
 * does. */
static inline void level_zero_keep(const void *bytes, size_t size)
{
    const char *path = getenv("LEVEL_ZERO_KEEP");
    FILE *file = path ? fopen(path, "ab") : NULL;
    if (!path)
        return;
    void *copy = malloc(size);
    REQUIRE(copy != NULL, "no memory");
    memcpy(copy, bytes, size);
    REQUIRE(file && fwrite(copy, 1, size, file) == size && fclose(file) == 0, "cannot write %s", path);
    free(copy);
}

/* Copies by the device, between any kinds of memory, and waits. */
static inline void level_zero_copy(const struct level_zero *z, void *to, const void *from, size_t size)
{
    ze_command_queue_handle_t queue = level_zero_queue(z);
    ze_command_list_handle_t list = level_zero_list(z);
    ZE(zeCommandListAppendMemoryCopy(list, to, from, size, NULL, 0, NULL));
    level_zero_run(queue, list);
    ZE(zeCommandListDestroy(list));
    ZE(zeCommandQueueDestroy(queue));
}

#endif
