/* Implements the GPU backend on the Level Zero loader. Queues are in order: every operation fills the queue's one
 * command list and waits for the operation before it. */
#include "runtime/internal.h"
#include "runtime/spirv.h"

#include "tables/platforms.h"

#include <level_zero/ze_api.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct device {
    cmrt_device common;
    ze_driver_handle_t driver;
    int is_callers; /* the context */
    ze_context_handle_t context;
    ze_device_handle_t handle;
    ze_device_properties_t properties;
    uint32_t compute_ordinal;
    uint32_t queue_count, next_queue;
};

struct program {
    cmrt_program common;
    ze_module_handle_t module;
};

struct image {
    cmrt_image common;
    ze_image_handle_t handle;
};

struct sampler {
    cmrt_sampler common;
    ze_sampler_handle_t handle;
};

struct kernel {
    cmrt_kernel common;
    ze_kernel_handle_t handle;
};

/* One operation of a queue: it is filled again when its fence says that it has ended. */
struct slot {
    ze_command_list_handle_t list;
    ze_fence_handle_t fence;
    ze_event_handle_t event; /* of a launch */
    int busy;
};

struct queue {
    cmrt_queue common;
    ze_command_queue_handle_t handle;
    ze_event_pool_handle_t pool;
    struct slot slots[CMRT_LAUNCHES_AHEAD];
    unsigned next;
    struct slot *current;  /* the operation that is being filled */
    struct slot *launched; /* the last launch's, NULL: none */
};

struct event {
    cmrt_event common;
    ze_event_pool_handle_t pool;
    ze_event_handle_t handle;
};

static struct device *device_of(cmrt_device *device)
{
    return (struct device *)device;
}

static const char *result_name(ze_result_t result)
{
    static const struct {
        ze_result_t result;
        const char *name;
    } names[] = {
#define ZE_RESULT(NAME) {ZE_RESULT_##NAME, #NAME},
#include "runtime/ze_results.def"
#undef ZE_RESULT
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (names[i].result == result)
            return names[i].name;
    return "an unknown result";
}

static enum cmrt_status check(ze_result_t result, const char *call)
{
    if (result == ZE_RESULT_SUCCESS)
        return CMRT_OK;
    int memory = result == ZE_RESULT_ERROR_OUT_OF_HOST_MEMORY || result == ZE_RESULT_ERROR_OUT_OF_DEVICE_MEMORY;
    return cmrt_fail(memory ? CMRT_NO_MEMORY : CMRT_DRIVER, "%.*s failed: %s (%#x)", (int)strcspn(call, "("), call,
                     result_name(result), (unsigned)result);
}

/* Makes a Level Zero call. The value is a status; on failure the call's name and result are recorded. */
#define ZE(CALL) check((CALL), #CALL)

/* devices */

static void device_close(cmrt_device *device)
{
    if (device_of(device)->context && !device_of(device)->is_callers)
        zeContextDestroy(device_of(device)->context);
    free(device);
}

/* Finds the first GPU of any driver. */
static enum cmrt_status find_gpu(ze_driver_handle_t *driver, ze_device_handle_t *gpu)
{
    ze_driver_handle_t drivers[8];
    ze_device_handle_t devices[16];
    uint32_t driver_count = 8;
    if (zeInit(ZE_INIT_FLAG_GPU_ONLY) != ZE_RESULT_SUCCESS || zeDriverGet(&driver_count, drivers) != ZE_RESULT_SUCCESS)
        return cmrt_fail(CMRT_NO_DEVICE, "no Intel GPU found by the Level Zero driver");
    for (uint32_t i = 0; i < driver_count; i++) {
        uint32_t device_count = 16;
        if (zeDeviceGet(drivers[i], &device_count, devices) != ZE_RESULT_SUCCESS)
            continue;
        for (uint32_t k = 0; k < device_count; k++) {
            ze_device_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES};
            if (zeDeviceGetProperties(devices[k], &properties) == ZE_RESULT_SUCCESS &&
                properties.type == ZE_DEVICE_TYPE_GPU) {
                *driver = drivers[i];
                *gpu = devices[k];
                return CMRT_OK;
            }
        }
    }
    return cmrt_fail(CMRT_NO_DEVICE, "no Intel GPU found by the Level Zero driver");
}

static enum cmrt_status find_compute_queues(struct device *device)
{
    ze_command_queue_group_properties_t groups[16];
    uint32_t count = 16;
    memset(groups, 0, sizeof groups);
    for (uint32_t i = 0; i < count; i++)
        groups[i].stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_GROUP_PROPERTIES;
    enum cmrt_status status = ZE(zeDeviceGetCommandQueueGroupProperties(device->handle, &count, groups));
    if (status)
        return status;
    for (uint32_t i = 0; i < count; i++) {
        if (groups[i].flags & ZE_COMMAND_QUEUE_GROUP_PROPERTY_FLAG_COMPUTE && groups[i].numQueues) {
            device->compute_ordinal = i;
            device->queue_count = groups[i].numQueues;
            return CMRT_OK;
        }
    }
    return cmrt_fail(CMRT_DRIVER, "the device has no queue for kernels");
}

