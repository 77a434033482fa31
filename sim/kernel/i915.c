/* Implements the i915 kernel interface.
 *
 * One row per ioctl in `requests` below: number, structure, handler (sim/kernel/requests.h). To add one: write a
 * handler, check every field, and add the row. Requests that real i915 refuses get the same error here. Structures:
 * linux/i915_drm.h. */
#include "sim/kernel/i915.h"

#include <drm.h>
#include <errno.h>
#include <i915_drm.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include "sim/base/clock.h"
#include "sim/base/process.h"
#include "sim/kernel/i915_memory.h"
#include "sim/kernel/requests.h"

static int create_object(struct kernel_file *file, void *argument)
{
    struct drm_i915_gem_create *create = argument;
    if (create->pad || create->size == 0 || create->size > I915_ADDRESS_LIMIT - KERNEL_PAGE)
        return -EINVAL;
    create->size = (create->size + KERNEL_PAGE - 1) & ~(KERNEL_PAGE - 1);
    return kernel_publish(file, object_create(create->size), &create->handle);
}

static int wrap_user_memory(struct kernel_file *file, void *argument)
{
    struct drm_i915_gem_userptr *user = argument;
    const uint32_t known = I915_USERPTR_READ_ONLY | I915_USERPTR_PROBE | I915_USERPTR_UNSYNCHRONIZED;
    if (user->flags & ~known)
        return -EINVAL;
    if (user->user_size == 0 || user->user_ptr % KERNEL_PAGE || user->user_size % KERNEL_PAGE)
        return -EINVAL;
    if (user->user_ptr == 0 || user->user_ptr >= I915_ADDRESS_LIMIT ||
        user->user_size > I915_ADDRESS_LIMIT - user->user_ptr)
        return -EFAULT;
    if (user->flags & I915_USERPTR_PROBE) {
        uint8_t byte;
        for (uint64_t at = 0; at < user->user_size; at += KERNEL_PAGE)
            if (kernel_read_user(&byte, user->user_ptr + at, 1))
                return -EFAULT;
    }
    return kernel_publish(file, object_wrap((void *)(uintptr_t)user->user_ptr, user->user_size), &user->handle);
}

static int get_map_offset(struct kernel_file *file, void *argument)
{
    struct drm_i915_gem_mmap_offset *map = argument;
    if (map->pad || map->extensions || map->flags > I915_MMAP_OFFSET_FIXED)
        return -EINVAL;
    /* Platforms with memory of their own cache an object as its place says, whatever the program wants. */
    if ((map->flags == I915_MMAP_OFFSET_FIXED) != i915_is_discrete(file->device->platform))
        return -ENODEV;
    struct object *object = object_find(&file->objects, map->handle);
    if (!object)
        return -ENOENT;
    int error = object->memory_file < 0 ? -ENODEV : 0;
    object_release(object);
    map->offset = kernel_map_offset(map->handle);
    return error;
}

static int map_object(struct kernel_file *file, void *argument)
{
    struct drm_i915_gem_mmap *map = argument;
    if (map->flags & ~(uint64_t)I915_MMAP_WC)
        return -EINVAL;
    struct object *object = object_find(&file->objects, map->handle);
    if (!object)
        return -ENOENT;
    int error = 0;
    if (object->memory_file < 0)
        error = -ENXIO;
    else if (map->size == 0 || map->offset % KERNEL_PAGE || map->offset >= object->size ||
             map->size > object->size - map->offset)
        error = -EINVAL;
    if (!error) {
        void *address =
            mmap(NULL, map->size, PROT_READ | PROT_WRITE, MAP_SHARED, object->memory_file, (off_t)map->offset);
        error = address == MAP_FAILED ? -errno : 0;
        map->addr_ptr = (uintptr_t)address;
    }
    object_release(object);
    return error;
}

static int set_domain(struct kernel_file *file, void *argument)
{
    const struct drm_i915_gem_set_domain *domain = argument;
    struct object *object = object_find(&file->objects, domain->handle);
    if (!object)
        return -ENOENT;
    int64_t remaining;
    int error = object_wait(object, -1, &remaining); /* one coherent memory: only the wait remains */
    object_release(object);
    return error;
}

