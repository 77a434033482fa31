/* Implements the CPU backend: loads libraries that cmc compiled for the host and runs them by the interface of
 * host_abi.h. A launch is complete when cmrt_launch returns. Groups are distributed over host threads. Each thread of a
 * group has a host thread of its own, because barriers need that. */
#include "runtime/internal.h"

#include "runtime/host_abi.h"
#include "runtime/host_planes.h"

#include <dlfcn.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SHARED_BYTES = 131072, MAXIMUM_GROUP_THREADS = 256, MAXIMUM_ARGUMENTS = 1024, MAXIMUM_KERNELS = 65536 };

struct program {
    cmrt_program common;
    void *library;
    const struct cm_host_kernel *const *kernels;
};

struct image {
    cmrt_image common;
    unsigned char *rows;
    struct cm_host_surface planes[1 + MOST_FURTHER_PLANES];
};

struct kernel {
    cmrt_kernel common;
    const struct cm_host_kernel *code;
    struct cm_host_surface *surfaces; /* one for each argument: a surface's handle is its argument's index */
    struct cm_host_sampler *samplers; /* the same */
    void **values;                    /* one for each argument, each of the size it wants */
    size_t *local_bytes;              /* one for each argument: how much shared memory it is */
};

struct sampler {
    cmrt_sampler common;
    struct cm_host_sampler state;
};

struct queue {
    cmrt_queue common;
    uint64_t nanoseconds;
    int launched;
};

/* programs */

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
    if (strlen(code->name) >= sizeof info->name || code->argument_count > MAXIMUM_ARGUMENTS)
        return cmrt_fail(CMRT_BAD_FILE, "a kernel with an unusable name or number of arguments");
    struct cmrt_argument *arguments = calloc(code->argument_count + 1, sizeof *arguments);
    if (!arguments)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    strcpy(info->name, code->name);
    info->simd_size = 1;
    info->arguments = arguments;
    info->argument_count = code->argument_count;
    for (uint32_t i = 0; i < code->argument_count; i++) {
        arguments[i].kind = kind_of(&code->arguments[i]);
        arguments[i].access = CMRT_READ_WRITE;
        arguments[i].bytes = code->arguments[i].bytes;
        arguments[i].media_block = strncmp(code->arguments[i].type, "image2d_media_block_t", 21) == 0;
        snprintf(arguments[i].type, sizeof arguments[i].type, "%.31s", code->arguments[i].declared);
        snprintf(arguments[i].name, sizeof arguments[i].name, "%.31s", code->arguments[i].name);
    }
    return CMRT_OK;
}

static enum cmrt_status describe(struct program *program)
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

static void program_close(cmrt_program *base)
{
    struct program *program = (struct program *)base;
    if (program->library)
        dlclose(program->library);
    free(program);
}

static enum cmrt_status program_load(cmrt_device *device, const char *path, const void *bytes, size_t size,
                                     cmrt_program **out)
{
    (void)bytes, (void)size;
    if (!path)
        return cmrt_fail(CMRT_BAD_FILE, "programs for the CPU are loaded from files");
    char *full = realpath(path, NULL); /* a name without '/' would be looked up among the system's libraries */
    struct program *program = calloc(1, sizeof *program);
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
        program_close(&program->common);
        return status;
    }
    *out = &program->common;
    return CMRT_OK;
}

/* memory */

static enum cmrt_status buffer_open(cmrt_device *device, enum cmrt_memory memory, size_t bytes, cmrt_buffer **out)
{
    cmrt_buffer *buffer = calloc(1, sizeof *buffer);
    size_t rounded = (bytes + 63) & ~(size_t)63;
    void *pointer = buffer && rounded >= bytes ? aligned_alloc(64, rounded) : NULL;
    if (!pointer) {
        free(buffer);
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    }
    *buffer = (cmrt_buffer){.device = device, .memory = memory, .bytes = bytes, .pointer = pointer};
    *out = buffer;
    return CMRT_OK;
}

static enum cmrt_status buffer_write(cmrt_queue *queue, cmrt_buffer *buffer, size_t offset, const void *from,
                                     size_t bytes)
{
    (void)queue;
    memcpy((char *)buffer->pointer + offset, from, bytes);
    return CMRT_OK;
}

