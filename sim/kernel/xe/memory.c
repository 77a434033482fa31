/* xe: buffer objects. All memory is the host's: where an object is to lie says only how large its pages are. */
#include <errno.h>
#include "sim/kernel/requests.h"
#include "sim/kernel/xe/xe.h"

enum { DEFER_BACKING = 1, SCANOUT = 2, NEEDS_VISIBLE_VRAM = 4 };
enum { WRITE_BACK = 1, WRITE_COMBINED = 2 };
enum { SYSTEM_MASK = 1 }; /* the system's region is the first of each platform */

static int check_creation(struct kernel_file *file, const struct xe_gem_create *create)
{
    if (create->extensions || create->handle || !XE_IS_ZERO(create->pad) || !XE_IS_ZERO(create->reserved))
        return -EINVAL;
    if (create->flags & ~(uint32_t)(DEFER_BACKING | SCANOUT | NEEDS_VISIBLE_VRAM) || !create->placement)
        return -EINVAL;
    if (create->size == 0 || create->size % KERNEL_PAGE || create->size > XE_ADDRESS_LIMIT)
        return -EINVAL;
    bool is_vram = create->placement & ~(uint32_t)SYSTEM_MASK;
    if (create->cpu_caching != WRITE_COMBINED && (create->cpu_caching != WRITE_BACK || is_vram))
        return -EINVAL;
    if (create->flags & NEEDS_VISIBLE_VRAM && !is_vram)
        return -EINVAL;
    struct xe_space *space = create->vm ? xe_find_space(xe_file_of(file), create->vm) : NULL;
    if (space)
        xe_space_release(space);
    return create->vm && !space ? -ENOENT : 0;
}

int xe_create_object(struct kernel_file *file, void *argument)
{
    struct xe_gem_create *create = argument;
    uint64_t page = KERNEL_PAGE;
    int error = check_creation(file, create);
    if (error)
        return error;
    if (xe_find_regions(file->device->platform, create->placement, &page))
        return -EINVAL;
    return kernel_publish(file, object_create((create->size + page - 1) & ~(page - 1)), &create->handle);
}

int xe_get_map_offset(struct kernel_file *file, void *argument)
{
    struct xe_gem_mmap_offset *map = argument;
    if (map->extensions || map->flags ||
        !XE_IS_ZERO(map->reserved)) /* flag 1, a barrier page, is of some platforms only */
        return -EINVAL;
    struct object *object = object_find(&file->objects, map->handle);
    if (!object)
        return -ENOENT;
    object_release(object);
    map->offset = kernel_map_offset(map->handle);
    return 0;
}
