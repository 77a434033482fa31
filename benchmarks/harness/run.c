/* Serves the variants' run functions: objects of libcmrt that live for a repetition, and timed launches. */
#include "benchmarks/harness/worker.h"
#include "tables/platforms.h"

#include <stdlib.h>
#include <string.h>

enum { MAXIMUM_OBJECTS = 64, MAXIMUM_KERNELS = 16 };

struct bench_run {
    cmrt_device *device;
    cmrt_program *program;
    cmrt_queue *queue;
    cmrt_buffer *buffers[MAXIMUM_OBJECTS];
    cmrt_image *images[MAXIMUM_OBJECTS];
    cmrt_sampler *samplers[MAXIMUM_OBJECTS];
    size_t buffer_count, image_count, sampler_count;
    struct {
        char *name;
        cmrt_kernel *kernel;
    } kernels[MAXIMUM_KERNELS];
    size_t kernel_count;
    uint64_t nanoseconds;
};

/* Ends the worker if a call failed, with libcmrt's message as the reason. */
static void must(enum cmrt_status status)
{
    if (status)
        bench_fail("%s", cmrt_message());
}

static void check_needs(const cmrt_device *device, unsigned needs)
{
    static const struct {
        unsigned need;
        enum cmrt_feature feature;
        const char *name;
    } rows[] = {
        {BENCH_NEEDS_DOUBLE, CMRT_FEATURE_DOUBLE, "64-bit floats"},
        {BENCH_NEEDS_MEDIA_BLOCKS, CMRT_FEATURE_MEDIA_BLOCKS, "media block messages"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (needs & rows[i].need && !cmrt_device_has(device, rows[i].feature))
            bench_skip("the device %s has no %s", cmrt_device_name(device), rows[i].name);
}

unsigned bench_matrix_columns(const struct bench_run *run)
{
    const char *name = cmrt_device_platform(run->device);
    const struct platform *platform = name ? platform_find(name) : NULL;
    if (!platform || !platform_has(platform, FEATURE_DPAS))
        bench_skip("the device %s has no products of matrices, or is not known", cmrt_device_name(run->device));
    return platform->grf_bytes / sizeof(float);
}

struct bench_run *run_open(const char *program, unsigned needs, FILE *report)
{
    struct bench_run *run = calloc(1, sizeof *run);
    if (!run)
        bench_fail("out of memory");
    must(cmrt_device_open(CMRT_TARGET_GPU, &run->device));
    fprintf(report, "device %s\ndriver %s\n", cmrt_device_name(run->device), cmrt_device_driver(run->device));
    check_needs(run->device, needs);
    must(cmrt_program_load(run->device, program, &run->program));
    must(cmrt_queue_open(run->device, &run->queue));
    return run;
}

void run_begin(struct bench_run *run)
{
    run->nanoseconds = 0;
}

uint64_t run_end(struct bench_run *run)
{
    while (run->buffer_count)
        cmrt_buffer_close(run->buffers[--run->buffer_count]);
    while (run->image_count)
        cmrt_image_close(run->images[--run->image_count]);
    while (run->sampler_count)
        cmrt_sampler_close(run->samplers[--run->sampler_count]);
    return run->nanoseconds;
}

void run_list_kernels(struct bench_run *run, FILE *report)
{
    for (size_t i = 0; i < run->kernel_count; i++)
        fprintf(report, "kernel %s\n", run->kernels[i].name);
}

static void check_room(size_t count)
{
    if (count == MAXIMUM_OBJECTS)
        bench_fail("more than %d objects of a kind in one run", MAXIMUM_OBJECTS);
}

cmrt_buffer *bench_buffer(struct bench_run *run, const void *from, size_t bytes)
{
    cmrt_buffer *buffer;
    check_room(run->buffer_count);
    must(cmrt_buffer_open(run->device, CMRT_MEMORY_SHARED, bytes, &buffer));
    run->buffers[run->buffer_count++] = buffer;
    if (from)
        must(cmrt_buffer_write(run->queue, buffer, 0, from, bytes));
    else
        memset(cmrt_buffer_pointer(buffer), 0xcd, bytes);
    return buffer;
}

cmrt_buffer *bench_buffer_of(struct bench_run *run, const struct bench_array *array)
{
    return bench_buffer(run, array->data, bench_array_bytes(array));
}

cmrt_image *bench_image(struct bench_run *run, size_t width, size_t height, enum cmrt_format format,
                        enum cmrt_access access, const void *from)
{
    cmrt_image *image;
    check_room(run->image_count);
    must(cmrt_image_open(run->device, width, height, format, access, &image));
    run->images[run->image_count++] = image;
    void *poison = NULL;
    if (!from) {
        size_t bytes = width * height * cmrt_format_bytes(format);
        poison = malloc(bytes);
        if (!poison)
            bench_fail("out of memory for an image of %zu x %zu", width, height);
        from = memset(poison, 0xcd, bytes);
    }
    must(cmrt_image_write(run->queue, image, from));
    free(poison);
    return image;
}

cmrt_sampler *bench_sampler(struct bench_run *run, enum cmrt_sampler_address address, enum cmrt_sampler_filter filter,
                            int normalized)
{
    cmrt_sampler *sampler;
    check_room(run->sampler_count);
    must(cmrt_sampler_open(run->device, address, filter, normalized, &sampler));
    return run->samplers[run->sampler_count++] = sampler;
}

void bench_write(struct bench_run *run, cmrt_buffer *buffer, size_t offset, const void *from, size_t bytes)
{
    must(cmrt_buffer_write(run->queue, buffer, offset, from, bytes));
}

void bench_read(struct bench_run *run, cmrt_buffer *buffer, size_t offset, void *to, size_t bytes)
{
    must(cmrt_buffer_read(run->queue, buffer, offset, to, bytes));
}

void bench_read_array(struct bench_run *run, cmrt_buffer *buffer, struct bench_array *array)
{
    must(cmrt_buffer_read(run->queue, buffer, 0, array->data, bench_array_bytes(array)));
}

void bench_read_image(struct bench_run *run, cmrt_image *image, void *to)
{
    must(cmrt_image_read(run->queue, image, to));
}

struct bench_argument bench_argument_value(const void *value, size_t bytes)
{
    struct bench_argument argument = {.kind = CMRT_ARGUMENT_VALUE, .bytes = bytes};
    memcpy(argument.value, value, bytes);
    return argument;
}

static cmrt_kernel *kernel_of(struct bench_run *run, const char *name)
{
    for (size_t i = 0; i < run->kernel_count; i++)
        if (strcmp(run->kernels[i].name, name) == 0)
            return run->kernels[i].kernel;
    if (run->kernel_count == MAXIMUM_KERNELS)
        bench_fail("more than %d kernels in one variant", MAXIMUM_KERNELS);
    char *copy = strdup(name);
    if (!copy)
        bench_fail("out of memory");
    run->kernels[run->kernel_count].name = copy;
    must(cmrt_kernel_open(run->program, name, &run->kernels[run->kernel_count].kernel));
    return run->kernels[run->kernel_count++].kernel;
}

static enum cmrt_status set_argument(cmrt_kernel *kernel, size_t index, const struct bench_argument *argument)
{
    void *object = (void *)argument->object;
    switch (argument->kind) {
    case CMRT_ARGUMENT_BUFFER: return cmrt_kernel_set_buffer(kernel, index, object);
    case CMRT_ARGUMENT_IMAGE: return cmrt_kernel_set_image(kernel, index, object);
    case CMRT_ARGUMENT_SAMPLER: return cmrt_kernel_set_sampler(kernel, index, object);
    case CMRT_ARGUMENT_LOCAL: return cmrt_kernel_set_local(kernel, index, argument->bytes);
    default: return cmrt_kernel_set_value(kernel, index, argument->value, argument->bytes);
    }
}

void bench_launch_with(struct bench_run *run, const char *name, struct bench_grid grid,
                       const struct bench_argument *arguments, size_t count)
{
    uint64_t nanoseconds = 0;
    cmrt_kernel *kernel = kernel_of(run, name);
    for (size_t i = 0; i < count; i++)
        must(set_argument(kernel, i, &arguments[i]));
    must(cmrt_launch(run->queue, kernel, grid.groups, grid.local));
    must(cmrt_wait(run->queue));
    must(cmrt_elapsed(run->queue, &nanoseconds));
    run->nanoseconds += nanoseconds;
}