static int set_tiling(struct kernel_file *file, void *argument)
{
    struct drm_i915_gem_set_tiling *tiling = argument;
    if (tiling->tiling_mode > I915_TILING_Y)
        return -EINVAL;
    struct object *object = object_find(&file->objects, tiling->handle);
    if (!object)
        return -ENOENT;
    object->tiling = tiling->tiling_mode;
    object->stride = tiling->stride;
    tiling->swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
    object_release(object);
    return 0;
}

static int get_tiling(struct kernel_file *file, void *argument)
{
    struct drm_i915_gem_get_tiling *tiling = argument;
    struct object *object = object_find(&file->objects, tiling->handle);
    if (!object)
        return -ENOENT;
    tiling->tiling_mode = object->tiling;
    tiling->swizzle_mode = tiling->phys_swizzle_mode = I915_BIT_6_SWIZZLE_NONE;
    object_release(object);
    return 0;
}

static int wait_object(struct kernel_file *file, void *argument)
{
    struct drm_i915_gem_wait *wait = argument;
    if (wait->flags)
        return -EINVAL;
    struct object *object = object_find(&file->objects, wait->bo_handle);
    if (!object)
        return -ENOENT;
    int64_t remaining;
    int error = object_wait(object, wait->timeout_ns, &remaining);
    wait->timeout_ns = error ? 0 : remaining;
    object_release(object);
    return error;
}

static int is_busy(struct kernel_file *file, void *argument)
{
    struct drm_i915_gem_busy *busy = argument;
    struct object *object = object_find(&file->objects, busy->handle);
    if (!object)
        return -ENOENT;
    busy->busy = atomic_load(&object->busy) ? 1u << 16 : 0; /* read by the render engine */
    object_release(object);
    return 0;
}

/* Checks one entry of the object list and converts it to a range of the batch's address space. */
static int bind_object(struct kernel_file *file, const struct drm_i915_gem_exec_object2 *entry, struct object **object,
                       struct sim_range *range)
{
    const uint64_t known = EXEC_OBJECT_WRITE | EXEC_OBJECT_SUPPORTS_48B_ADDRESS | EXEC_OBJECT_PINNED |
                           EXEC_OBJECT_ASYNC | EXEC_OBJECT_CAPTURE;
    if (entry->flags & ~known || entry->relocation_count)
        sim_process_stop("i915: GEM_EXECBUFFER2: object %u has flags 0x%llx and %u relocations: not implemented",
                         entry->handle, (unsigned long long)entry->flags, entry->relocation_count);
    if (!(entry->flags & EXEC_OBJECT_PINNED))
        sim_process_stop("i915: GEM_EXECBUFFER2: object %u has no address (not pinned): not implemented",
                         entry->handle);
    uint64_t gpu;
    if (!kernel_strip_canonical(entry->offset, &gpu) || gpu % KERNEL_PAGE)
        return -EINVAL;
    *object = object_find(&file->objects, entry->handle);
    if (!*object)
        return -ENOENT;
    if ((*object)->size > I915_ADDRESS_LIMIT - gpu)
        return -ENOSPC;
    if ((*object)->memory_file < 0 && !kernel_user_is_mapped((*object)->host, (*object)->size))
        return -EFAULT;
    object_bound(*object, gpu);
    *range = (struct sim_range){.gpu = gpu, .size = (*object)->size, .host = (*object)->host};
    return 0;
}

/* Without a list of engines, the flags name one; with a list, its entry. */
static int check_engine(struct kernel_file *file, const struct drm_i915_gem_execbuffer2 *execute)
{
    uint64_t ring = execute->flags & I915_EXEC_RING_MASK;
    if (context_has_engine_list(&file->contexts, (uint32_t)execute->rsvd1))
        return ring ? -EINVAL : 0;
    if (ring != I915_EXEC_DEFAULT && ring != I915_EXEC_RENDER)
        sim_process_stop("i915: GEM_EXECBUFFER2: engine %llu is not implemented, only the render engine",
                         (unsigned long long)ring);
    return 0;
}

