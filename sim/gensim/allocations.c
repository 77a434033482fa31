/* Interposes Level Zero's allocation functions, so that --check=memory knows where the program's allocations end. The
 * calls go on to the loader. They are seen where the program is linked with the loader, not where it looks the
 * functions up by name in a library that it has opened itself. */
#include <level_zero/ze_api.h>
#include "sim/check/allocations.h"
#include "sim/check/init.h"
#include "sim/gensim/real.h"

#define LOADER(NAME) REAL_IN("libze_loader.so.1", NAME)

/* Returns the address as the GPU's accesses have it: without the copies of its sign. */
static uint64_t gpu_address(const void *address)
{
    return (uintptr_t)address & ((UINT64_C(1) << 48) - 1);
}

static ze_result_t note(ze_result_t result, void **address, size_t bytes, const char *function, unsigned properties)
{
    if (result == ZE_RESULT_SUCCESS && address) {
        check_allocation_add(gpu_address(*address), bytes, function, properties, NULL);
        if (properties & CHECK_PRIVATE)
            check_memory_is_fresh(gpu_address(*address), bytes);
    }
    return result;
}

static ze_result_t freed(ze_result_t result, const void *address)
{
    if (result == ZE_RESULT_SUCCESS)
        check_allocation_free(gpu_address(address));
    return result;
}

EXPORT ze_result_t zeMemAllocShared(ze_context_handle_t context, const ze_device_mem_alloc_desc_t *device_desc,
                                    const ze_host_mem_alloc_desc_t *host_desc, size_t size, size_t alignment,
                                    ze_device_handle_t device, void **address)
{
    ze_result_t result = LOADER(zeMemAllocShared)(context, device_desc, host_desc, size, alignment, device, address);
    return note(result, address, size, "zeMemAllocShared", 0);
}

EXPORT ze_result_t zeMemAllocDevice(ze_context_handle_t context, const ze_device_mem_alloc_desc_t *desc, size_t size,
                                    size_t alignment, ze_device_handle_t device, void **address)
{
    return note(LOADER(zeMemAllocDevice)(context, desc, size, alignment, device, address), address, size,
                "zeMemAllocDevice", CHECK_PRIVATE);
}

EXPORT ze_result_t zeMemAllocHost(ze_context_handle_t context, const ze_host_mem_alloc_desc_t *desc, size_t size,
                                  size_t alignment, void **address)
{
    return note(LOADER(zeMemAllocHost)(context, desc, size, alignment, address), address, size, "zeMemAllocHost", 0);
}

EXPORT ze_result_t zeMemFree(ze_context_handle_t context, void *address)
{
    ze_result_t result = LOADER(zeMemFree)(context, address);
    return freed(result, address);
}

EXPORT ze_result_t zeMemFreeExt(ze_context_handle_t context, const ze_memory_free_ext_desc_t *desc, void *address)
{
    ze_result_t result = LOADER(zeMemFreeExt)(context, desc, address);
    return freed(result, address);
}

/* The driver may copy and fill on the host. */
EXPORT ze_result_t zeCommandListAppendMemoryCopy(ze_command_list_handle_t list, void *to, const void *from, size_t size,
                                                 ze_event_handle_t signal, uint32_t count, ze_event_handle_t *waits)
{
    check_memory_has_values(gpu_address(to), size);
    return LOADER(zeCommandListAppendMemoryCopy)(list, to, from, size, signal, count, waits);
}

EXPORT ze_result_t zeCommandListAppendMemoryFill(ze_command_list_handle_t list, void *to, const void *pattern,
                                                 size_t pattern_size, size_t size, ze_event_handle_t signal,
                                                 uint32_t count, ze_event_handle_t *waits)
{
    check_memory_has_values(gpu_address(to), size);
    return LOADER(zeCommandListAppendMemoryFill)(list, to, pattern, pattern_size, size, signal, count, waits);
}
