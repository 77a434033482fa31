/* Describes the memory regions and engines of a platform: rows of tables/kernel_devices.def. */
#ifndef CMKIT_SIM_KERNEL_I915_MEMORY_H
#define CMKIT_SIM_KERNEL_I915_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include "tables/platforms.h"

struct i915_region {
    enum platform_id platform;
    uint16_t class; /* enum drm_i915_gem_memory_class */
    uint64_t bytes, page;
};

/* The part's region `index`, or NULL. */
const struct i915_region *i915_region(const struct platform *platform, unsigned index);

/* The part's region of the class and instance, or NULL. */
const struct i915_region *i915_region_find(const struct platform *platform, uint16_t class, uint16_t instance);

/* True if the platform has memory of its own. */
bool i915_is_discrete(const struct platform *platform);

/* The class of the platform's engine `index`; -1: there is none. */
int i915_engine_class(const struct platform *platform, unsigned index);

/* True if the platform lists an engine of that class and instance. */
bool i915_has_engine(const struct platform *platform, uint16_t class, uint16_t instance);

#endif
