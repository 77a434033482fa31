/* Loads zebins and SPIR-V as Level Zero modules. */
#include "runtime/level_zero/level_zero.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "runtime/spirv.h"

/* Returns our name of the GPU (as ocloc spells it). NULL: the platform table lacks it. */
static const char *platform_of(const struct level_zero_device *device)
{
    const struct platform *platform = level_zero_row_of(device);
    return platform ? platform->ocloc : NULL;
}

static enum cmrt_status wrong_platform(const struct level_zero_device *device, const char *path,
                                       const struct zebin *zebin)
{
    const char *platform = platform_of(device);
    return cmrt_fail(CMRT_WRONG_PLATFORM, "%s%sthe program was compiled for %s, the device is %s%s%s%s",
                     path ? path : "", path ? ": " : "", zebin->product ? zebin->product : "another GPU",
                     platform ? platform : "", platform ? " (" : "", device->common.name, platform ? ")" : "");
}

/* Reads a module's build log in one line; "" where there is none. */
static void read_log(ze_module_build_log_handle_t log, char *text, size_t size)
{
    size_t length = 0;
    char *all = NULL;
    text[0] = '\0';
    if (zeModuleBuildLogGetString(log, &length, NULL) == ZE_RESULT_SUCCESS && length)
        all = calloc(1, length + 1);
    if (all && zeModuleBuildLogGetString(log, &length, all) == ZE_RESULT_SUCCESS)
        snprintf(text, size, "%s", all + strspn(all, " \n"));
    free(all);
    for (size_t end = strlen(text); end && strchr(" \n", text[end - 1]);)
        text[--end] = '\0';
    for (char *at = text; (at = strchr(at, '\n'));)
        *at = ' ';
}

static enum cmrt_status create_module(struct level_zero_device *device, const char *path,
                                      const ze_module_desc_t *description, struct level_zero_program *program)
{
    ze_module_build_log_handle_t log = NULL;
    ze_result_t result = zeModuleCreate(device->context, device->handle, description, &program->module, &log);
    char text[400] = "";
    if (result != ZE_RESULT_SUCCESS && log)
        read_log(log, text, sizeof text);
    if (log)
        zeModuleBuildLogDestroy(log);
    if (result == ZE_RESULT_ERROR_INVALID_NATIVE_BINARY && program->common.contents.product && !*text)
        return cmrt_fail(CMRT_BAD_FILE, "%s: the driver for %s does not take this program, which was compiled for %s",
                         path ? path : "program", device->common.name, program->common.contents.product);
    if (result == ZE_RESULT_ERROR_MODULE_BUILD_FAILURE)
        return cmrt_fail(CMRT_BAD_FILE, "%s: the driver for %s does not take this program: %s", path ? path : "program",
                         device->common.name, *text ? text : "it gives no reason");
    if (result != ZE_RESULT_SUCCESS && *text)
        return cmrt_fail(CMRT_DRIVER, "zeModuleCreate failed: %s: %s", level_zero_result_name(result), text);
    return level_zero_check(result, "zeModuleCreate");
}

/* Puts the program's path before the message of a failure. */
static enum cmrt_status of_file(enum cmrt_status status, const char *path)
{
    char why[512];
    if (!status || !path)
        return status;
    snprintf(why, sizeof why, "%s", cmrt_message());
    return cmrt_fail(status, "%s: %s", path, why);
}

static enum cmrt_status load_zebin(struct level_zero_device *device, const char *path, const void *bytes, size_t size,
                                   struct level_zero_program *program)
{
    struct zebin *zebin = &program->common.contents;
    enum cmrt_status status = of_file(zebin_read(bytes, size, zebin), path);
    const char *platform = platform_of(device);
    /* Checked here because the driver would quietly recompile an ocloc program from the SPIR-V beside it. */
    if (!status && platform && !zebin_fits(zebin, platform))
        status = wrong_platform(device, path, zebin);
    ze_module_desc_t description = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                    .format = ZE_MODULE_FORMAT_NATIVE,
                                    .inputSize = size,
                                    .pInputModule = bytes};
    return status ? status : create_module(device, path, &description, program);
}

/* Describes the kernels of a module by the binary that the driver made. BAD_FILE: the driver made no zebin. */
static enum cmrt_status describe_module(const char *path, struct level_zero_program *program)
{
    size_t length = 0;
    enum cmrt_status status = ZE(zeModuleGetNativeBinary(program->module, &length, NULL));
    uint8_t *compiled = status ? NULL : malloc(length + 1);
    if (!status && !compiled)
        status = cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    if (!status)
        status = ZE(zeModuleGetNativeBinary(program->module, &length, compiled));
    if (!status)
        status = of_file(zebin_read(compiled, length, &program->common.contents), path);
    free(compiled);
    return status;
}

/* The driver compiles. Older drivers (seen with 22.43) make a zebin only when asked; newer ones always do, and refuse
 * the option that asks. */
static enum cmrt_status load_spirv(struct level_zero_device *device, const char *path, const void *bytes, size_t size,
                                   struct level_zero_program *program)
{
    static const char *const flags[] = {"-vc-codegen", "-vc-codegen -cl-intel-allow-zebin"};
    enum cmrt_status status = of_file(spirv_check(bytes, size), path);
    if (status)
        return status;
    status = CMRT_BAD_FILE;
    for (size_t n = 0; n < sizeof flags / sizeof *flags && status == CMRT_BAD_FILE; n++) {
        ze_module_desc_t description = {.stype = ZE_STRUCTURE_TYPE_MODULE_DESC,
                                        .format = ZE_MODULE_FORMAT_IL_SPIRV,
                                        .inputSize = size,
                                        .pInputModule = bytes,
                                        .pBuildFlags = flags[n]};
        if (program->module)
            zeModuleDestroy(program->module);
        program->module = NULL;
        status = create_module(device, path, &description, program);
        if (status)
            return status;
        status = describe_module(path, program);
    }
    return status;
}

enum cmrt_status level_zero_program_load(cmrt_device *base, const char *path, const void *bytes, size_t size,
                                         cmrt_program **out)
{
    struct level_zero_device *device = level_zero_device_of(base);
    struct level_zero_program *program = calloc(1, sizeof *program);
    if (!program)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    program->common.device = base;
    enum cmrt_status status = spirv_recognise(bytes, size) ? load_spirv(device, path, bytes, size, program)
                                                           : load_zebin(device, path, bytes, size, program);
    if (status) {
        if (program->module)
            zeModuleDestroy(program->module);
        zebin_free(&program->common.contents);
        free(program);
        return status;
    }
    *out = &program->common;
    return CMRT_OK;
}

void level_zero_program_close(cmrt_program *program)
{
    zeModuleDestroy(((struct level_zero_program *)program)->module);
    free(program);
}
