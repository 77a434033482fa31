/* i915: queries whose answers are structures. One row each in `queries`. */
#include <errno.h>
#include <i915_drm.h>
#include <stddef.h>
#include <string.h>
#include "sim/kernel/hardware_config.h"
#include "sim/kernel/i915.h"
#include "sim/kernel/i915_memory.h"

/* The topology: one mask of slices, one of subslices per slice, one of EUs per subslice; all present. */
struct topology {
    struct drm_i915_query_topology_info info;
    uint8_t masks[512];
};

static size_t fill_topology(const struct platform *p, struct topology *topology)
{
    size_t subslice_stride = (p->subslices + 7) / 8, eu_stride = (p->eus + 7) / 8;
    size_t subslice_offset = (p->slices + 7) / 8, eu_offset = subslice_offset + p->slices * subslice_stride;
    topology->info.max_slices = (uint16_t)p->slices;
    topology->info.max_subslices = (uint16_t)p->subslices;
    topology->info.max_eus_per_subslice = (uint16_t)p->eus;
    topology->info.subslice_offset = (uint16_t)subslice_offset;
    topology->info.subslice_stride = (uint16_t)subslice_stride;
    topology->info.eu_offset = (uint16_t)eu_offset;
    topology->info.eu_stride = (uint16_t)eu_stride;
    for (unsigned slice = 0; slice < p->slices; slice++) {
        topology->masks[slice / 8] |= (uint8_t)(1u << slice % 8);
        for (unsigned sub = 0; sub < p->subslices; sub++) {
            topology->masks[subslice_offset + slice * subslice_stride + sub / 8] |= (uint8_t)(1u << sub % 8);
            for (unsigned eu = 0; eu < p->eus; eu++)
                topology->masks[eu_offset + (slice * p->subslices + sub) * eu_stride + eu / 8] |=
                    (uint8_t)(1u << eu % 8);
        }
    }
    return offsetof(struct topology, masks) + eu_offset + p->slices * p->subslices * eu_stride;
}

/* Engines and regions are few; the answers' structures end in arrays without a length. */
enum { MOST_ROWS = 16 };

struct engines {
    struct drm_i915_query_engine_info info;
    struct drm_i915_engine_info rows[MOST_ROWS];
};

struct regions {
    struct drm_i915_query_memory_regions info;
    struct drm_i915_memory_region_info rows[MOST_ROWS];
};

union answer {
    struct topology topology;
    struct engines engines;
    struct regions regions;
    uint32_t hardware_config[HARDWARE_CONFIG_WORDS];
};

static size_t answer_topology(const struct platform *platform, union answer *answer)
{
    return fill_topology(platform, &answer->topology);
}

static size_t answer_engines(const struct platform *platform, union answer *answer)
{
    unsigned count = 0;
    for (int class; count < MOST_ROWS && (class = i915_engine_class(platform, count)) >= 0; count++)
        answer->engines.rows[count].engine.engine_class = (uint16_t)class;
    answer->engines.info.num_engines = count;
    return count ? offsetof(struct engines, rows) + count * sizeof answer->engines.rows[0] : 0;
}

static size_t answer_regions(const struct platform *platform, union answer *answer)
{
    const struct i915_region *region;
    unsigned count = 0;
    for (; count < MOST_ROWS && (region = i915_region(platform, count)) != NULL; count++) {
        struct drm_i915_memory_region_info *row = &answer->regions.rows[count];
        row->region.memory_class = region->class;
        row->probed_size = row->unallocated_size = region->bytes;
        row->probed_cpu_visible_size = row->unallocated_cpu_visible_size = region->bytes;
    }
    answer->regions.info.num_regions = count;
    return count ? offsetof(struct regions, rows) + count * sizeof answer->regions.rows[0] : 0;
}

static size_t answer_hardware_config(const struct platform *platform, union answer *answer)
{
    return hardware_config_fill(platform, answer->hardware_config);
}

/* ANSWER fills the structure and gives its size; 0: the platform does not have the query. */
static const struct {
    uint64_t id;
    size_t (*answer)(const struct platform *platform, union answer *answer);
} queries[] = {
    {DRM_I915_QUERY_TOPOLOGY_INFO, answer_topology},
    {DRM_I915_QUERY_ENGINE_INFO, answer_engines},
    {DRM_I915_QUERY_MEMORY_REGIONS, answer_regions},
    {DRM_I915_QUERY_HWCONFIG_BLOB, answer_hardware_config},
};

/* The answer to one item: its length, or a negative errno value in its place, as the interface has it. */
static int32_t answer_item(struct kernel_file *file, const struct drm_i915_query_item *item)
{
    union answer answer;
    size_t size = 0;
    memset(&answer, 0, sizeof answer);
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++)
        if (queries[i].id == item->query_id && !item->flags)
            size = queries[i].answer(file->device->platform, &answer);
    if (size == 0)
        return -EINVAL;
    if (item->length == 0)
        return (int32_t)size;
    if (item->length < 0 || (size_t)item->length < size)
        return -EINVAL;
    return kernel_write_user(item->data_ptr, &answer, size) ? -EFAULT : (int32_t)size;
}

int i915_query(struct kernel_file *file, void *argument)
{
    const struct drm_i915_query *query = argument;
    if (query->flags)
        return -EINVAL;
    for (uint32_t i = 0; i < query->num_items; i++) {
        struct drm_i915_query_item item;
        uint64_t at = query->items_ptr + i * sizeof item;
        if (kernel_read_user(&item, at, sizeof item))
            return -EFAULT;
        item.length = answer_item(file, &item);
        if (kernel_write_user(at, &item, sizeof item))
            return -EFAULT;
    }
    return 0;
}
