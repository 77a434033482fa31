/* Checks threads of a program, contexts, host threads of the simulator and EU threads that all use one counter: sums
 * are exact, and ThreadSanitizer, with which this program is built, reports nothing. Usage: contention CORPUS-FILE
 * [timed], a batch that launches a kernel of 3 x 2 groups of two threads with eight channels, each of which counts at
 * the address in its payload; counting commands are added after it. Timed: fewer launches of more groups, with a clock,
 * which host threads run together; they share long windows only, so answers are made to take long. */
#include <drm.h>
#include <i915_drm.h>
#include <pthread.h>
#include <string.h>
#include "check.h"
#include "sim/kernel/kernel.h"
#include "sim/timing/constants.h"

enum {
    SUBMITTERS = 4,
    COUNTS = 8,
    GROUP_COUNTS = 16,
    WALKER = 0x7105000d,
    WALKER_COLUMNS = 7, /* dwords after it */
    PAYLOAD = 0x2000,
    BATCH = 0x100000,
    BATCH_BYTES = 0x10000,
    DATA = 0x400000
};

static struct kernel_device device;
static struct kernel_file file;
static uint32_t data_handle, launch[BATCH_BYTES / 4];
static uint32_t rounds = 60, columns = 3;

static int request(unsigned long number, void *argument)
{
    return i915_interface.ioctl(&file, number, argument);
}

static uint32_t create(uint64_t size)
{
    struct drm_i915_gem_create object = {.size = size};
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CREATE, &object), 0);
    return object.handle;
}

static void read_launch(const char *path)
{
    char word[256];
    uint32_t at = 0;
    FILE *in = fopen(path, "r");
    CHECK(in);
    while (fscanf(in, "%255s", word) == 1) {
        if (word[0] == '#')
            CHECK(fscanf(in, "%*[^\n]") == 0);
        else if (word[0] == '@')
            at = (uint32_t)strtoul(word + 1, NULL, 16) / 4;
        else if (at < BATCH_BYTES / 4)
            launch[at++] = (uint32_t)strtoul(word, NULL, 16);
    }
    fclose(in);
}

/* The launch, and where its batch ended, counting. */
static void write_batch(uint32_t handle)
{
    struct object *object = object_find(&file.objects, handle);
    uint32_t *words = (uint32_t *)(void *)object->host, end = 0;
    memcpy(words, launch, sizeof launch);
    words[PAYLOAD / 4] = DATA;
    for (; words[end] != 0x05000000; end++)
        if (words[end] == WALKER)
            words[end + WALKER_COLUMNS] = columns;
    for (unsigned i = 0; i < COUNTS; i++, end += 3)
        memcpy(words + end, (const uint32_t[]){0x17800501, DATA, 0}, 12); /* atomic increment */
    words[end] = 0x05000000;
    object_release(object);
}

static void *submit(void *argument)
{
    struct drm_i915_gem_context_create_ext context = {0};
    (void)argument;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &context), 0);
    for (uint32_t round = 0; round < rounds; round++) {
        uint32_t batch = create(BATCH_BYTES);
        write_batch(batch);
        struct drm_i915_gem_exec_object2 list[2] = {
            {.handle = data_handle, .offset = DATA, .flags = EXEC_OBJECT_PINNED},
            {.handle = batch, .offset = BATCH, .flags = EXEC_OBJECT_PINNED}};
        struct drm_i915_gem_execbuffer2 execute = {
            .buffers_ptr = (uintptr_t)list, .buffer_count = 2, .batch_len = 8, .rsvd1 = context.ctx_id};
        struct drm_i915_gem_wait wait = {.bo_handle = batch, .timeout_ns = -1};
        struct drm_gem_close close_request = {.handle = batch};
        CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_EXECBUFFER2, &execute), 0);
        if (round % 2)
            CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_WAIT, &wait), 0);
        CHECK_EQUAL(request(DRM_IOCTL_GEM_CLOSE, &close_request), 0); /* in flight when it was not waited for */
    }
    struct drm_i915_gem_context_destroy destroy = {.ctx_id = context.ctx_id};
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &destroy), 0);
    return NULL;
}

int main(int count, char **arguments)
{
    struct sim_options options = {.platform = platform_find("icllp"), .threads = 3};
    pthread_t submitters[SUBMITTERS];
    CHECK(count == 2 || count == 3);
    if (count == 3) {
        options.timing = timing_machine_find(options.platform, NULL)->name;
        options.timing_set = "l3_latency=2000,thread_start=2000";
        rounds = 1;
        columns = 2000;
    }
    read_launch(arguments[1]);
    CHECK_EQUAL(kernel_device_create(&device, &options, &i915_interface), 0);
    CHECK_EQUAL(kernel_file_open(&file, &device), 0);
    data_handle = create(4096);
    for (int i = 0; i < SUBMITTERS; i++)
        CHECK_EQUAL(pthread_create(&submitters[i], NULL, submit, NULL), 0);
    for (int i = 0; i < SUBMITTERS; i++)
        pthread_join(submitters[i], NULL);
    struct drm_i915_gem_wait wait = {.bo_handle = data_handle, .timeout_ns = -1};
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_WAIT, &wait), 0);
    struct object *data = object_find(&file.objects, data_handle);
    CHECK_EQUAL(__atomic_load_n((uint32_t *)(void *)data->host, __ATOMIC_SEQ_CST),
                SUBMITTERS * rounds * (COUNTS + columns * 2 * GROUP_COUNTS));
    object_release(data);
    kernel_file_close(&file);
    kernel_device_destroy(&device);
    return 0;
}