/* Finds the GPU's row of the platform table. NULL: it has none. */
static const struct platform *row_of(const struct device *device)
{
    for (size_t i = 0; i < platform_count; i++)
        if (platform_table[i].pci_id == device->properties.deviceId)
            return &platform_table[i];
    return NULL;
}

/* Reads the device's features: doubles from the driver, media blocks from our table, because Level Zero does not report
 * them. */
static enum cmrt_status read_features(struct device *device, ze_driver_handle_t driver)
{
    ze_device_module_properties_t module = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES};
    ze_driver_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES};
    enum cmrt_status status = ZE(zeDeviceGetModuleProperties(device->handle, &module));
    if (!status)
        status = ZE(zeDriverGetProperties(driver, &properties));
    const struct platform *platform = row_of(device);
    device->common.platform = platform ? platform->ocloc : NULL;
    if (module.flags & ZE_DEVICE_MODULE_FLAG_FP64)
        device->common.features |= CMRT_FEATURE_DOUBLE;
    if (!platform || platform_has(platform, FEATURE_MEDIA_BLOCKS))
        device->common.features |= CMRT_FEATURE_MEDIA_BLOCKS;
    snprintf(device->common.driver, sizeof device->common.driver, "Level Zero driver %u.%u.%u",
             properties.driverVersion >> 24, properties.driverVersion >> 16 & 0xff, properties.driverVersion & 0xffff);
    return status;
}

static enum cmrt_status read_properties(struct device *device, ze_driver_handle_t driver)
{
    ze_device_compute_properties_t compute = {.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
    device->properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    enum cmrt_status status = ZE(zeDeviceGetProperties(device->handle, &device->properties));
    if (!status)
        status = ZE(zeDeviceGetComputeProperties(device->handle, &compute));
    snprintf(device->common.name, sizeof device->common.name, "%s", device->properties.name);
    device->common.maximum_group_threads = compute.maxTotalGroupSize;
    device->common.maximum_local[0] = compute.maxGroupSizeX;
    device->common.maximum_local[1] = compute.maxGroupSizeY;
    device->common.maximum_local[2] = compute.maxGroupSizeZ;
    if (!status)
        status = read_features(device, driver);
    return status ? status : find_compute_queues(device);
}

/* programs */

/* Returns our name of the GPU (as ocloc spells it). NULL: the platform table lacks it. */
static const char *platform_of(const struct device *device)
{
    const struct platform *platform = row_of(device);
    return platform ? platform->ocloc : NULL;
}

static enum cmrt_status wrong_platform(const struct device *device, const char *path, const struct zebin *zebin)
{
    const char *platform = platform_of(device);
    return cmrt_fail(CMRT_WRONG_PLATFORM, "%s%sthe program was compiled for %s, the device is %s%s%s%s",
                     path ? path : "", path ? ": " : "", zebin->product ? zebin->product : "another GPU",
                     platform ? platform : "", platform ? " (" : "", device->common.name, platform ? ")" : "");
}

/* Reads a module's build log in one line; "" where there is none. */
static void read_log(ze_module_build_log_handle_t log, char *text, size_t size)
{
    size_t length = 0;
    char *all = NULL;
    text[0] = '\0';
    if (zeModuleBuildLogGetString(log, &length, NULL) == ZE_RESULT_SUCCESS && length)
        all = calloc(1, length + 1);
    if (all && zeModuleBuildLogGetString(log, &length, all) == ZE_RESULT_SUCCESS)
        snprintf(text, size, "%s", all + strspn(all, " \n"));
    free(all);
    for (size_t end = strlen(text); end && strchr(" \n", text[end - 1]);)
        text[--end] = '\0';
    for (char *at = text; (at = strchr(at, '\n'));)
        *at = ' ';
}

static enum cmrt_status create_module(struct device *device, const char *path, const ze_module_desc_t *description,
                                      struct program *program)
{
    ze_module_build_log_handle_t log = NULL;
    ze_result_t result = zeModuleCreate(device->context, device->handle, description, &program->module, &log);
    char text[400] = "";
    if (result != ZE_RESULT_SUCCESS && log)
        read_log(log, text, sizeof text);
    if (log)
        zeModuleBuildLogDestroy(log);
    if (result == ZE_RESULT_ERROR_INVALID_NATIVE_BINARY && program->common.contents.product && !*text)
        return cmrt_fail(CMRT_BAD_FILE, "%s: the driver for %s does not take this program, which was compiled for %s",
                         path ? path : "program", device->common.name, program->common.contents.product);
    if (result == ZE_RESULT_ERROR_MODULE_BUILD_FAILURE)
        return cmrt_fail(CMRT_BAD_FILE, "%s: the driver for %s does not take this program: %s", path ? path : "program",
                         device->common.name, *text ? text : "it gives no reason");
    if (result != ZE_RESULT_SUCCESS && *text)
        return cmrt_fail(CMRT_DRIVER, "zeModuleCreate failed: %s: %s", result_name(result), text);
    return check(result, "zeModuleCreate");
}

/* Puts the program's path before the message of a failure. */
static enum cmrt_status of_file(enum cmrt_status status, const char *path)
{
    char why[512];
    if (!status || !path)
        return status;
    snprintf(why, sizeof why, "%s", cmrt_message());
    return cmrt_fail(status, "%s: %s", path, why);
}

static enum cmrt_status load_zebin(struct device *device, const char *path, const void *bytes, size_t size,
                                   struct program *program)
{
    struct zebin *zebin = &program->common.contents;
    enum cmrt_status status = of_file(zebin_read(bytes, size, zebin), path);
    const char *platform = platform_of(device);
    /* Checked here because the driver would quietly recompile an ocloc program from the SPIR-V beside it. */
    if (!status && platform && !zebin_fits(zebin, platform))
        status = wrong_platform(device, path, zebin);
    ze_module_desc_t description = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                    .format = ZE_MODULE_FORMAT_NATIVE,
                                    .inputSize = size,
                                    .pInputModule = bytes};
    return status ? status : create_module(device, path, &description, program);
}

