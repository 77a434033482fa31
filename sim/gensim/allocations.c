/* Interposes Level Zero's allocation functions, so that --check=memory knows where the program's allocations end. The
 * calls go on to the loader. They are seen where the program is linked with the loader, not where it looks the
 * functions up by name in a library that it has opened itself. */
#include <level_zero/ze_api.h>
#include "sim/check/allocations.h"
#include "sim/gensim/real.h"

#define LOADER(NAME) REAL_IN("libze_loader.so.1", NAME)

static ze_result_t note(ze_result_t result, void **address, size_t bytes, const char *function)
{
    if (result == ZE_RESULT_SUCCESS && address)
        check_allocation_add((uintptr_t)*address, bytes, function);
    return result;
}

EXPORT ze_result_t zeMemAllocShared(ze_context_handle_t context, const ze_device_mem_alloc_desc_t *device_desc,
                                    const ze_host_mem_alloc_desc_t *host_desc, size_t size, size_t alignment,
                                    ze_device_handle_t device, void **address)
{
    ze_result_t result = LOADER(zeMemAllocShared)(context, device_desc, host_desc, size, alignment, device, address);
    return note(result, address, size, "zeMemAllocShared");
}

EXPORT ze_result_t zeMemAllocDevice(ze_context_handle_t context, const ze_device_mem_alloc_desc_t *desc, size_t size,
                                    size_t alignment, ze_device_handle_t device, void **address)
{
    return note(LOADER(zeMemAllocDevice)(context, desc, size, alignment, device, address), address, size,
                "zeMemAllocDevice");
}

EXPORT ze_result_t zeMemAllocHost(ze_context_handle_t context, const ze_host_mem_alloc_desc_t *desc, size_t size,
                                  size_t alignment, void **address)
{
    return note(LOADER(zeMemAllocHost)(context, desc, size, alignment, address), address, size, "zeMemAllocHost");
}

EXPORT ze_result_t zeMemFree(ze_context_handle_t context, void *address)
{
    ze_result_t result = LOADER(zeMemFree)(context, address);
    if (result == ZE_RESULT_SUCCESS)
        check_allocation_free((uintptr_t)address);
    return result;
}

EXPORT ze_result_t zeMemFreeExt(ze_context_handle_t context, const ze_memory_free_ext_desc_t *desc, void *address)
{
    ze_result_t result = LOADER(zeMemFreeExt)(context, desc, address);
    if (result == ZE_RESULT_SUCCESS)
        check_allocation_free((uintptr_t)address);
    return result;
}