static enum cmrt_status buffer_read(cmrt_queue *queue, cmrt_buffer *buffer, size_t offset, void *to, size_t bytes)
{
    (void)queue;
    memcpy(to, (char *)buffer->pointer + offset, bytes);
    return CMRT_OK;
}

static void buffer_close(cmrt_buffer *buffer)
{
    free(buffer->pointer);
    free(buffer);
}

static size_t image_bytes(const cmrt_image *image)
{
    return cmrt_image_bytes(image->format, image->width, image->height);
}

static enum cmrt_status image_open(cmrt_device *device, size_t width, size_t height, enum cmrt_format format,
                                   enum cmrt_access access, cmrt_image **out)
{
    size_t row = width * image_formats[format].bytes;
    if (row > UINT32_MAX - 4) /* a row of a further plane may be longer by a fraction of an element */
        return cmrt_fail(CMRT_BAD_ARGUMENT, "an image with rows of %zu bytes", row);
    struct image *image = calloc(1, sizeof *image);
    if (image) {
        image->common =
            (cmrt_image){.device = device, .width = width, .height = height, .format = format, .access = access};
        image->rows = calloc(1, image_bytes(&image->common));
    }
    if (!image || !image->rows) {
        free(image);
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    }
    host_place_planes(&image->common, image->rows, image->planes);
    *out = &image->common;
    return CMRT_OK;
}

static enum cmrt_status image_write(cmrt_queue *queue, cmrt_image *image, const void *from)
{
    (void)queue;
    memcpy(((struct image *)image)->rows, from, image_bytes(image));
    return CMRT_OK;
}

static enum cmrt_status image_read(cmrt_queue *queue, cmrt_image *image, void *to)
{
    (void)queue;
    memcpy(to, ((struct image *)image)->rows, image_bytes(image));
    return CMRT_OK;
}

static void image_close(cmrt_image *image)
{
    free(((struct image *)image)->rows);
    free(image);
}

static enum cmrt_status sampler_open(cmrt_device *device, enum cmrt_sampler_address address,
                                     enum cmrt_sampler_filter filter, int normalized, cmrt_sampler **out)
{
    struct sampler *sampler = calloc(1, sizeof *sampler);
    if (!sampler)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    sampler->common.device = device;
    sampler->state = (struct cm_host_sampler){(uint32_t)address, (uint32_t)filter, normalized != 0};
    *out = &sampler->common;
    return CMRT_OK;
}

static void sampler_close(cmrt_sampler *sampler)
{
    free(sampler);
}

/* kernels */

static void kernel_close(cmrt_kernel *base)
{
    struct kernel *kernel = (struct kernel *)base;
    for (uint32_t i = 0; kernel->values && i < kernel->code->argument_count; i++)
        free(kernel->values[i]);
    free(kernel->values);
    free(kernel->surfaces);
    free(kernel->samplers);
    free(kernel->local_bytes);
    free(kernel);
}

static enum cmrt_status kernel_open(cmrt_program *program, const struct cmrt_kernel_info *info, cmrt_kernel **out)
{
    struct kernel *kernel = calloc(1, sizeof *kernel);
    if (!kernel)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    kernel->code = ((struct program *)program)->kernels[info - program->contents.kernels];
    kernel->surfaces = calloc(info->argument_count + 1, sizeof *kernel->surfaces);
    kernel->values = calloc(info->argument_count + 1, sizeof *kernel->values);
    kernel->samplers = calloc(info->argument_count + 1, sizeof *kernel->samplers);
    kernel->local_bytes = calloc(info->argument_count + 1, sizeof *kernel->local_bytes);
    int complete = kernel->surfaces && kernel->values && kernel->samplers && kernel->local_bytes;
    for (size_t i = 0; complete && i < info->argument_count; i++) {
        size_t bytes = info->arguments[i].bytes;
        kernel->values[i] = aligned_alloc(64, ((bytes > 8 ? bytes : 8) + 63) & ~(size_t)63);
        complete = kernel->values[i] != NULL;
    }
    if (!complete) {
        kernel_close(&kernel->common);
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    }
    *out = &kernel->common;
    return CMRT_OK;
}

