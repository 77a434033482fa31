/* Declares the request handlers of the i915 interface that have files of their own. See sim/kernel/i915.c. */
#ifndef CMKIT_SIM_KERNEL_I915_H
#define CMKIT_SIM_KERNEL_I915_H

#include "sim/kernel/kernel.h"

#define I915_ADDRESS_LIMIT (UINT64_C(1) << 48)

/* i915_memory.c */
int i915_create_placed_object(struct kernel_file *file, void *argument);

/* i915_device.c: facts of the device */
int i915_get_parameter(struct kernel_file *file, void *argument);

/* i915_query.c */
int i915_query(struct kernel_file *file, void *argument);

/* i915_context.c */
int i915_create_context(struct kernel_file *file, void *argument);
int i915_destroy_context(struct kernel_file *file, void *argument);
int i915_get_context_parameter(struct kernel_file *file, void *argument);
int i915_set_context_parameter(struct kernel_file *file, void *argument);

#endif
