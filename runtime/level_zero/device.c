/* Opens GPUs, and holds the backend's table. */
#include "runtime/level_zero/level_zero.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void device_close(cmrt_device *device)
{
    if (level_zero_device_of(device)->context && !level_zero_device_of(device)->is_callers)
        zeContextDestroy(level_zero_device_of(device)->context);
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

static enum cmrt_status find_compute_queues(struct level_zero_device *device)
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
const struct platform *level_zero_row_of(const struct level_zero_device *device)
{
    for (size_t i = 0; i < platform_count; i++)
        if (platform_table[i].pci_id == device->properties.deviceId)
            return &platform_table[i];
    return NULL;
}

/* Reads the device's features: doubles from the driver, media blocks from our table, because Level Zero does not report
 * them. */
static enum cmrt_status read_features(struct level_zero_device *device, ze_driver_handle_t driver)
{
    ze_device_module_properties_t module = {.stype = ZE_STRUCTURE_TYPE_DEVICE_MODULE_PROPERTIES};
    ze_driver_properties_t properties = {.stype = ZE_STRUCTURE_TYPE_DRIVER_PROPERTIES};
    enum cmrt_status status = ZE(zeDeviceGetModuleProperties(device->handle, &module));
    if (!status)
        status = ZE(zeDriverGetProperties(driver, &properties));
    const struct platform *platform = level_zero_row_of(device);
    device->common.platform = platform ? platform->ocloc : NULL;
    if (module.flags & ZE_DEVICE_MODULE_FLAG_FP64)
        device->common.features |= CMRT_FEATURE_DOUBLE;
    if (!platform || platform_has(platform, FEATURE_MEDIA_BLOCKS))
        device->common.features |= CMRT_FEATURE_MEDIA_BLOCKS;
    snprintf(device->common.driver, sizeof device->common.driver, "Level Zero driver %u.%u.%u",
             properties.driverVersion >> 24, properties.driverVersion >> 16 & 0xff, properties.driverVersion & 0xffff);
    return status;
}

static enum cmrt_status read_properties(struct level_zero_device *device, ze_driver_handle_t driver)
{
    ze_device_compute_properties_t compute = {.stype = ZE_STRUCTURE_TYPE_DEVICE_COMPUTE_PROPERTIES};
    device->properties.stype = ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES;
    enum cmrt_status status = ZE(zeDeviceGetProperties(device->handle, &device->properties));
    if (!status)
        status = ZE(zeDeviceGetComputeProperties(device->handle, &compute));
    snprintf(device->common.name, sizeof device->common.name, "%s", device->properties.name);
    const ze_device_properties_t *all = &device->properties;
    uint64_t *properties = device->common.properties, core = (uint64_t)all->numEUsPerSubslice * all->numThreadsPerEU;
    properties[CMRT_PROPERTY_THREADS] = (uint64_t)all->numSlices * all->numSubslicesPerSlice * core;
    properties[CMRT_PROPERTY_GROUP_THREADS] = core < compute.maxTotalGroupSize ? core : compute.maxTotalGroupSize;
    properties[CMRT_PROPERTY_GROUP_ITEMS] = compute.maxTotalGroupSize;
    properties[CMRT_PROPERTY_GROUP_BYTES] = compute.maxSharedLocalMemory;
    properties[CMRT_PROPERTY_BUFFER_BYTES] = all->maxMemAllocSize;
    device->common.maximum_group_threads = compute.maxTotalGroupSize;
    device->common.maximum_local[0] = compute.maxGroupSizeX;
    device->common.maximum_local[1] = compute.maxGroupSizeY;
    device->common.maximum_local[2] = compute.maxGroupSizeZ;
    if (!status)
        status = read_features(device, driver);
    return status ? status : find_compute_queues(device);
}

static const struct cmrt_backend level_zero = {
    .program_load = level_zero_program_load,
    .program_close = level_zero_program_close,
    .buffer_open = level_zero_buffer_open,
    .buffer_write = level_zero_buffer_write,
    .buffer_read = level_zero_buffer_read,
    .buffer_close = level_zero_buffer_close,
    .image_open = level_zero_image_open,
    .image_write = level_zero_image_write,
    .image_read = level_zero_image_read,
    .image_close = level_zero_image_close,
    .sampler_open = level_zero_sampler_open,
    .sampler_close = level_zero_sampler_close,
    .kernel_open = level_zero_kernel_open,
    .set_value = level_zero_set_value,
    .set_buffer = level_zero_set_buffer,
    .set_image = level_zero_set_image,
    .set_sampler = level_zero_set_sampler,
    .set_local = level_zero_set_local,
    .set_indirect = level_zero_set_indirect,
    .suggest_local = level_zero_suggest_local,
    .kernel_close = level_zero_kernel_close,
    .queue_open = level_zero_queue_open,
    .launch = level_zero_launch,
    .wait = level_zero_queue_wait,
    .elapsed = level_zero_queue_elapsed,
    .queue_close = level_zero_queue_close,
    .memory_of = level_zero_memory_of,
    .event_open = level_zero_event_open,
    .event_done = level_zero_event_done,
    .event_wait = level_zero_event_wait,
    .queue_after = level_zero_queue_after,
    .event_close = level_zero_event_close,
    .device_close = device_close,
};

/* Opens a device with the handles that it has by now; *device is freed if that fails. */
static enum cmrt_status finish_open(struct level_zero_device *device, cmrt_device **out)
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
    struct level_zero_device *device = calloc(1, sizeof *device);
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
    struct level_zero_device *device = calloc(1, sizeof *device);
    if (!device)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    *device = (struct level_zero_device){.common = {.backend = &level_zero},
                                         .driver = handles->driver,
                                         .context = handles->context,
                                         .handle = handles->device,
                                         .is_callers = 1};
    return finish_open(device, out);
}

enum cmrt_status level_zero_handles(const cmrt_device *base, struct cmrt_level_zero *handles)
{
    const struct level_zero_device *device = (const struct level_zero_device *)base;
    *handles = (struct cmrt_level_zero){device->driver, device->context, device->handle};
    return CMRT_OK;
}