static enum cmrt_status set_value(cmrt_kernel *base, size_t index, const void *value, size_t bytes)
{
    struct kernel *kernel = (struct kernel *)base;
    if (bytes != kernel->code->arguments[index].bytes)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "argument %zu of kernel %s has %u bytes, not %zu", index,
                         kernel->code->name, kernel->code->arguments[index].bytes, bytes);
    memcpy(kernel->values[index], value, bytes);
    return CMRT_OK;
}

static void set_surface(struct kernel *kernel, size_t index, struct cm_host_surface surface)
{
    uint32_t handle = (uint32_t)index;
    kernel->surfaces[index] = surface;
    memcpy(kernel->values[index], &handle, sizeof handle);
}

static enum cmrt_status set_buffer(cmrt_kernel *base, size_t index, cmrt_buffer *buffer)
{
    struct kernel *kernel = (struct kernel *)base;
    if (kernel->code->arguments[index].kind == CM_HOST_SURFACE)
        set_surface(kernel, index, (struct cm_host_surface){.base = buffer->pointer, .size = buffer->bytes});
    else
        memcpy(kernel->values[index], &buffer->pointer, sizeof buffer->pointer);
    return CMRT_OK;
}

static enum cmrt_status set_image(cmrt_kernel *base, size_t index, cmrt_image *image)
{
    set_surface((struct kernel *)base, index, ((struct image *)image)->planes[0]);
    return CMRT_OK;
}

static enum cmrt_status set_sampler(cmrt_kernel *base, size_t index, cmrt_sampler *sampler)
{
    struct kernel *kernel = (struct kernel *)base;
    uint32_t handle = (uint32_t)index;
    kernel->samplers[index] = ((struct sampler *)sampler)->state;
    memcpy(kernel->values[index], &handle, sizeof handle);
    return CMRT_OK;
}

static enum cmrt_status set_local(cmrt_kernel *base, size_t index, size_t bytes)
{
    if (bytes > SHARED_BYTES)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "argument %zu of kernel %s: %zu bytes of shared memory; a group has %d",
                         index, ((struct kernel *)base)->code->name, bytes, SHARED_BYTES);
    ((struct kernel *)base)->local_bytes[index] = bytes;
    return CMRT_OK;
}

/* A launch. A team has as many host threads as a group has threads; teams take groups from a common counter. */

struct launch {
    struct kernel *kernel;
    const uint32_t *groups, *local;
    uint32_t team_threads;
    uint64_t group_count, next_group; /* next_group: atomic */
    size_t shared_bytes;              /* SHARED_BYTES, followed by the arguments in shared memory */
    pthread_mutex_t lock;             /* of the reason */
    int failed;                       /* atomic */
    char reason[256];
};

struct team {
    struct launch *launch;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    uint32_t waiting;
    uint64_t round, group;
    void *shared; /* the launch's shared_bytes of local memory of the group that runs */
};

struct worker {
    struct team *team;
    uint32_t number; /* in the team */
    pthread_t thread;
    jmp_buf stop;
};

/* Waits until all threads of the team arrive. Returns 0, or -1 if a thread failed and the others will never arrive. */
static int team_meet(struct team *team)
{
    pthread_mutex_lock(&team->lock);
    uint64_t round = team->round;
    if (++team->waiting == team->launch->team_threads) {
        team->waiting = 0;
        team->round++;
        pthread_cond_broadcast(&team->changed);
    }
    while (round == team->round && !__atomic_load_n(&team->launch->failed, __ATOMIC_ACQUIRE)) {
        struct timespec soon; /* a failure in another team is not signalled here */
        clock_gettime(CLOCK_REALTIME, &soon);
        soon.tv_nsec += 50000000;
        soon.tv_sec += soon.tv_nsec / 1000000000;
        soon.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&team->changed, &team->lock, &soon);
    }
    int met = round != team->round;
    pthread_mutex_unlock(&team->lock);
    return met ? 0 : -1;
}

static void kernel_barrier(void *context)
{
    struct worker *worker = context;
    if (team_meet(worker->team))
        longjmp(worker->stop, 1);
}

