/* xe: address spaces, and what is bound in them. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include "sim/base/poll.h"
#include "sim/base/process.h"
#include "sim/kernel/requests.h"
#include "sim/kernel/xe/xe.h"

struct xe_space *xe_find_space(struct xe_file *own, uint32_t id)
{
    pthread_mutex_lock(&own->lock);
    struct xe_space *space = id > 0 && id <= own->space_count ? own->spaces[id - 1] : NULL;
    if (space)
        xe_space_reference(space);
    pthread_mutex_unlock(&own->lock);
    return space;
}

/* Gives the space an id, or releases it. */
static int publish(struct xe_file *own, struct xe_space *space, uint32_t *id)
{
    pthread_mutex_lock(&own->lock);
    struct xe_space **grown = realloc(own->spaces, (own->space_count + 1) * sizeof *grown);
    if (grown) {
        own->spaces = grown;
        grown[own->space_count++] = space;
        *id = own->space_count;
    }
    pthread_mutex_unlock(&own->lock);
    if (!grown)
        xe_space_release(space);
    return grown ? 0 : -ENOMEM;
}

int xe_create_space(struct kernel_file *file, void *argument)
{
    struct xe_vm_create *create = argument;
    const uint32_t known = XE_VM_SCRATCH_PAGE | XE_VM_LONG_RUNNING;
    if (create->extensions || !XE_IS_ZERO(create->reserved))
        return -EINVAL;
    /* Refuses unknown flags and page faults, which real platforms without them refuse too. */
    if (create->flags & ~known)
        return -EINVAL;
    if (!(create->flags & XE_VM_LONG_RUNNING))
        sim_process_stop("xe: VM_CREATE: a space whose batches are short (flags 0x%x) is not implemented",
                         create->flags);
    struct xe_space *space = xe_space_create(create->flags & XE_VM_SCRATCH_PAGE);
    return space ? publish(xe_file_of(file), space, &create->vm) : -ENOMEM;
}

static bool has_queue(const struct xe_file *own, uint32_t space)
{
    for (uint32_t i = 0; i < own->queue_count; i++)
        if (own->queues[i].space == space)
            return true;
    return false;
}

int xe_destroy_space(struct kernel_file *file, void *argument)
{
    const struct xe_vm_destroy *destroy = argument;
    struct xe_file *own = xe_file_of(file);
    struct xe_space *space = NULL;
    if (destroy->pad || !XE_IS_ZERO(destroy->reserved))
        return -EINVAL;
    pthread_mutex_lock(&own->lock);
    int error = destroy->vm == 0 || destroy->vm > own->space_count || !own->spaces[destroy->vm - 1] ? -ENOENT
                : has_queue(own, destroy->vm)                                                       ? -EBUSY
                                                                                                    : 0;
    if (!error) {
        space = own->spaces[destroy->vm - 1];
        own->spaces[destroy->vm - 1] = NULL;
    }
    pthread_mutex_unlock(&own->lock);
    if (space)
        xe_space_release(space);
    return error;
}

/* Checks what does not depend on objects and memory. */
static int check_operation(const struct xe_bind_operation *bind)
{
    const uint32_t known = XE_BIND_READONLY | XE_BIND_IMMEDIATE | XE_BIND_NULL | XE_BIND_DUMPABLE;
    if (bind->extensions || bind->pad || bind->pad2 || !XE_IS_ZERO(bind->reserved))
        return -EINVAL;
    if (bind->operation > XE_BIND_PREFETCH || bind->flags & ~known)
        return -EINVAL;
    bool takes_object = bind->operation == XE_BIND_MAP || bind->operation == XE_BIND_UNMAP_ALL;
    if (takes_object != (bind->object != 0) && !(bind->flags & XE_BIND_NULL))
        return -EINVAL;
    if (bind->operation == XE_BIND_UNMAP_ALL)
        return bind->range || bind->address ? -EINVAL : 0;
    if (bind->range == 0 || bind->range % KERNEL_PAGE || bind->address % KERNEL_PAGE)
        return -EINVAL;
    return bind->range > XE_ADDRESS_LIMIT || bind->address > XE_ADDRESS_LIMIT - bind->range ? -EINVAL : 0;
}

