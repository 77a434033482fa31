/* Implements the public calls on programs: reads a file, recognises whether it is for the GPU or the CPU, loads it. */
#include "runtime/describe.h"
#include "runtime/fat.h"
#include "runtime/file.h"
#include "runtime/internal.h"
#include "runtime/spirv.h"
#include "text/json.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static enum cmrt_status read_file(const char *path, void **bytes, size_t *size)
{
    if (file_read(path, bytes, size) == 0)
        return CMRT_OK;
    return cmrt_fail(errno == ENOMEM ? CMRT_NO_MEMORY : CMRT_BAD_FILE, "%s: %s", path, strerror(errno));
}

static int is_elf(const void *bytes, size_t size)
{
    return size > 20 && memcmp(bytes, "\177ELF", 4) == 0;
}

/* Recognises the target that runs these bytes. BAD_FILE, with advice, if none does. */
static enum cmrt_status recognise(const char *path, const void *bytes, size_t size, enum cmrt_target *target)
{
    const unsigned char *b = bytes;
    *target = CMRT_TARGET_GPU;
    if (zebin_recognise(bytes, size) || fat_recognise(bytes, size) || spirv_recognise(bytes, size))
        return CMRT_OK;
    if (is_elf(bytes, size) && b[16] == 3) { /* ET_DYN: a shared library */
        *target = CMRT_TARGET_CPU;
        return CMRT_OK;
    }
    if (is_elf(bytes, size))
        return cmrt_fail(CMRT_BAD_FILE,
                         "%s: an ELF file, but neither a zebin (ocloc needs --format zebin) nor a shared library",
                         path);
    return cmrt_fail(CMRT_BAD_FILE, "%s: neither a zebin nor a fat binary nor SPIR-V nor a shared library", path);
}

enum cmrt_status cmrt_file_target(const char *path, enum cmrt_target *target)
{
    void *bytes;
    size_t size;
    CMRT_NEEDS(path);
    CMRT_NEEDS(target);
    enum cmrt_status status = read_file(path, &bytes, &size);
    if (status)
        return status;
    status = recognise(path, bytes, size, target);
    free(bytes);
    return status;
}

/* Puts the file's name in front of the message. */
static enum cmrt_status about(const char *path, enum cmrt_status status)
{
    char why[512];
    if (!status || !path)
        return status;
    snprintf(why, sizeof why, "%s", cmrt_message());
    return cmrt_fail(status, "%s: %s", path, why);
}

/* Loads the zebin of a fat binary that is for the device. */
static enum cmrt_status load_fat(cmrt_device *device, const char *path, const void *bytes, size_t size,
                                 cmrt_program **program)
{
    void *zebin;
    size_t zebin_size;
    if (device->target == CMRT_TARGET_CPU)
        return about(path, cmrt_fail(CMRT_WRONG_PLATFORM, "a fat binary for GPUs, the device is the CPU"));
    enum cmrt_status status = about(path, fat_select(bytes, size, device->platform, &zebin, &zebin_size));
    if (status)
        return status;
    status = device->backend->program_load(device, path, zebin, zebin_size, program);
    free(zebin);
    return status;
}

enum cmrt_status cmrt_program_load(cmrt_device *device, const char *path, cmrt_program **program)
{
    CMRT_MAKES(program);
    CMRT_NEEDS(device);
    CMRT_NEEDS(path);
    void *bytes;
    size_t size;
    enum cmrt_target target;
    enum cmrt_status status = read_file(path, &bytes, &size);
    if (status)
        return status;
    status = recognise(path, bytes, size, &target);
    if (!status && fat_recognise(bytes, size))
        status = load_fat(device, path, bytes, size, program);
    else if (!status)
        status = device->backend->program_load(device, path, bytes, size, program);
    free(bytes);
    return status;
}

enum cmrt_status cmrt_program_load_memory(cmrt_device *device, const void *bytes, size_t size, cmrt_program **program)
{
    CMRT_MAKES(program);
    CMRT_NEEDS(device);
    CMRT_NEEDS(bytes);
    if (fat_recognise(bytes, size))
        return load_fat(device, NULL, bytes, size, program);
    return device->backend->program_load(device, NULL, bytes, size, program);
}

/* A program of the "no device" backend: it has the file's description only. */
static void inspected_close(cmrt_program *program)
{
    cmrt_device *device = program->device;
    free(program);
    free(device);
}

