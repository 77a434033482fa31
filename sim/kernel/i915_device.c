/* Answers i915 queries about the device from the platform's row. */
#include <errno.h>
#include <i915_drm.h>
#include <stdlib.h>
#include <string.h>
#include "sim/kernel/i915.h"

/* Returns the value of parameter `number`; 0 if i915 does not know it on these platforms. */
static int parameter_value(const struct platform *p, int number, int *value)
{
    switch (number) {
    case I915_PARAM_CHIPSET_ID: *value = (int)p->pci_id; return 1;
    case I915_PARAM_REVISION: *value = (int)p->revision; return 1;
    case I915_PARAM_EU_TOTAL: *value = (int)(p->slices * p->subslices * p->eus); return 1;
    case I915_PARAM_SUBSLICE_TOTAL: *value = (int)(p->slices * p->subslices); return 1;
    case I915_PARAM_SLICE_MASK: *value = (int)((1u << p->slices) - 1); return 1;
    case I915_PARAM_SUBSLICE_MASK: *value = (int)((1u << p->subslices) - 1); return 1;
    case I915_PARAM_CS_TIMESTAMP_FREQUENCY: *value = (int)p->timestamp_hz; return 1;
    case I915_PARAM_HAS_POOLED_EU:
    case I915_PARAM_MIN_EU_IN_POOL: *value = 0; return 1;
    case I915_PARAM_HAS_SCHEDULER:
        *value = I915_SCHEDULER_CAP_ENABLED | I915_SCHEDULER_CAP_PRIORITY | I915_SCHEDULER_CAP_PREEMPTION;
        return 1;
    case I915_PARAM_MMAP_VERSION: *value = 1; return 1;
    case I915_PARAM_MMAP_GTT_VERSION: *value = 4; return 1; /* MMAP_OFFSET is there */
    case I915_PARAM_HAS_GEM:
    case I915_PARAM_HAS_EXECBUF2:
    case I915_PARAM_HAS_LLC:
    case I915_PARAM_HAS_WAIT_TIMEOUT:
    case I915_PARAM_HAS_EXEC_NO_RELOC:
    case I915_PARAM_HAS_EXEC_HANDLE_LUT:
    case I915_PARAM_HAS_EXEC_SOFTPIN:
    case I915_PARAM_HAS_EXEC_ASYNC:
    case I915_PARAM_HAS_EXEC_CAPTURE:
    case I915_PARAM_HAS_CONTEXT_ISOLATION:
    case I915_PARAM_HAS_USERPTR_PROBE: *value = 1; return 1;
    case I915_PARAM_HAS_ALIASING_PPGTT: *value = 3; return 1; /* full 48-bit address spaces */
    case I915_PARAM_HAS_BLT:
    case I915_PARAM_HAS_BSD:
    case I915_PARAM_HAS_BSD2:
    case I915_PARAM_HAS_VEBOX:
    case I915_PARAM_HAS_EXEC_FENCE:
    case I915_PARAM_HAS_EXEC_BATCH_FIRST:
    case I915_PARAM_HAS_EXEC_FENCE_ARRAY:
    case I915_PARAM_HAS_EXEC_SUBMIT_FENCE:
    case I915_PARAM_HAS_EXEC_TIMELINE_FENCES:
    case I915_PARAM_PERF_REVISION: *value = 0; return 1;
    default: return 0;
    }
}

int i915_get_parameter(struct kernel_file *file, void *argument)
{
    const struct drm_i915_getparam *get = argument;
    int value;
    if (!parameter_value(file->device->platform, get->param, &value))
        return -EINVAL;
    return kernel_write_user((uintptr_t)get->value, &value, sizeof value);
}

/* The topology: masks of slices, of subslices per slice, and of EUs per subslice; all are present. */
struct topology {
    struct drm_i915_query_topology_info info;
    uint8_t masks[512];
};

static size_t fill_topology(const struct platform *p, struct topology *topology)
{
    size_t subslice_stride = (p->subslices + 7) / 8, eu_stride = (p->eus + 7) / 8;
    size_t subslice_offset = (p->slices + 7) / 8, eu_offset = subslice_offset + p->slices * subslice_stride;
    memset(topology, 0, sizeof *topology);
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

/* Answers one query item. Returns its length, or a negative errno value in the same field, as the interface requires.
 */
static int32_t answer_item(struct kernel_file *file, const struct drm_i915_query_item *item)
{
    struct topology topology;
    if (item->query_id != DRM_I915_QUERY_TOPOLOGY_INFO || item->flags)
        return -EINVAL;
    size_t size = fill_topology(file->device->platform, &topology);
    if (item->length == 0)
        return (int32_t)size;
    if (item->length < 0 || (size_t)item->length < size)
        return -EINVAL;
    return kernel_write_user(item->data_ptr, &topology, size) ? -EFAULT : (int32_t)size;
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