/* Describes the kernels of a module by the binary that the driver made. BAD_FILE: the driver made no zebin. */
static enum cmrt_status describe_module(const char *path, struct program *program)
{
    size_t length = 0;
    enum cmrt_status status = ZE(zeModuleGetNativeBinary(program->module, &length, NULL));
    uint8_t *compiled = status ? NULL : malloc(length + 1);
    if (!status && !compiled)
        status = cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    if (!status)
        status = ZE(zeModuleGetNativeBinary(program->module, &length, compiled));
    if (!status)
        status = of_file(zebin_read(compiled, length, &program->common.contents), path);
    free(compiled);
    return status;
}

/* The driver compiles. Older drivers (seen with 22.43) make a zebin only when asked; newer ones always do, and refuse
 * the option that asks. */
static enum cmrt_status load_spirv(struct device *device, const char *path, const void *bytes, size_t size,
                                   struct program *program)
{
    static const char *const flags[] = {"-vc-codegen", "-vc-codegen -cl-intel-allow-zebin"};
    enum cmrt_status status = of_file(spirv_check(bytes, size), path);
    if (status)
        return status;
    status = CMRT_BAD_FILE;
    for (size_t n = 0; n < sizeof flags / sizeof *flags && status == CMRT_BAD_FILE; n++) {
        ze_module_desc_t description = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                        .format = ZE_MODULE_FORMAT_IL_SPIRV,
                                        .inputSize = size,
                                        .pInputModule = bytes,
                                        .pBuildFlags = flags[n]};
        if (program->module)
            zeModuleDestroy(program->module);
        program->module = NULL;
        status = create_module(device, path, &description, program);
        if (status)
            return status;
        status = describe_module(path, program);
    }
    return status;
}

static enum cmrt_status program_load(cmrt_device *base, const char *path, const void *bytes, size_t size,
                                     cmrt_program **out)
{
    struct device *device = device_of(base);
    struct program *program = calloc(1, sizeof *program);
    if (!program)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    program->common.device = base;
    enum cmrt_status status = spirv_recognise(bytes, size) ? load_spirv(device, path, bytes, size, program)
                                                           : load_zebin(device, path, bytes, size, program);
    if (status) {
        if (program->module)
            zeModuleDestroy(program->module);
        zebin_free(&program->common.contents);
        free(program);
        return status;
    }
    *out = &program->common;
    return CMRT_OK;
}

static void program_close(cmrt_program *program)
{
    zeModuleDestroy(((struct program *)program)->module);
    free(program);
}

/* queues */

/* Takes the oldest operation's command list, once that operation has ended. */
static enum cmrt_status queue_begin(struct queue *queue)
{
    struct slot *slot = queue->current = &queue->slots[queue->next++ % CMRT_LAUNCHES_AHEAD];
    enum cmrt_status status = CMRT_OK;
    if (slot->busy)
        status = ZE(zeFenceHostSynchronize(slot->fence, UINT64_MAX));
    if (!status && slot->busy)
        status = ZE(zeFenceReset(slot->fence));
    slot->busy = slot->busy && status;
    return status ? status : ZE(zeCommandListReset(slot->list));
}

