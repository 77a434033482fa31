/* Loads programs for the CPU: shared libraries that cmc made, by the interface of tables/host_abi.h. */
#include "runtime/host/host.h"

#include <assert.h>
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

enum { MAXIMUM_ARGUMENTS = 1024, MAXIMUM_KERNELS = 65536 };

static enum cmrt_argument_kind kind_of(const struct cm_host_argument *argument)
{
    switch (argument->kind) {
    case CM_HOST_SURFACE:
        return strncmp(argument->type, "image", 5) == 0    ? CMRT_ARGUMENT_IMAGE
               : strncmp(argument->type, "buffer", 6) == 0 ? CMRT_ARGUMENT_BUFFER
                                                           : CMRT_ARGUMENT_UNKNOWN;
    case CM_HOST_SAMPLER: return CMRT_ARGUMENT_SAMPLER;
    case CM_HOST_SVMPTR:
    case CM_HOST_POINTER: return CMRT_ARGUMENT_BUFFER;
    case CM_HOST_LOCAL: return CMRT_ARGUMENT_LOCAL;
    default: return CMRT_ARGUMENT_VALUE;
    }
}

static enum cmrt_status describe_kernel(const struct cm_host_kernel *code, struct cmrt_kernel_info *info)
{
    if (code->version != CM_HOST_ABI_VERSION)
        return cmrt_fail(CMRT_BAD_FILE, "made for version %u of the host interface, this is %u", code->version,
                         CM_HOST_ABI_VERSION);
    if (code->argument_count > MAXIMUM_ARGUMENTS)
        return cmrt_fail(CMRT_BAD_FILE, "a kernel with %u arguments", code->argument_count);
    struct cmrt_argument *arguments = calloc(code->argument_count + 1, sizeof *arguments);
    if (!arguments)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    enum cmrt_status status = zebin_set_text(&info->name, code->name, strlen(code->name));
    info->simd_size = 1;
    info->arguments = arguments;
    info->argument_count = code->argument_count;
    for (uint32_t i = 0; i < code->argument_count; i++) {
        arguments[i].kind = kind_of(&code->arguments[i]);
        arguments[i].access = CMRT_READ_WRITE;
        arguments[i].bytes = code->arguments[i].bytes;
        arguments[i].media_block = strncmp(code->arguments[i].type, "image2d_media_block_t", 21) == 0;
        arguments[i].dimensions = image_type_dimensions(code->arguments[i].type);
        const char *name = code->arguments[i].name, *type = code->arguments[i].declared;
        if (!status)
            status = zebin_set_text(&arguments[i].name, name, strlen(name));
        if (!status)
            status = zebin_set_text(&arguments[i].type, type, strlen(type));
    }
    return status;
}

static enum cmrt_status describe(struct host_program *program)
{
    struct zebin *contents = &program->common.contents;
    size_t count = 0;
    while (count < MAXIMUM_KERNELS && program->kernels[count])
        count++;
    contents->product = "cpu";
    contents->kernels = calloc(count + 1, sizeof *contents->kernels);
    if (!contents->kernels)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    for (size_t i = 0; i < count; i++) {
        contents->kernel_count = i + 1;
        enum cmrt_status status = describe_kernel(program->kernels[i], &contents->kernels[i]);
        if (status)
            return status;
    }
    return CMRT_OK;
}

void host_program_close(cmrt_program *base)
{
    struct host_program *program = (struct host_program *)base;
    if (program->library)
        dlclose(program->library);
    free(program);
}

enum cmrt_status host_program_load(cmrt_device *device, const char *path, const void *bytes, size_t size,
                                   cmrt_program **out)
{
    assert(device && out && (path || bytes));
    (void)bytes, (void)size;
    if (!path)
        return cmrt_fail(CMRT_BAD_FILE, "programs for the CPU are loaded from files");
    char *full = realpath(path, NULL); /* a name without '/' would be looked up among the system's libraries */
    struct host_program *program = calloc(1, sizeof *program);
    if (!full || !program) {
        free(full);
        free(program);
        return cmrt_fail(CMRT_NO_MEMORY, "%s: out of memory", path);
    }
    program->common.device = device;
    program->library = dlopen(full, RTLD_NOW | RTLD_LOCAL);
    free(full);
    enum cmrt_status status = CMRT_OK;
    if (!program->library)
        status = cmrt_fail(CMRT_BAD_FILE, "%s", dlerror());
    else if (!(program->kernels = dlsym(program->library, "cm_host_kernels")))
        status = cmrt_fail(CMRT_BAD_FILE, "%s: a shared library, but not one that cmc made: no cm_host_kernels", path);
    else
        status = describe(program);
    if (status) {
        zebin_free(&program->common.contents);
        host_program_close(&program->common);
        return status;
    }
    *out = &program->common;
    return CMRT_OK;
}