static void kernel_fail(void *context, const char *reason)
{
    struct worker *worker = context;
    struct launch *launch = worker->team->launch;
    pthread_mutex_lock(&launch->lock);
    if (!launch->failed)
        snprintf(launch->reason, sizeof launch->reason, "%s", reason);
    __atomic_store_n(&launch->failed, 1, __ATOMIC_RELEASE);
    pthread_mutex_unlock(&launch->lock);
    longjmp(worker->stop, 1);
}

static void run_thread(struct worker *worker)
{
    const struct launch *launch = worker->team->launch;
    uint64_t group = worker->team->group;
    uint32_t number = worker->number;
    struct cm_host_thread thread = {.surfaces = launch->kernel->surfaces,
                                    .surface_count = launch->kernel->code->argument_count,
                                    .samplers = launch->kernel->samplers,
                                    .shared = {.base = worker->team->shared, .size = launch->shared_bytes},
                                    .serial = group,
                                    .barrier = kernel_barrier,
                                    .fail = kernel_fail,
                                    .context = worker};
    for (int i = 0; i < 3; i++) {
        thread.group_count[i] = launch->groups[i];
        thread.local_size[i] = launch->local[i];
        thread.group_id[i] = (uint32_t)(group % launch->groups[i]);
        group /= launch->groups[i];
        thread.local_id[i] = number % launch->local[i];
        number /= launch->local[i];
    }
    launch->kernel->code->entry(launch->kernel->values, &thread);
}

static void *work(void *argument)
{
    struct worker *worker = argument;
    struct team *team = worker->team;
    struct launch *launch = team->launch;
    if (setjmp(worker->stop))
        return NULL;
    for (;;) {
        if (worker->number == 0)
            team->group = __atomic_fetch_add(&launch->next_group, 1, __ATOMIC_RELAXED);
        if (team_meet(team)) /* everyone sees the new group, and has left the old one */
            return NULL;
        if (team->group >= launch->group_count || __atomic_load_n(&launch->failed, __ATOMIC_ACQUIRE))
            return NULL;
        run_thread(worker);
        if (team_meet(team))
            return NULL;
    }
}

/* Assigns offsets to arguments in shared memory. Returns the total memory of a group. */
static size_t place_local_arguments(const struct kernel *kernel)
{
    uint64_t next = SHARED_BYTES;
    for (uint32_t i = 0; i < kernel->code->argument_count; i++) {
        if (kernel->code->arguments[i].kind != CM_HOST_LOCAL)
            continue;
        memcpy(kernel->values[i], &next, sizeof next);
        next += (kernel->local_bytes[i] + 63) & ~(size_t)63;
    }
    return next;
}

static enum cmrt_status run_teams(struct launch *launch, uint32_t team_count)
{
    uint32_t count = team_count * launch->team_threads, started = 0;
    struct team *teams = calloc(team_count, sizeof *teams);
    struct worker *workers = calloc(count, sizeof *workers);
    launch->shared_bytes = place_local_arguments(launch->kernel);
    char *shared = aligned_alloc(64, team_count * launch->shared_bytes);
    if (!teams || !workers || !shared) {
        free(teams);
        free(workers);
        free(shared);
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    }
    for (uint32_t i = 0; i < team_count; i++) {
        teams[i].launch = launch;
        teams[i].shared = shared + i * launch->shared_bytes;
        pthread_mutex_init(&teams[i].lock, NULL);
        pthread_cond_init(&teams[i].changed, NULL);
    }
    for (; started < count; started++) {
        workers[started].team = &teams[started / launch->team_threads];
        workers[started].number = started % launch->team_threads;
        if (pthread_create(&workers[started].thread, NULL, work, &workers[started])) {
            __atomic_store_n(&launch->failed, 1, __ATOMIC_RELEASE);
            break;
        }
    }
    for (uint32_t i = 0; i < started; i++)
        pthread_join(workers[i].thread, NULL);
    for (uint32_t i = 0; i < team_count; i++) {
        pthread_mutex_destroy(&teams[i].lock);
        pthread_cond_destroy(&teams[i].changed);
    }
    free(teams);
    free(workers);
    free(shared);
    if (started < count)
        return cmrt_fail(CMRT_NO_MEMORY, "cannot start %u host threads", count);
    return launch->failed ? cmrt_fail(CMRT_BAD_ARGUMENT, "kernel %s: %s", launch->kernel->code->name, launch->reason)
                          : CMRT_OK;
}