static int check_execute(struct kernel_file *file, const struct drm_i915_gem_execbuffer2 *execute, uint32_t count)
{
    const uint64_t known = I915_EXEC_RING_MASK | I915_EXEC_NO_RELOC | I915_EXEC_HANDLE_LUT;
    if (execute->flags & ~known || execute->num_cliprects || execute->cliprects_ptr)
        sim_process_stop("i915: GEM_EXECBUFFER2: flags 0x%llx or fences are not implemented",
                         (unsigned long long)execute->flags);
    if (count == 0 || count > 1u << 20 || execute->DR1 || execute->DR4 || execute->rsvd1 > UINT32_MAX)
        return -EINVAL;
    if (execute->batch_start_offset % 8 || execute->batch_len % 8)
        return -EINVAL;
    return check_engine(file, execute);
}

/* Finds the batch, which is inside the last object of the list. */
static int find_batch(const struct drm_i915_gem_execbuffer2 *execute, const struct sim_range *last, uint64_t *batch)
{
    uint64_t start = execute->batch_start_offset;
    if (start >= last->size || execute->batch_len > last->size - start)
        return -EINVAL;
    *batch = last->gpu + start;
    return 0;
}

static int execute_batch(struct kernel_file *file, void *argument)
{
    const struct drm_i915_gem_execbuffer2 *execute = argument;
    uint32_t count = execute->buffer_count;
    int error = check_execute(file, execute, count);
    if (error)
        return error;
    struct drm_i915_gem_exec_object2 *list = malloc(count * sizeof *list);
    struct sim_range *ranges = malloc(count * sizeof *ranges);
    struct submission *submission = submission_create(count);
    if (!list || !ranges || !submission)
        error = -ENOMEM;
    if (!error)
        error = kernel_read_user(list, execute->buffers_ptr, count * sizeof *list);
    for (uint32_t i = 0; i < count && !error; i++)
        error = bind_object(file, &list[i], &submission->object[i], &ranges[i]);
    if (!error)
        error = find_batch(execute, &ranges[count - 1], &submission->batch);
    if (!error && !(submission->space = sim_space_create(ranges, count)))
        error = -EINVAL; /* two objects at one address */
    if (!error)
        error = context_submit(&file->contexts, (uint32_t)execute->rsvd1, submission);
    if (error && submission)
        submission_destroy(submission);
    free(list);
    free(ranges);
    return error;
}

/* Reads the timestamp register through the driver's window. Bit 0 of REG_READ's address requests one 64-bit read. */
static int read_register(struct kernel_file *file, void *argument)
{
    struct drm_i915_reg_read *reg = argument;
    const uint64_t timestamp = 0x2358, timestamp_high = 0x235c;
    if (reg->offset != timestamp && reg->offset != (timestamp | I915_REG_READ_8B_WA) && reg->offset != timestamp_high)
        return -EINVAL;
    uint64_t now = sim_clock_read(file->device->platform->timestamp_hz);
    if (reg->offset == timestamp_high)
        reg->val = now >> 32;
    else
        reg->val = reg->offset & I915_REG_READ_8B_WA ? now : now & UINT32_MAX;
    return 0;
}

static int create_space(struct kernel_file *file, void *argument)
{
    struct drm_i915_gem_vm_control *control = argument;
    return control->flags || control->extensions ? -EINVAL : context_space_create(&file->contexts, &control->vm_id);
}

static int destroy_space(struct kernel_file *file, void *argument)
{
    const struct drm_i915_gem_vm_control *control = argument;
    return control->flags || control->extensions ? -EINVAL : context_space_destroy(&file->contexts, control->vm_id);
}

static int get_reset_stats(struct kernel_file *file, void *argument)
{
    struct drm_i915_reset_stats *stats = argument;
    if (stats->flags || stats->pad)
        return -EINVAL;
    if (!context_exists(&file->contexts, stats->ctx_id))
        return -ENOENT;
    stats->reset_count = stats->batch_active = stats->batch_pending = 0; /* a hang ends the program here */
    return 0;
}

