/* Implements the xe kernel interface, as Linux 6.8 and later have it: the table of its requests, and open files.
 *
 * Rows and handlers are as i915's (sim/kernel/requests.h). What real xe refuses gets the same error here. Structures:
 * sim/kernel/xe/uapi.h. Only long-running address spaces are modelled, which are what Intel's compute driver makes:
 * their batches are waited for through user fences in memory. */
#include "sim/kernel/xe/xe.h"

#include <drm.h>
#include <errno.h>
#include <stdlib.h>
#include "sim/kernel/requests.h"

#define DRM_REQUEST(NAME, STRUCTURE, HANDLER) {_IOC_NR(DRM_IOCTL_##NAME), sizeof(struct STRUCTURE), #NAME, HANDLER}
#define XE_REQUEST(NAME, STRUCTURE, HANDLER)  {DRM_COMMAND_BASE + XE_##NAME, sizeof(struct STRUCTURE), #NAME, HANDLER}
#define XE_UNKNOWN(NAME)                      {DRM_COMMAND_BASE + XE_##NAME, 0, #NAME, NULL}

static const struct kernel_request requests[] = {
    DRM_REQUEST(VERSION, drm_version, kernel_get_version),
    DRM_REQUEST(GEM_CLOSE, drm_gem_close, kernel_close_handle),
    DRM_REQUEST(PRIME_HANDLE_TO_FD, drm_prime_handle, kernel_export_handle),
    DRM_REQUEST(PRIME_FD_TO_HANDLE, drm_prime_handle, kernel_import_handle),
    XE_REQUEST(DEVICE_QUERY, xe_device_query, xe_query),
    XE_REQUEST(GEM_CREATE, xe_gem_create, xe_create_object),
    XE_REQUEST(GEM_MMAP_OFFSET, xe_gem_mmap_offset, xe_get_map_offset),
    XE_REQUEST(VM_CREATE, xe_vm_create, xe_create_space),
    XE_REQUEST(VM_DESTROY, xe_vm_destroy, xe_destroy_space),
    XE_REQUEST(VM_BIND, xe_vm_bind, xe_bind),
    XE_REQUEST(EXEC_QUEUE_CREATE, xe_queue_create, xe_create_queue),
    XE_REQUEST(EXEC_QUEUE_DESTROY, xe_queue_destroy, xe_destroy_queue),
    XE_REQUEST(EXEC_QUEUE_GET_PROPERTY, xe_queue_get_property, xe_get_queue_property),
    XE_REQUEST(EXEC, xe_exec, xe_execute),
    XE_REQUEST(WAIT_USER_FENCE, xe_wait_user_fence, xe_wait_for_fence),
    XE_UNKNOWN(OBSERVATION),
    XE_UNKNOWN(MADVISE),
    XE_UNKNOWN(VM_QUERY_MEM_RANGE_ATTRS),
    XE_UNKNOWN(EXEC_QUEUE_SET_PROPERTY),
    XE_UNKNOWN(VM_GET_PROPERTY),
    DRM_REQUEST(GET_CAP, drm_get_cap, NULL),
    DRM_REQUEST(SYNCOBJ_CREATE, drm_syncobj_create, NULL),
};

static int handle_request(struct kernel_file *file, unsigned long number, void *argument)
{
    return kernel_request_run(file, requests, sizeof requests / sizeof requests[0], number, argument);
}

static int open_file(struct kernel_file *file)
{
    struct xe_file *own = calloc(1, sizeof *own);
    if (!own)
        return -ENOMEM;
    pthread_mutex_init(&own->lock, NULL);
    file->own = own;
    return 0;
}

/* Queues end with their file: a ring that waits for the program would wait for ever. */
static void close_file(struct kernel_file *file)
{
    struct xe_file *own = xe_file_of(file);
    for (uint32_t i = 0; i < own->queue_count; i++)
        context_cancel(&file->contexts, own->queues[i].context);
    for (uint32_t i = 0; i < own->space_count; i++)
        if (own->spaces[i])
            xe_space_release(own->spaces[i]);
    pthread_mutex_destroy(&own->lock);
    free(own->spaces);
    free(own->queues);
    free(own);
}

static void before_fork(struct kernel_file *file)
{
    struct xe_file *own = xe_file_of(file);
    pthread_mutex_lock(&own->lock);
    for (uint32_t i = 0; i < own->space_count; i++)
        if (own->spaces[i])
            xe_space_before_fork(own->spaces[i]);
}

static void after_fork(struct kernel_file *file, int in_child)
{
    struct xe_file *own = xe_file_of(file);
    for (uint32_t i = 0; i < own->space_count; i++)
        if (own->spaces[i])
            xe_space_after_fork(own->spaces[i], in_child);
    if (in_child)
        pthread_mutex_init(&own->lock, NULL);
    else
        pthread_mutex_unlock(&own->lock);
}

const struct kernel_interface xe_interface = {.name = "xe",
                                              .node = "/dev/dri/renderD128",
                                              .version = {1, 1},
                                              .ioctl = handle_request,
                                              .map = kernel_find_mapping,
                                              .open = open_file,
                                              .close = close_file,
                                              .before_fork = before_fork,
                                              .after_fork = after_fork};