static enum cmrt_status queue_submit(struct queue *queue)
{
    struct slot *slot = queue->current;
    enum cmrt_status status = ZE(zeCommandListClose(slot->list));
    if (!status)
        status = ZE(zeCommandQueueExecuteCommandLists(queue->handle, 1, &slot->list, slot->fence));
    slot->busy = !status;
    return status;
}

static enum cmrt_status queue_finish(struct queue *queue)
{
    enum cmrt_status status = queue_submit(queue);
    return status ? status : ZE(zeCommandQueueSynchronize(queue->handle, UINT64_MAX));
}

static void slot_close(struct slot *slot)
{
    if (slot->event)
        zeEventDestroy(slot->event);
    if (slot->fence)
        zeFenceDestroy(slot->fence);
    if (slot->list)
        zeCommandListDestroy(slot->list);
}

static void queue_close(cmrt_queue *base)
{
    struct queue *queue = (struct queue *)base;
    if (queue->handle) /* what is unfinished uses the lists */
        zeCommandQueueSynchronize(queue->handle, UINT64_MAX);
    for (unsigned i = 0; i < CMRT_LAUNCHES_AHEAD; i++)
        slot_close(&queue->slots[i]);
    if (queue->pool)
        zeEventPoolDestroy(queue->pool);
    if (queue->handle)
        zeCommandQueueDestroy(queue->handle);
    free(queue);
}

static enum cmrt_status slot_open(struct device *device, struct queue *queue, uint32_t number)
{
    struct slot *slot = &queue->slots[number];
    ze_command_list_desc_t list = {.stype = ZE_STRUCTURE_TYPE_COMMAND_LIST_DESC,
                                   .commandQueueGroupOrdinal = device->compute_ordinal};
    ze_fence_desc_t fence = {.stype = ZE_STRUCTURE_TYPE_FENCE_DESC};
    ze_event_desc_t event = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .index = number, .signal = ZE_EVENT_SCOPE_FLAG_HOST};
    enum cmrt_status status = ZE(zeCommandListCreate(device->context, device->handle, &list, &slot->list));
    if (!status)
        status = ZE(zeFenceCreate(queue->handle, &fence, &slot->fence));
    return status ? status : ZE(zeEventCreate(queue->pool, &event, &slot->event));
}

static enum cmrt_status queue_open(cmrt_device *base, cmrt_queue **out)
{
    struct device *device = device_of(base);
    struct queue *queue = calloc(1, sizeof *queue);
    if (!queue)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    queue->common.device = base;
    ze_command_queue_desc_t queue_description = {.stype = ZE_STRUCTURE_TYPE_COMMAND_QUEUE_DESC,
                                                 .ordinal = device->compute_ordinal,
                                                 .index = device->next_queue++ % device->queue_count,
                                                 .mode = ZE_COMMAND_QUEUE_MODE_ASYNCHRONOUS};
    ze_event_pool_desc_t pool = {.stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC,
                                 .flags = ZE_EVENT_POOL_FLAG_KERNEL_TIMESTAMP | ZE_EVENT_POOL_FLAG_HOST_VISIBLE,
                                 .count = CMRT_LAUNCHES_AHEAD};
    ze_context_handle_t context = device->context;
    enum cmrt_status status = ZE(zeCommandQueueCreate(context, device->handle, &queue_description, &queue->handle));
    if (!status)
        status = ZE(zeEventPoolCreate(context, &pool, 1, &device->handle, &queue->pool));
    for (uint32_t i = 0; !status && i < CMRT_LAUNCHES_AHEAD; i++)
        status = slot_open(device, queue, i);
    if (status) {
        queue_close(&queue->common);
        return status;
    }
    *out = &queue->common;
    return CMRT_OK;
}

static enum cmrt_status queue_wait(cmrt_queue *queue)
{
    return ZE(zeCommandQueueSynchronize(((struct queue *)queue)->handle, UINT64_MAX));
}

static enum cmrt_status queue_elapsed(cmrt_queue *base, uint64_t *nanoseconds)
{
    struct queue *queue = (struct queue *)base;
    const ze_device_properties_t *properties = &device_of(base->device)->properties;
    ze_kernel_timestamp_result_t stamps;
    if (!queue->launched)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "no launch on this queue to take the time of");
    enum cmrt_status status = ZE(zeEventQueryKernelTimestamp(queue->launched->event, &stamps));
    if (status)
        return status;
    uint32_t bits = properties->kernelTimestampValidBits;
    uint64_t mask = bits && bits < 64 ? (1ull << bits) - 1 : ~0ull; /* the counter wraps */
    uint64_t ticks = (stamps.global.kernelEnd - stamps.global.kernelStart) & mask;
    *nanoseconds = ticks * properties->timerResolution; /* nanoseconds per tick in this structure version */
    return CMRT_OK;
}