#define DRM_REQUEST(NAME, STRUCTURE, HANDLER) {_IOC_NR(DRM_IOCTL_##NAME), sizeof(struct STRUCTURE), #NAME, HANDLER}
#define I915_REQUEST(NAME, STRUCTURE, HANDLER)                                                                         \
    {DRM_COMMAND_BASE + DRM_I915_##NAME, sizeof(struct STRUCTURE), "I915_" #NAME, HANDLER}

static const struct kernel_request requests[] = {
    DRM_REQUEST(VERSION, drm_version, kernel_get_version),
    DRM_REQUEST(GEM_CLOSE, drm_gem_close, kernel_close_handle),
    DRM_REQUEST(PRIME_HANDLE_TO_FD, drm_prime_handle, kernel_export_handle),
    DRM_REQUEST(PRIME_FD_TO_HANDLE, drm_prime_handle, kernel_import_handle),
    I915_REQUEST(GETPARAM, drm_i915_getparam, i915_get_parameter),
    I915_REQUEST(QUERY, drm_i915_query, i915_query),
    I915_REQUEST(GEM_CREATE, drm_i915_gem_create, create_object),
    I915_REQUEST(GEM_CREATE_EXT, drm_i915_gem_create_ext, i915_create_placed_object),
    I915_REQUEST(GEM_USERPTR, drm_i915_gem_userptr, wrap_user_memory),
    I915_REQUEST(GEM_MMAP, drm_i915_gem_mmap, map_object),
    I915_REQUEST(GEM_MMAP_GTT, drm_i915_gem_mmap_offset, get_map_offset),
    I915_REQUEST(GEM_SET_DOMAIN, drm_i915_gem_set_domain, set_domain),
    I915_REQUEST(GEM_SET_TILING, drm_i915_gem_set_tiling, set_tiling),
    I915_REQUEST(GEM_GET_TILING, drm_i915_gem_get_tiling, get_tiling),
    I915_REQUEST(GEM_BUSY, drm_i915_gem_busy, is_busy),
    I915_REQUEST(GEM_WAIT, drm_i915_gem_wait, wait_object),
    I915_REQUEST(GEM_EXECBUFFER2, drm_i915_gem_execbuffer2, execute_batch),
    I915_REQUEST(GEM_CONTEXT_CREATE, drm_i915_gem_context_create_ext, i915_create_context),
    I915_REQUEST(GEM_CONTEXT_DESTROY, drm_i915_gem_context_destroy, i915_destroy_context),
    I915_REQUEST(GEM_CONTEXT_GETPARAM, drm_i915_gem_context_param, i915_get_context_parameter),
    I915_REQUEST(GEM_CONTEXT_SETPARAM, drm_i915_gem_context_param, i915_set_context_parameter),
    I915_REQUEST(GEM_VM_CREATE, drm_i915_gem_vm_control, create_space),
    I915_REQUEST(GEM_VM_DESTROY, drm_i915_gem_vm_control, destroy_space),
    I915_REQUEST(REG_READ, drm_i915_reg_read, read_register),
    I915_REQUEST(GET_RESET_STATS, drm_i915_reset_stats, get_reset_stats),
    DRM_REQUEST(GET_CAP, drm_get_cap, NULL),
    DRM_REQUEST(SYNCOBJ_CREATE, drm_syncobj_create, NULL),
    I915_REQUEST(PERF_OPEN, drm_i915_perf_open_param, NULL),
    I915_REQUEST(GEM_PREAD, drm_i915_gem_pread, NULL),
    I915_REQUEST(GEM_PWRITE, drm_i915_gem_pwrite, NULL),
    I915_REQUEST(GEM_MADVISE, drm_i915_gem_madvise, NULL),
    I915_REQUEST(GEM_SET_CACHING, drm_i915_gem_caching, NULL),
    I915_REQUEST(GEM_GET_CACHING, drm_i915_gem_caching, NULL),
};

static int handle_request(struct kernel_file *file, unsigned long number, void *argument)
{
    return kernel_request_run(file, requests, sizeof requests / sizeof requests[0], number, argument);
}

const struct kernel_interface i915_interface = {.name = "i915",
                                                .node = "/dev/dri/renderD128",
                                                .version = {1, 6},
                                                .ioctl = handle_request,
                                                .map = kernel_find_mapping};