static int map_object(struct kernel_file *file, struct xe_space *space, const struct xe_bind_operation *bind)
{
    struct object *object = object_find(&file->objects, bind->object);
    if (!object)
        return -ENOENT;
    int error = -EINVAL;
    if (bind->source % KERNEL_PAGE == 0 && bind->source <= object->size && bind->range <= object->size - bind->source)
        error = xe_space_map(space, bind->address, bind->range, object->host + bind->source, object);
    if (!error && bind->source == 0)
        object_bound(object, bind->address);
    object_release(object);
    return error;
}

static int map_user_memory(struct xe_space *space, const struct xe_bind_operation *bind)
{
    void *memory = (void *)(uintptr_t)bind->source;
    if (bind->source % KERNEL_PAGE)
        return -EINVAL;
    if (bind->source == 0 || bind->source >= XE_ADDRESS_LIMIT || bind->range > XE_ADDRESS_LIMIT - bind->source ||
        !kernel_user_is_mapped(memory, bind->range))
        return -EFAULT;
    return xe_space_map(space, bind->address, bind->range, memory, NULL);
}

static int unmap_object(struct kernel_file *file, struct xe_space *space, uint32_t handle)
{
    struct object *object = object_find(&file->objects, handle);
    if (!object)
        return -ENOENT;
    xe_space_unmap_object(space, object);
    object_release(object);
    return 0;
}

static int apply(struct kernel_file *file, struct xe_space *space, const struct xe_bind_operation *bind)
{
    if (bind->flags & XE_BIND_NULL)
        sim_process_stop("xe: VM_BIND: a range without memory (flag NULL) is not implemented");
    switch (bind->operation) {
    case XE_BIND_MAP: return map_object(file, space, bind);
    case XE_BIND_MAP_USER: return map_user_memory(space, bind);
    case XE_BIND_UNMAP: return xe_space_unmap(space, bind->address, bind->range);
    case XE_BIND_UNMAP_ALL: return unmap_object(file, space, bind->object);
    default: return 0; /* prefetch: all memory is where it is used */
    }
}

/* Reads the operations into a new array. */
static int read_operations(const struct xe_vm_bind *request, struct xe_bind_operation **operations)
{
    *operations = calloc(request->count, sizeof **operations);
    if (!*operations)
        return -ENOMEM;
    if (request->count == 1)
        **operations = request->one;
    else if (kernel_read_user(*operations, request->list, request->count * sizeof **operations))
        return -EFAULT;
    for (uint32_t i = 0; i < request->count; i++) {
        int error = check_operation(&(*operations)[i]);
        if (error)
            return error;
    }
    return 0;
}

/* Bindings are there when the request returns, so their fences are signalled at once. */
static int signal_fences(const struct xe_sync *fences, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (kernel_write_user(fences[i].address, &fences[i].value, sizeof fences[i].value))
            return -EFAULT;
    sim_poll_written();
    return 0;
}

int xe_bind(struct kernel_file *file, void *argument)
{
    const struct xe_vm_bind *request = argument;
    struct xe_bind_operation *operations = NULL;
    struct xe_sync *fences = NULL;
    if (request->extensions || request->pad || request->pad2 || !XE_IS_ZERO(request->reserved) || request->count == 0 ||
        request->count > 1u << 20)
        return -EINVAL;
    if (request->queue) /* only a queue of the class VM_BIND could be named, and none is made */
        return -ENOENT;
    struct xe_space *space = xe_find_space(xe_file_of(file), request->vm);
    if (!space)
        return -ENOENT;
    int error = read_operations(request, &operations);
    if (!error)
        error = xe_read_fences(request->syncs, request->sync_count, &fences);
    for (uint32_t i = 0; i < request->count && !error; i++)
        error = apply(file, space, &operations[i]);
    if (!error)
        error = signal_fences(fences, request->sync_count);
    free(operations);
    free(fences);
    xe_space_release(space);
    return error;
}