/* memory */

static enum cmrt_status buffer_open(cmrt_device *base, enum cmrt_memory memory, size_t bytes, cmrt_buffer **out)
{
    struct device *device = device_of(base);
    ze_device_mem_alloc_desc_t on_device = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MEM_ALLOC_DESC};
    ze_host_mem_alloc_desc_t on_host = {.stype = ZE_STRUCTURE_TYPE_HOST_MEM_ALLOC_DESC};
    enum { ALIGNMENT = 64 };
    cmrt_buffer *buffer = calloc(1, sizeof *buffer);
    if (!buffer)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    *buffer = (cmrt_buffer){.device = base, .memory = memory, .bytes = bytes};
    void **pointer = &buffer->pointer;
    enum cmrt_status status;
    if (memory == CMRT_MEMORY_SHARED)
        status = ZE(zeMemAllocShared(device->context, &on_device, &on_host, bytes, ALIGNMENT, device->handle, pointer));
    else if (memory == CMRT_MEMORY_HOST)
        status = ZE(zeMemAllocHost(device->context, &on_host, bytes, ALIGNMENT, pointer));
    else
        status = ZE(zeMemAllocDevice(device->context, &on_device, bytes, ALIGNMENT, device->handle, pointer));
    if (status) {
        free(buffer);
        return status;
    }
    *out = buffer;
    return CMRT_OK;
}

static void buffer_close(cmrt_buffer *buffer)
{
    zeMemFree(device_of(buffer->device)->context, buffer->pointer);
    free(buffer);
}

/* Copies through host memory that the driver allocated, so that it need not pin the caller's pages. */
static enum cmrt_status copy_device(cmrt_queue *base, cmrt_buffer *buffer, size_t offset, void *to, const void *from,
                                    size_t bytes)
{
    struct queue *queue = (struct queue *)base;
    cmrt_buffer *staging;
    enum cmrt_status status = buffer_open(buffer->device, CMRT_MEMORY_HOST, bytes, &staging);
    if (status)
        return status;
    void *there = (char *)buffer->pointer + offset;
    if (from)
        memcpy(staging->pointer, from, bytes);
    status = queue_begin(queue);
    if (!status)
        status = ZE(zeCommandListAppendMemoryCopy(queue->current->list, from ? there : staging->pointer,
                                                  from ? staging->pointer : there, bytes, NULL, 0, NULL));
    if (!status)
        status = queue_finish(queue);
    if (!status && to)
        memcpy(to, staging->pointer, bytes);
    buffer_close(staging);
    return status;
}

static enum cmrt_status buffer_write(cmrt_queue *queue, cmrt_buffer *buffer, size_t offset, const void *from,
                                     size_t bytes)
{
    if (buffer->memory == CMRT_MEMORY_DEVICE)
        return copy_device(queue, buffer, offset, NULL, from, bytes);
    enum cmrt_status status = queue_wait(queue);
    if (!status)
        memcpy((char *)buffer->pointer + offset, from, bytes);
    return status;
}

static enum cmrt_status buffer_read(cmrt_queue *queue, cmrt_buffer *buffer, size_t offset, void *to, size_t bytes)
{
    if (buffer->memory == CMRT_MEMORY_DEVICE)
        return copy_device(queue, buffer, offset, to, NULL, bytes);
    enum cmrt_status status = queue_wait(queue);
    if (!status)
        memcpy(to, (char *)buffer->pointer + offset, bytes);
    return status;
}

/* images and samplers */