static uint64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

static enum cmrt_status launch_kernel(cmrt_queue *base, cmrt_kernel *kernel, const uint32_t groups[3],
                                      const uint32_t local[3])
{
    struct queue *queue = (struct queue *)base;
    struct launch launch = {.kernel = (struct kernel *)kernel, .groups = groups, .local = local};
    launch.team_threads = local[0] * local[1] * local[2];
    if (__builtin_mul_overflow((uint64_t)groups[0] * groups[1], groups[2], &launch.group_count))
        return cmrt_fail(CMRT_BAD_ARGUMENT, "%ux%ux%u groups are too many", groups[0], groups[1], groups[2]);
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint64_t cores = processors < 1 ? 1 : (uint64_t)processors;
    uint64_t teams = (cores + launch.team_threads - 1) / launch.team_threads; /* all cores have a thread */
    uint64_t start = now();
    pthread_mutex_init(&launch.lock, NULL);
    enum cmrt_status status = run_teams(&launch, (uint32_t)(teams < launch.group_count ? teams : launch.group_count));
    pthread_mutex_destroy(&launch.lock);
    queue->nanoseconds = now() - start;
    queue->launched = !status;
    return status;
}

static enum cmrt_status queue_open(cmrt_device *device, cmrt_queue **out)
{
    struct queue *queue = calloc(1, sizeof *queue);
    if (!queue)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    queue->common.device = device;
    *out = &queue->common;
    return CMRT_OK;
}

static enum cmrt_status queue_wait(cmrt_queue *queue)
{
    (void)queue;
    return CMRT_OK;
}

static enum cmrt_status queue_elapsed(cmrt_queue *queue, uint64_t *nanoseconds)
{
    if (!((struct queue *)queue)->launched)
        return cmrt_fail(CMRT_BAD_ARGUMENT, "no launch on this queue to take the time of");
    *nanoseconds = ((struct queue *)queue)->nanoseconds;
    return CMRT_OK;
}

static void queue_close(cmrt_queue *queue)
{
    free(queue);
}
static void device_close(cmrt_device *device)
{
    free(device);
}

static const struct backend host = {
    .program_load = program_load,
    .program_close = program_close,
    .buffer_open = buffer_open,
    .buffer_write = buffer_write,
    .buffer_read = buffer_read,
    .buffer_close = buffer_close,
    .image_open = image_open,
    .image_write = image_write,
    .image_read = image_read,
    .image_close = image_close,
    .sampler_open = sampler_open,
    .sampler_close = sampler_close,
    .kernel_open = kernel_open,
    .set_value = set_value,
    .set_buffer = set_buffer,
    .set_image = set_image,
    .set_sampler = set_sampler,
    .set_local = set_local,
    .kernel_close = kernel_close,
    .queue_open = queue_open,
    .launch = launch_kernel,
    .wait = queue_wait,
    .elapsed = queue_elapsed,
    .queue_close = queue_close,
    .device_close = device_close,
};

enum cmrt_status host_open(cmrt_device **out)
{
    cmrt_device *device = calloc(1, sizeof *device);
    if (!device)
        return cmrt_fail(CMRT_NO_MEMORY, "out of memory");
    device->backend = &host;
    device->maximum_group_threads = MAXIMUM_GROUP_THREADS;
    snprintf(device->name, sizeof device->name, "CPU");
    snprintf(device->driver, sizeof device->driver, "none");
    device->features = CMRT_FEATURE_DOUBLE | CMRT_FEATURE_MEDIA_BLOCKS;
    *out = device;
    return CMRT_OK;
}

/* A program that also closes its device. */
static void inspected_close(cmrt_program *program)
{
    cmrt_device *device = program->device;
    program_close(program);
    free(device);
}

static const struct backend inspection = {.program_close = inspected_close};

enum cmrt_status host_inspect(const char *path, cmrt_program **out)
{
    cmrt_device *device;
    enum cmrt_status status = host_open(&device);
    if (status)
        return status;
    status = program_load(device, path, NULL, 0, out);
    device->backend = &inspection;
    if (status)
        free(device);
    return status;
}
