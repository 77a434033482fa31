/* i915: memory regions, engines, and objects that are made in a region. */
#include "sim/kernel/i915_memory.h"

#include <errno.h>
#include <i915_drm.h>
#include "sim/kernel/i915.h"
#include "sim/kernel/requests.h"

static const struct i915_region regions[] = {
#define SYSTEM                                          I915_MEMORY_CLASS_SYSTEM
#define DEVICE                                          I915_MEMORY_CLASS_DEVICE
#define MEMORY_REGION(PLATFORM, CLASS, MEGABYTES, PAGE) {PLATFORM_##PLATFORM, CLASS, UINT64_C(MEGABYTES) << 20, PAGE},
#include "tables/kernel_devices.def"
#undef SYSTEM
#undef DEVICE
};

static const struct engine {
    enum platform_id platform;
    uint16_t class;
} engines[] = {
#define RENDER                         I915_ENGINE_CLASS_RENDER
#define COPY                           I915_ENGINE_CLASS_COPY
#define COMPUTE                        I915_ENGINE_CLASS_COMPUTE
#define DEVICE_ENGINE(PLATFORM, CLASS) {PLATFORM_##PLATFORM, CLASS},
#include "tables/kernel_devices.def"
#undef RENDER
#undef COPY
#undef COMPUTE
};

const struct i915_region *i915_region(const struct platform *platform, unsigned index)
{
    for (size_t i = 0; i < sizeof regions / sizeof regions[0]; i++)
        if (regions[i].platform == platform->id && index-- == 0)
            return &regions[i];
    return NULL;
}

const struct i915_region *i915_region_find(const struct platform *platform, uint16_t class, uint16_t instance)
{
    const struct i915_region *region;
    for (unsigned i = 0; instance == 0 && (region = i915_region(platform, i)) != NULL; i++)
        if (region->class == class)
            return region;
    return NULL;
}

bool i915_is_discrete(const struct platform *platform)
{
    return i915_region_find(platform, I915_MEMORY_CLASS_DEVICE, 0) != NULL;
}

int i915_engine_class(const struct platform *platform, unsigned index)
{
    for (size_t i = 0; i < sizeof engines / sizeof engines[0]; i++)
        if (engines[i].platform == platform->id && index-- == 0)
            return engines[i].class;
    return -1;
}

bool i915_has_engine(const struct platform *platform, uint16_t class, uint16_t instance)
{
    int other;
    for (unsigned i = 0; instance == 0 && (other = i915_engine_class(platform, i)) >= 0; i++)
        if (other == class)
            return true;
    return false;
}

/* The smallest page that all regions of the list allow, in `*page`. */
static int read_placement(struct kernel_file *file, uint64_t address, uint64_t size, uint64_t *page)
{
    struct drm_i915_gem_create_ext_memory_regions list;
    if (kernel_read_user(&list, address, sizeof list))
        return -EFAULT;
    if (list.pad || list.num_regions == 0 || list.num_regions > 8)
        return -EINVAL;
    uint64_t largest = 0;
    for (uint32_t i = 0; i < list.num_regions; i++) {
        struct drm_i915_gem_memory_class_instance name;
        if (kernel_read_user(&name, list.regions + i * sizeof name, sizeof name))
            return -EFAULT;
        const struct i915_region *region =
            i915_region_find(file->device->platform, name.memory_class, name.memory_instance);
        if (!region)
            return -EINVAL;
        *page = region->page > *page ? region->page : *page;
        largest = region->bytes > largest ? region->bytes : largest;
    }
    return size > largest ? -E2BIG : 0;
}

/* The object's region decides only the size of its pages, because all memory is the host's. */
static int apply_extensions(struct kernel_file *file, uint64_t address, uint64_t size, uint64_t *page)
{
    bool is_placed = false;
    for (int depth = 0; address; depth++) {
        struct i915_user_extension extension;
        if (depth == 64)
            return -E2BIG;
        if (kernel_read_user(&extension, address, sizeof extension))
            return -EFAULT;
        if (extension.name == I915_GEM_CREATE_EXT_PROTECTED_CONTENT)
            return -ENODEV;
        if (extension.name != I915_GEM_CREATE_EXT_MEMORY_REGIONS || extension.flags || is_placed)
            return -EINVAL;
        int error = read_placement(file, address, size, page);
        if (error)
            return error;
        is_placed = true;
        address = extension.next_extension;
    }
    return 0;
}

int i915_create_placed_object(struct kernel_file *file, void *argument)
{
    struct drm_i915_gem_create_ext *create = argument;
    uint64_t page = 4096;
    if (create->flags & ~(uint32_t)I915_GEM_CREATE_EXT_FLAG_NEEDS_CPU_ACCESS || create->size == 0)
        return -EINVAL;
    int error = apply_extensions(file, create->extensions, create->size, &page);
    if (error)
        return error;
    if (create->size > I915_ADDRESS_LIMIT - page)
        return -EINVAL;
    create->size = (create->size + page - 1) & ~(page - 1);
    return kernel_publish(file, object_create(create->size), &create->handle);
}