static const struct {
    ze_image_format_layout_t layout;
    ze_image_format_type_t type;
} level_zero_formats[CMRT_FORMAT_COUNT] = {
#define IMAGE_FORMAT(ID, NAME, BYTES, CHANNELS, LAYOUT, TYPE)                                                          \
    {ZE_IMAGE_FORMAT_LAYOUT_##LAYOUT, ZE_IMAGE_FORMAT_TYPE_##TYPE},
#include "runtime/image_formats.def"
#undef IMAGE_FORMAT
};

static ze_image_format_t format_of(enum cmrt_format format)
{
    size_t channels = image_formats[format].channels; /* absent ones read 0, absent alpha 1, as in OpenCL */
    ze_image_format_t description = {
        .layout = level_zero_formats[format].layout,
        .type = level_zero_formats[format].type,
        .x = ZE_IMAGE_FORMAT_SWIZZLE_R,
        .y = channels > 1 ? ZE_IMAGE_FORMAT_SWIZZLE_G : ZE_IMAGE_FORMAT_SWIZZLE_0,
        .z = channels > 2 ? ZE_IMAGE_FORMAT_SWIZZLE_B : ZE_IMAGE_FORMAT_SWIZZLE_0,
        .w = channels > 3 ? ZE_IMAGE_FORMAT_SWIZZLE_A : ZE_IMAGE_FORMAT_SWIZZLE_1,
    };
    return description;
}

static enum cmrt_status image_open(cmrt_device *base, size_t width, size_t height, enum cmrt_format format,
                                   enum cmrt_access access, cmrt_image **out)
{
    struct device *device = device_of(base);
    if (cmrt_format_planes(format) > 1)
        return cmrt_fail(CMRT_BAD_ARGUMENT,
                         "an image of format %s: Level Zero gives kernels no image of several planes, the CPU has them",
                         cmrt_format_name(format));
    ze_device_image_properties_t limits = {.stype = ZE_STRUCTURE_TYPE_DEVICE_IMAGE_PROPERTIES};
    enum cmrt_status status = ZE(zeDeviceGetImageProperties(device->handle, &limits));
    if (status)
        return status;
    if (width > limits.maxImageDims2D || height > limits.maxImageDims2D)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "an image of %zu x %zu elements: the device takes at most %u x %u", width,
                         height, limits.maxImageDims2D, limits.maxImageDims2D);
    struct image *image = calloc(1, sizeof *image);
    if (!image)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    image->common = (cmrt_image){.device = base, .width = width, .height = height, .format = format, .access = access};
    ze_image_desc_t description = {.stype = ZE_STRUCTURE_TYPE_IMAGE_DESC,
                                   .flags = access & CMRT_WRITE ? ZE_IMAGE_FLAG_KERNEL_WRITE : 0,
                                   .type = ZE_IMAGE_TYPE_2D,
                                   .format = format_of(format),
                                   .width = width,
                                   .height = (uint32_t)height,
                                   .depth = 1};
    status = ZE(zeImageCreate(device->context, device->handle, &description, &image->handle));
    if (status) {
        free(image);
        return status;
    }
    *out = &image->common;
    return CMRT_OK;
}

static void image_close(cmrt_image *image)
{
    zeImageDestroy(((struct image *)image)->handle);
    free(image);
}

/* Copies a whole image: to the host if `to` is given, else from `from`. */
static enum cmrt_status copy_image(cmrt_queue *base, cmrt_image *common, void *to, const void *from)
{
    struct queue *queue = (struct queue *)base;
    struct image *image = (struct image *)common;
    size_t bytes = cmrt_image_bytes(common->format, common->width, common->height);
    cmrt_buffer *staging;
    enum cmrt_status status = buffer_open(common->device, CMRT_MEMORY_HOST, bytes, &staging);
    if (status)
        return status;
    if (from)
        memcpy(staging->pointer, from, bytes);
    status = queue_begin(queue);
    if (!status && from)
        status = ZE(zeCommandListAppendImageCopyFromMemory(queue->current->list, image->handle, staging->pointer, NULL,
                                                           NULL, 0, NULL));
    if (!status && to)
        status = ZE(zeCommandListAppendImageCopyToMemory(queue->current->list, staging->pointer, image->handle, NULL,
                                                         NULL, 0, NULL));
    if (!status)
        status = queue_finish(queue);
    if (!status && to)
        memcpy(to, staging->pointer, bytes);
    buffer_close(staging);
    return status;
}

static enum cmrt_status image_write(cmrt_queue *queue, cmrt_image *image, const void *from)
{
    return copy_image(queue, image, NULL, from);
}

static enum cmrt_status image_read(cmrt_queue *queue, cmrt_image *image, void *to)
{
    return copy_image(queue, image, to, NULL);
}

static enum cmrt_status sampler_open(cmrt_device *base, enum cmrt_sampler_address address,
                                     enum cmrt_sampler_filter filter, int normalized, cmrt_sampler **out)
{
    static const ze_sampler_address_mode_t modes[] = {
        [CMRT_ADDRESS_NONE] = ZE_SAMPLER_ADDRESS_MODE_NONE,
        [CMRT_ADDRESS_CLAMP] = ZE_SAMPLER_ADDRESS_MODE_CLAMP,
        [CMRT_ADDRESS_BORDER] = ZE_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER,
        [CMRT_ADDRESS_REPEAT] = ZE_SAMPLER_ADDRESS_MODE_REPEAT,
        [CMRT_ADDRESS_MIRROR] = ZE_SAMPLER_ADDRESS_MODE_MIRROR,
    };
    struct device *device = device_of(base);
    struct sampler *sampler = calloc(1, sizeof *sampler);
    if (!sampler)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    sampler->common.device = base;
    ze_sampler_desc_t description = {.stype = ZE_STRUCTURE_TYPE_SAMPLER_DESC,
                                     .addressMode = modes[address],
                                     .filterMode = filter == CMRT_FILTER_LINEAR ? ZE_SAMPLER_FILTER_MODE_LINEAR
                                                                                : ZE_SAMPLER_FILTER_MODE_NEAREST,
                                     .isNormalized = (ze_bool_t)(normalized != 0)};
    enum cmrt_status status = ZE(zeSamplerCreate(device->context, device->handle, &description, &sampler->handle));
    if (status) {
        free(sampler);
        return status;
    }
    *out = &sampler->common;
    return CMRT_OK;
}