static const struct cmrt_backend no_device = {.program_close = inspected_close};

static enum cmrt_status inspect_zebin(const char *path, const void *bytes, size_t size, cmrt_program **out)
{
    cmrt_program *program = calloc(1, sizeof *program);
    cmrt_device *device = calloc(1, sizeof *device);
    enum cmrt_status status =
        program && device ? zebin_read(bytes, size, &program->contents) : cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    if (status) {
        free(program);
        free(device);
        return about(path, status);
    }
    device->backend = &no_device;
    program->device = device;
    *out = program;
    return CMRT_OK;
}

/* Describes the first zebin: the kernels of the others have the same names and arguments. */
static enum cmrt_status inspect_fat(const char *path, const void *bytes, size_t size, cmrt_program **out)
{
    void *zebin;
    size_t zebin_size;
    enum cmrt_status status = about(path, fat_select(bytes, size, NULL, &zebin, &zebin_size));
    if (status)
        return status;
    status = inspect_zebin(path, zebin, zebin_size, out);
    free(zebin);
    return status;
}

enum cmrt_status cmrt_program_inspect(const char *path, cmrt_program **program)
{
    CMRT_MAKES(program);
    CMRT_NEEDS(path);
    void *bytes;
    size_t size;
    enum cmrt_target target;
    enum cmrt_status status = read_file(path, &bytes, &size);
    if (status)
        return status;
    status = recognise(path, bytes, size, &target);
    if (!status && spirv_recognise(bytes, size))
        status = cmrt_fail(CMRT_NO_DEVICE, "%s: SPIR-V, whose kernels are known when a driver has compiled it", path);
    else if (!status && target == CMRT_TARGET_CPU)
        status = host_inspect(path, program);
    else if (!status && fat_recognise(bytes, size))
        status = inspect_fat(path, bytes, size, program);
    else if (!status)
        status = inspect_zebin(path, bytes, size, program);
    free(bytes);
    return status;
}

/* Prints the object of cmrt_program_describe(). */
static enum cmrt_status describe(const char *path, const void *bytes, size_t size, FILE *out)
{
    void *zebin;
    size_t zebin_size, count = 0;
    enum cmrt_status status = CMRT_OK;
    fputs("{\"file\": ", out);
    json_string(path, out);
    fputs(", \"programs\": [", out);
    if (!fat_recognise(bytes, size)) {
        status = describe_zebin(bytes, size, out);
    } else {
        while (!status && (status = fat_zebin(bytes, size, count, &zebin, &zebin_size)) == CMRT_OK) {
            fputs(count++ ? ",\n" : "", out);
            status = describe_zebin(zebin, zebin_size, out);
            free(zebin);
        }
        status = status == CMRT_NO_KERNEL && count ? CMRT_OK : status;
    }
    fputs("]}\n", out);
    return status;
}

enum cmrt_status cmrt_program_describe(const char *path, char **json)
{
    void *bytes;
    size_t size, length;
    enum cmrt_target target;
    CMRT_MAKES(json);
    CMRT_NEEDS(path);
    enum cmrt_status status = read_file(path, &bytes, &size);
    if (status)
        return status;
    status = recognise(path, bytes, size, &target);
    if (!status && (target == CMRT_TARGET_CPU || spirv_recognise(bytes, size)))
        status = cmrt_fail(CMRT_BAD_ARGUMENT, "%s: only zebins and fat binaries of them describe themselves", path);
    FILE *out = status ? NULL : open_memstream(json, &length);
    if (!status)
        status = out ? about(path, describe(path, bytes, size, out)) : cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    if (out)
        fclose(out);
    if (status) {
        free(*json);
        *json = NULL;
    }
    free(bytes);
    return status;
}

const char *cmrt_program_platform(const cmrt_program *program)
{
    return program ? program->contents.product : NULL;
}

size_t cmrt_program_kernel_count(const cmrt_program *program)
{
    return program ? program->contents.kernel_count : 0;
}

const struct cmrt_kernel_info *cmrt_program_kernel(const cmrt_program *program, size_t index)
{
    return program && index < program->contents.kernel_count ? &program->contents.kernels[index] : NULL;
}

void cmrt_program_close(cmrt_program *program)
{
    if (!program)
        return;
    zebin_free(&program->contents);
    program->device->backend->program_close(program);
}
