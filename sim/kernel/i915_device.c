/* Answers i915 queries about the device from the platform's row. */
#include <errno.h>
#include <i915_drm.h>
#include "sim/kernel/i915.h"
#include "sim/kernel/i915_memory.h"

/* Returns the value of parameter `number`; 0 if i915 does not know it on these platforms. */
static int parameter_value(const struct platform *p, int number, int *value)
{
    bool has_masks = platform_has(p, FEATURE_SUBSLICE_MASKS);
    switch (number) {
    case I915_PARAM_CHIPSET_ID: *value = (int)p->pci_id; return 1;
    case I915_PARAM_REVISION: *value = (int)p->revision; return 1;
    case I915_PARAM_EU_TOTAL: *value = (int)(p->slices * p->subslices * p->eus); return 1;
    case I915_PARAM_SUBSLICE_TOTAL: *value = (int)(p->slices * p->subslices); return 1;
    case I915_PARAM_HAS_LLC: *value = !i915_is_discrete(p); return 1;
    case I915_PARAM_SLICE_MASK: *value = (int)((1u << p->slices) - 1); return has_masks;
    case I915_PARAM_SUBSLICE_MASK: *value = has_masks ? (int)((1u << p->subslices) - 1) : 0; return has_masks;
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