static void sampler_close(cmrt_sampler *sampler)
{
    zeSamplerDestroy(((struct sampler *)sampler)->handle);
    free(sampler);
}

/* kernels */

static enum cmrt_status kernel_open(cmrt_program *program, const struct cmrt_kernel_info *info, cmrt_kernel **out)
{
    struct kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    ze_kernel_desc_t description = {.stype = ZE_STRUCTURE_TYPE_KERNEL_DESC, .pKernelName = info->name};
    enum cmrt_status status = ZE(zeKernelCreate(((struct program *)program)->module, &description, &kernel->handle));
    if (status) {
        free(kernel);
        return status;
    }
    *out = &kernel->common;
    return CMRT_OK;
}

static void kernel_close(cmrt_kernel *kernel)
{
    zeKernelDestroy(((struct kernel *)kernel)->handle);
    free(kernel);
}

static enum cmrt_status set_value(cmrt_kernel *kernel, size_t index, const void *value, size_t bytes)
{
    return ZE(zeKernelSetArgumentValue(((struct kernel *)kernel)->handle, (uint32_t)index, bytes, value));
}

static enum cmrt_status set_buffer(cmrt_kernel *kernel, size_t index, cmrt_buffer *buffer)
{
    return set_value(kernel, index, &buffer->pointer, sizeof buffer->pointer);
}

static enum cmrt_status set_image(cmrt_kernel *kernel, size_t index, cmrt_image *image)
{
    return set_value(kernel, index, &((struct image *)image)->handle, sizeof(ze_image_handle_t));
}

static enum cmrt_status set_sampler(cmrt_kernel *kernel, size_t index, cmrt_sampler *sampler)
{
    return set_value(kernel, index, &((struct sampler *)sampler)->handle, sizeof(ze_sampler_handle_t));
}

static enum cmrt_status set_local(cmrt_kernel *kernel, size_t index, size_t bytes)
{
    return set_value(kernel, index, NULL, bytes);
}

static enum cmrt_status launch(cmrt_queue *base, cmrt_kernel *common, const uint32_t groups[3], const uint32_t local[3])
{
    struct queue *queue = (struct queue *)base;
    ze_kernel_handle_t kernel = ((struct kernel *)common)->handle;
    ze_group_count_t count = {groups[0], groups[1], groups[2]};
    enum cmrt_status status = queue_begin(queue);
    struct slot *slot = queue->current;
    if (!status)
        status = ZE(zeKernelSetGroupSize(kernel, local[0], local[1], local[2]));
    if (!status)
        status = ZE(zeEventHostReset(slot->event));
    if (!status)
        status = ZE(zeCommandListAppendLaunchKernel(slot->list, kernel, &count, slot->event, 0, NULL));
    if (!status)
        status = queue_submit(queue);
    queue->launched = status ? NULL : slot;
    return status;
}

/* events */

static void event_close(cmrt_event *base)
{
    struct event *event = (struct event *)base;
    if (event->handle)
        zeEventDestroy(event->handle);
    if (event->pool)
        zeEventPoolDestroy(event->pool);
    free(event);
}

static enum cmrt_status event_create(struct device *device, struct event *event)
{
    ze_event_pool_desc_t pool = {
        .stype = ZE_STRUCTURE_TYPE_EVENT_POOL_DESC, .flags = ZE_EVENT_POOL_FLAG_HOST_VISIBLE, .count = 1};
    ze_event_desc_t description = {.stype = ZE_STRUCTURE_TYPE_EVENT_DESC, .signal = ZE_EVENT_SCOPE_FLAG_HOST};
    enum cmrt_status status = ZE(zeEventPoolCreate(device->context, &pool, 1, &device->handle, &event->pool));
    return status ? status : ZE(zeEventCreate(event->pool, &description, &event->handle));
}

/* An operation of its own signals it. */
static enum cmrt_status event_open(cmrt_queue *base, cmrt_event **out)
{
    struct queue *queue = (struct queue *)base;
    struct event *event = calloc(1, sizeof *event);
    if (!event)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    event->common.device = base->device;
    enum cmrt_status status = event_create(device_of(base->device), event);
    if (!status)
        status = queue_begin(queue);
    if (!status)
        status = ZE(zeCommandListAppendSignalEvent(queue->current->list, event->handle));
    if (!status)
        status = queue_submit(queue);
    if (status) {
        event_close(&event->common);
        return status;
    }
    *out = &event->common;
    return CMRT_OK;
}

