/* Implements i915 contexts and their parameters. */
#include <errno.h>
#include <i915_drm.h>
#include <stddef.h>
#include <string.h>
#include "sim/kernel/i915.h"
#include "sim/kernel/i915_memory.h"
#include "sim/base/process.h"

static enum stream_engine engine_of_class(uint16_t class)
{
    return class == I915_ENGINE_CLASS_COPY      ? STREAM_COPY
           : class == I915_ENGINE_CLASS_COMPUTE ? STREAM_COMPUTE
                                                : STREAM_RENDER;
}

/* Applies the chain of extensions at `address` to the new context `id`. */
static int apply_extensions(struct kernel_file *file, uint64_t address, uint32_t id)
{
    for (int depth = 0; address; depth++) {
        struct drm_i915_gem_context_create_ext_setparam extension;
        if (depth == 64)
            return -E2BIG;
        if (kernel_read_user(&extension, address, sizeof extension))
            return -EFAULT;
        if (extension.base.name != I915_CONTEXT_CREATE_EXT_SETPARAM || extension.base.flags || extension.param.ctx_id)
            return -EINVAL;
        extension.param.ctx_id = id;
        int error = i915_set_context_parameter(file, &extension.param);
        if (error)
            return error;
        address = extension.base.next_extension;
    }
    return 0;
}

int i915_create_context(struct kernel_file *file, void *argument)
{
    struct drm_i915_gem_context_create_ext *create = argument;
    const uint32_t known = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS | I915_CONTEXT_CREATE_FLAGS_SINGLE_TIMELINE;
    if (create->flags & ~known)
        return -EINVAL;
    uint32_t id;
    int error = context_create(&file->contexts, 0, &id);
    if (!error && create->flags & I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS) {
        error = apply_extensions(file, create->extensions, id);
        if (error)
            context_destroy(&file->contexts, id);
    }
    if (!error)
        create->ctx_id = id;
    return error;
}

int i915_destroy_context(struct kernel_file *file, void *argument)
{
    const struct drm_i915_gem_context_destroy *destroy = argument;
    return destroy->pad ? -EINVAL : context_destroy(&file->contexts, destroy->ctx_id);
}

/* Returns the slices, subslices and EUs that a context uses: always all of them. */
static int get_engine_size(struct kernel_file *file, struct drm_i915_gem_context_param *parameter)
{
    const struct platform *platform = file->device->platform;
    struct drm_i915_gem_context_param_sseu sseu;
    if (parameter->size == 0) {
        parameter->size = sizeof sseu;
        return 0;
    }
    if (parameter->size < sizeof sseu)
        return -EINVAL;
    if (kernel_read_user(&sseu, parameter->value, sizeof sseu))
        return -EFAULT;
    if (sseu.flags || sseu.rsvd)
        return -EINVAL;
    sseu.slice_mask = (UINT64_C(1) << platform->slices) - 1;
    sseu.subslice_mask = (UINT64_C(1) << platform->subslices) - 1;
    sseu.min_eus_per_subslice = sseu.max_eus_per_subslice = (uint16_t)platform->eus;
    parameter->size = sizeof sseu;
    return kernel_write_user(parameter->value, &sseu, sizeof sseu);
}

int i915_get_context_parameter(struct kernel_file *file, void *argument)
{
    struct drm_i915_gem_context_param *parameter = argument;
    if (!context_exists(&file->contexts, parameter->ctx_id))
        return -ENOENT;
    uint64_t value = 0;
    switch (parameter->param) {
    case I915_CONTEXT_PARAM_GTT_SIZE: value = UINT64_C(1) << 48; break;
    case I915_CONTEXT_PARAM_BANNABLE:
    case I915_CONTEXT_PARAM_RECOVERABLE:
    case I915_CONTEXT_PARAM_PERSISTENCE: value = 1; break;
    case I915_CONTEXT_PARAM_PRIORITY:
    case I915_CONTEXT_PARAM_NO_ZEROMAP:
    case I915_CONTEXT_PARAM_NO_ERROR_CAPTURE: value = 0; break;
    case I915_CONTEXT_PARAM_SSEU: return get_engine_size(file, parameter);
    case I915_CONTEXT_PARAM_VM: {
        uint32_t space;
        int error = context_space(&file->contexts, parameter->ctx_id, &space);
        if (error)
            return error;
        value = space;
        break;
    }
    default: return -EINVAL;
    }
    parameter->size = 0;
    parameter->value = value;
    return 0;
}

/* The engines that the context's batches may name. One is all that a context has here: each has one queue. */
static int set_engines(struct kernel_file *file, const struct drm_i915_gem_context_param *parameter)
{
    struct {
        uint64_t extensions;
        struct i915_engine_class_instance engines[1];
    } list;
    if (parameter->size < sizeof list.extensions || (parameter->size - sizeof list.extensions) % sizeof list.engines[0])
        return -EINVAL;
    if (kernel_read_user(&list, parameter->value, parameter->size < sizeof list ? parameter->size : sizeof list))
        return -EFAULT;
    if (parameter->size != sizeof list.extensions + sizeof list.engines || list.extensions)
        sim_process_stop("i915: context %u: a list of %zu engines%s is not implemented, only one engine",
                         parameter->ctx_id, (parameter->size - sizeof list.extensions) / sizeof list.engines[0],
                         list.extensions ? " with extensions" : "");
    if (!i915_has_engine(file->device->platform, list.engines[0].engine_class, list.engines[0].engine_instance))
        return -ENOENT;
    return context_set_engine(&file->contexts, parameter->ctx_id, engine_of_class(list.engines[0].engine_class));
}

int i915_set_context_parameter(struct kernel_file *file, void *argument)
{
    const struct drm_i915_gem_context_param *parameter = argument;
    if (!context_exists(&file->contexts, parameter->ctx_id))
        return -ENOENT;
    int64_t priority = (int64_t)parameter->value;
    switch (parameter->param) {
    case I915_CONTEXT_PARAM_PRIORITY: /* contexts run side by side: there is nothing to prefer */
        return parameter->size || priority > 1023 || priority < -1023 ? -EINVAL : 0;
    case I915_CONTEXT_PARAM_BANNABLE:
    case I915_CONTEXT_PARAM_RECOVERABLE: /* a hang ends the program, so nothing is banned or recovered */
    case I915_CONTEXT_PARAM_PERSISTENCE: return parameter->size ? -EINVAL : 0;
    case I915_CONTEXT_PARAM_SSEU: /* sizes change speed only */
        return parameter->size < sizeof(struct drm_i915_gem_context_param_sseu) ? -EINVAL : 0;
    case I915_CONTEXT_PARAM_ENGINES: return set_engines(file, parameter);
    case I915_CONTEXT_PARAM_VM:
        if (parameter->size || parameter->value > UINT32_MAX)
            return -EINVAL;
        return context_set_space(&file->contexts, parameter->ctx_id, (uint32_t)parameter->value);
    default: return -EINVAL;
    }
}