static enum cmrt_status event_done(cmrt_event *event, int *done)
{
    ze_result_t result = zeEventQueryStatus(((struct event *)event)->handle);
    *done = result == ZE_RESULT_SUCCESS;
    return result == ZE_RESULT_NOT_READY ? CMRT_OK : check(result, "zeEventQueryStatus");
}

static enum cmrt_status event_wait(cmrt_event *event, uint64_t nanoseconds)
{
    ze_result_t result = zeEventHostSynchronize(((struct event *)event)->handle, nanoseconds);
    if (result == ZE_RESULT_NOT_READY)
        return cmrt_fail(CMRT_NOT_YET, "the event has not happened after %llu ns", (unsigned long long)nanoseconds);
    return check(result, "zeEventHostSynchronize");
}

/* memory of others */

static enum cmrt_status memory_of(cmrt_device *base, const void *pointer, size_t bytes, enum cmrt_memory *memory)
{
    struct device *device = device_of(base);
    ze_memory_allocation_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_MEMORY_ALLOCATION_PROPERTIES};
    void *start = NULL;
    size_t size = 0;
    enum cmrt_status status = ZE(zeMemGetAllocProperties(device->context, pointer, &properties, NULL));
    if (status)
        return status;
    switch (properties.type) {
    case ZE_MEMORY_TYPE_HOST: *memory = CMRT_MEMORY_HOST; break;
    case ZE_MEMORY_TYPE_DEVICE: *memory = CMRT_MEMORY_DEVICE; break;
    case ZE_MEMORY_TYPE_SHARED: *memory = CMRT_MEMORY_SHARED; break;
    default: return cmrt_fail(CMRT_BAD_ARGUMENT, "no unified shared memory of the device's context");
    }
    status = ZE(zeMemGetAddressRange(device->context, pointer, &start, &size));
    if (!status && (size_t)((const char *)pointer - (char *)start) + bytes > size)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "%zu bytes reach beyond the end of the caller's memory", bytes);
    return status;
}

static const struct cmrt_backend level_zero = {
    .program_load = program_load,
    .program_close = program_close,
    .buffer_open = buffer_open,
    .buffer_write = buffer_write,
    .buffer_read = buffer_read,
    .buffer_close = buffer_close,
    .image_open = image_open,
    .image_write = image_write,
    .image_read = image_read,
    .image_close = image_close,
    .sampler_open = sampler_open,
    .sampler_close = sampler_close,
    .kernel_open = kernel_open,
    .set_value = set_value,
    .set_buffer = set_buffer,
    .set_image = set_image,
    .set_sampler = set_sampler,
    .set_local = set_local,
    .kernel_close = kernel_close,
    .queue_open = queue_open,
    .launch = launch,
    .wait = queue_wait,
    .elapsed = queue_elapsed,
    .queue_close = queue_close,
    .memory_of = memory_of,
    .event_open = event_open,
    .event_done = event_done,
    .event_wait = event_wait,
    .event_close = event_close,
    .device_close = device_close,
};

/* Opens a device with the handles that it has by now; *device is freed if that fails. */
static enum cmrt_status finish_open(struct device *device, cmrt_device **out)
{
    enum cmrt_status status = read_properties(device, device->driver);
    if (status) {
        device_close(&device->common);
        return status;
    }
    *out = &device->common;
    return CMRT_OK;
}

enum cmrt_status level_zero_open(cmrt_device **out)
{
    ze_context_desc_t description = {.stype = ZE_STRUCTURE_TYPE_CONTEXT_DESC};
    struct device *device = calloc(1, sizeof *device);
    if (!device)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    device->common.backend = &level_zero;
    enum cmrt_status status = find_gpu(&device->driver, &device->handle);
    if (!status)
        status = ZE(zeContextCreate(device->driver, &description, &device->context));
    if (status) {
        device_close(&device->common);
        return status;
    }
    return finish_open(device, out);
}

enum cmrt_status level_zero_open_handles(const struct cmrt_level_zero *handles, cmrt_device **out)
{
    struct device *device = calloc(1, sizeof *device);
    if (!device)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    *device = (struct device){.common = {.backend = &level_zero},
                              .driver = handles->driver,
                              .context = handles->context,
                              .handle = handles->device,
                              .is_callers = 1};
    return finish_open(device, out);
}

enum cmrt_status level_zero_handles(const cmrt_device *base, struct cmrt_level_zero *handles)
{
    const struct device *device = (const struct device *)base;
    *handles = (struct cmrt_level_zero){device->driver, device->context, device->handle};
    return CMRT_OK;
}
