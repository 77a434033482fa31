/* Checks the xe interface, called like by the preloaded library: its answers, the errors of refused requests, and
 * batches whose address space changes while they run. The errors are those of Linux's xe driver. */
#include <drm.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include "check.h"
#include "sim/kernel/kernel.h"
#include "sim/kernel/xe/space.h"
#include "sim/kernel/xe/uapi.h"
#include "tables/products.h"

static struct kernel_device device;
static struct kernel_file file;

#define REQUEST(NAME, STRUCTURE) DRM_IOWR(DRM_COMMAND_BASE + XE_##NAME, struct STRUCTURE)
#define SEND(NAME, STRUCTURE)    xe_interface.ioctl(&file, REQUEST(NAME, STRUCTURE), &STRUCTURE)

enum { BATCH = 0x100000, DATA = 0x200000, FENCES = 0x300000, LATE = 0x400000 };
enum {
    STORE = 0x10000002,     /* MI_STORE_DATA_IMM, one dword */
    SEMAPHORE = 0x0e001002, /* MI_SEMAPHORE_WAIT for memory, at least */
    END = 0x05000000        /* MI_BATCH_BUFFER_END */
};

static uint32_t ask(uint32_t question, void *answer, uint32_t size)
{
    struct xe_device_query xe_device_query = {.query = question, .size = size, .data = (uintptr_t)answer};
    CHECK_EQUAL(SEND(DEVICE_QUERY, xe_device_query), 0);
    return xe_device_query.size;
}

static void tells_the_facts_of_the_platform(void)
{
    const struct platform *platform = device.platform;
    const struct product *product = product_of_platform(platform);
    struct xe_config config;
    struct {
        struct xe_gt_list list;
        struct xe_gt gt;
    } gts;
    CHECK_EQUAL(ask(XE_QUERY_CONFIG, NULL, 0), sizeof config);
    ask(XE_QUERY_CONFIG, &config, sizeof config);
    CHECK_EQUAL(config.values[XE_CONFIG_REVISION_AND_DEVICE], platform->pci_id | (uint64_t)platform->revision << 16);
    CHECK_EQUAL(config.values[XE_CONFIG_FLAGS], platform->id == PLATFORM_DG2);
    CHECK_EQUAL(config.values[XE_CONFIG_ALIGNMENT], platform->id == PLATFORM_DG2 ? 65536 : 4096);
    CHECK_EQUAL(config.values[XE_CONFIG_ADDRESS_BITS], 48);
    CHECK_EQUAL(ask(XE_QUERY_GT_LIST, NULL, 0), sizeof gts);
    ask(XE_QUERY_GT_LIST, &gts, sizeof gts);
    CHECK_EQUAL(gts.gt.reference_clock, platform->timestamp_hz);
    CHECK(gts.gt.version_major == product->major && gts.gt.version_minor == product->minor);
}

/* The entries are those of an A770: 32 Xe cores of 16 EUs of 8 threads. Tiger Lake's firmware has no table. */
static void tells_the_hardware_constants(void)
{
    static const uint32_t expected[][2] = {{2, 32}, {3, 16}, {15, 8}};
    uint32_t words[64], size = ask(XE_QUERY_HWCONFIG, NULL, 0);
    if (device.platform->id != PLATFORM_DG2) {
        CHECK_EQUAL(size, 0);
        return;
    }
    CHECK(size > 0 && size <= sizeof words && size % 4 == 0);
    ask(XE_QUERY_HWCONFIG, words, size);
    for (unsigned i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        uint32_t at = 0;
        while (at + 2 < size / 4 && words[at] != expected[i][0])
            at += 2 + words[at + 1];
        CHECK(at + 2 < size / 4);
        CHECK_EQUAL(words[at + 2], expected[i][1]);
    }
}

static void tells_the_topology(void)
{
    const struct platform *platform = device.platform;
    struct {
        struct xe_topology head;
        uint8_t mask[8];
    } masks[4];
    CHECK_EQUAL(ask(XE_QUERY_GT_TOPOLOGY, NULL, 0), sizeof masks);
    ask(XE_QUERY_GT_TOPOLOGY, masks, sizeof masks);
    for (unsigned i = 0; i < 4; i++) {
        unsigned bits = 0;
        CHECK_EQUAL(masks[i].head.bytes, 8);
        for (unsigned byte = 0; byte < 8; byte++)
            bits += (unsigned)__builtin_popcount(masks[i].mask[byte]);
        if (masks[i].head.type <= XE_TOPOLOGY_DSS_COMPUTE)
            CHECK_EQUAL(bits, platform->slices * platform->subslices);
        if (masks[i].head.type == XE_TOPOLOGY_EUS_PER_DSS)
            CHECK_EQUAL(bits, platform->eus);
    }
}

/* GPU and host are read together: both go on between two questions. */
static void tells_the_time(void)
{
    struct xe_engine_cycles first = {.clock = CLOCK_MONOTONIC_RAW}, second = first, none = first;
    const struct timespec pause = {0, 20000000};
    CHECK_EQUAL(ask(XE_QUERY_ENGINE_CYCLES, NULL, 0), sizeof first);
    ask(XE_QUERY_ENGINE_CYCLES, &first, sizeof first);
    nanosleep(&pause, NULL);
    ask(XE_QUERY_ENGINE_CYCLES, &second, sizeof second);
    uint64_t host = second.host_time - first.host_time;
    uint64_t gpu = (second.cycles - first.cycles) * UINT64_C(1000000000) / device.platform->timestamp_hz;
    CHECK_EQUAL(first.width, 36);
    CHECK(gpu >= host / 2 && gpu <= 2 * host);
    none.engine.engine_class = 2; /* video */
    struct xe_device_query xe_device_query = {
        .query = XE_QUERY_ENGINE_CYCLES, .size = sizeof none, .data = (uintptr_t)&none};
    CHECK_EQUAL(SEND(DEVICE_QUERY, xe_device_query), -EINVAL);
}

static void refuses_bad_questions(void)
{
    uint64_t answer[64];
    struct xe_device_query good = {
        .query = XE_QUERY_CONFIG, .size = sizeof(struct xe_config), .data = (uintptr_t)answer};
    struct xe_device_query xe_device_query = good;
    xe_device_query.query = 99;
    CHECK_EQUAL(SEND(DEVICE_QUERY, xe_device_query), -EINVAL);
    xe_device_query = good;
    xe_device_query.size--;
    CHECK_EQUAL(SEND(DEVICE_QUERY, xe_device_query), -EINVAL);
    xe_device_query = good;
    xe_device_query.data = 0x10;
    CHECK_EQUAL(SEND(DEVICE_QUERY, xe_device_query), -EFAULT);
    xe_device_query = good;
    xe_device_query.reserved[1] = 1;
    CHECK_EQUAL(SEND(DEVICE_QUERY, xe_device_query), -EINVAL);
    CHECK_EQUAL(xe_interface.ioctl(&file, REQUEST(DEVICE_QUERY, xe_device_query), NULL), -EFAULT);
}

static int create(uint64_t size, uint32_t *handle)
{
    struct xe_gem_create xe_gem_create = {.size = size, .placement = 1, .cpu_caching = 1};
    int result = SEND(GEM_CREATE, xe_gem_create);
    *handle = xe_gem_create.handle;
    return result;
}

static void close_handle(uint32_t handle)
{
    struct drm_gem_close request = {.handle = handle};
    CHECK_EQUAL(xe_interface.ioctl(&file, DRM_IOCTL_GEM_CLOSE, &request), 0);
}

/* Creates an object and maps it as the program does. */
static uint32_t *create_mapped(uint64_t size, uint32_t *handle)
{
    uint64_t inside;
    CHECK_EQUAL(create(size, handle), 0);
    struct xe_gem_mmap_offset xe_gem_mmap_offset = {.handle = *handle};
    CHECK_EQUAL(SEND(GEM_MMAP_OFFSET, xe_gem_mmap_offset), 0);
    struct object *object = xe_interface.map(&file, xe_gem_mmap_offset.offset, size, &inside);
    CHECK(object && inside == 0);
    uint32_t *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, object->memory_file, 0);
    CHECK(memory != MAP_FAILED);
    object_release(object);
    return memory;
}

static void manages_objects(void)
{
    uint32_t handle;
    struct xe_gem_create good = {.size = 4096, .placement = 1, .cpu_caching = 1}, xe_gem_create = good;
    CHECK_EQUAL(create(4095, &handle), -EINVAL);
    CHECK_EQUAL(create(0, &handle), -EINVAL);
    xe_gem_create.placement = 8;
    CHECK_EQUAL(SEND(GEM_CREATE, xe_gem_create), -EINVAL);
    xe_gem_create = good;
    xe_gem_create.cpu_caching = 0;
    CHECK_EQUAL(SEND(GEM_CREATE, xe_gem_create), -EINVAL);
    xe_gem_create = good;
    xe_gem_create.vm = 77;
    CHECK_EQUAL(SEND(GEM_CREATE, xe_gem_create), -ENOENT);
    xe_gem_create = good;
    xe_gem_create.flags = 0x100;
    CHECK_EQUAL(SEND(GEM_CREATE, xe_gem_create), -EINVAL);
    xe_gem_create = good;
    xe_gem_create.placement = 2; /* memory of the platform's own, which is never cached by the host */
    CHECK_EQUAL(SEND(GEM_CREATE, xe_gem_create), -EINVAL);
    xe_gem_create.cpu_caching = 2;
    CHECK_EQUAL(SEND(GEM_CREATE, xe_gem_create), device.platform->id == PLATFORM_DG2 ? 0 : -EINVAL);
    struct xe_gem_mmap_offset xe_gem_mmap_offset = {.handle = 999};
    CHECK_EQUAL(SEND(GEM_MMAP_OFFSET, xe_gem_mmap_offset), -ENOENT);
    xe_gem_mmap_offset = (struct xe_gem_mmap_offset){.flags = 1};
    CHECK_EQUAL(SEND(GEM_MMAP_OFFSET, xe_gem_mmap_offset), -EINVAL);
}

static uint32_t create_space_with(uint32_t flags)
{
    struct xe_vm_create xe_vm_create = {.flags = XE_VM_LONG_RUNNING | flags};
    CHECK_EQUAL(SEND(VM_CREATE, xe_vm_create), 0);
    return xe_vm_create.vm;
}

static uint32_t create_space(void)
{
    return create_space_with(0);
}

static int destroy_space(uint32_t vm)
{
    struct xe_vm_destroy xe_vm_destroy = {.vm = vm};
    return SEND(VM_DESTROY, xe_vm_destroy);
}

/* One operation with a fence, which must be signalled when it worked. */
static int bind(uint32_t vm, struct xe_bind_operation operation)
{
    static uint64_t fence, number;
    struct xe_sync sync = {
        .type = XE_SYNC_USER_FENCE, .flags = XE_SYNC_SIGNAL, .address = (uintptr_t)&fence, .value = ++number};
    struct xe_vm_bind xe_vm_bind = {.vm = vm, .count = 1, .one = operation, .sync_count = 1, .syncs = (uintptr_t)&sync};
    int result = SEND(VM_BIND, xe_vm_bind);
    CHECK((fence == number) == (result == 0));
    return result;
}

static int bind_object(uint32_t vm, uint32_t handle, uint64_t address, uint64_t range)
{
    return bind(
        vm, (struct xe_bind_operation){.operation = XE_BIND_MAP, .object = handle, .address = address, .range = range});
}

static void refuses_bad_bindings(void)
{
    uint32_t vm = create_space(), handle;
    CHECK_EQUAL(create(8192, &handle), 0);
    const struct xe_bind_operation good = {.operation = XE_BIND_MAP, .object = handle, .address = DATA, .range = 8192};
    struct xe_bind_operation bad = good;
    CHECK_EQUAL(bind(vm, good), 0);
    CHECK_EQUAL(bind(vm + 1, good), -ENOENT);
    bad.range = 12288;
    CHECK_EQUAL(bind(vm, bad), -EINVAL);
    bad.range = 100;
    CHECK_EQUAL(bind(vm, bad), -EINVAL);
    bad.range = 0;
    CHECK_EQUAL(bind(vm, bad), -EINVAL);
    bad = good;
    bad.source = 4096;
    CHECK_EQUAL(bind(vm, bad), -EINVAL);
    bad = good;
    bad.address = XE_ADDRESS_LIMIT - 4096;
    CHECK_EQUAL(bind(vm, bad), -EINVAL);
    bad = good;
    bad.object = 999;
    CHECK_EQUAL(bind(vm, bad), -ENOENT);
    bad = good;
    bad.operation = 9;
    CHECK_EQUAL(bind(vm, bad), -EINVAL);
    bad = good;
    bad.flags = 0x80; /* asks for a decompression, which the driver probes for */
    CHECK_EQUAL(bind(vm, bad), -EINVAL);
    bad = (struct xe_bind_operation){.operation = XE_BIND_MAP_USER, .source = 0x10000, .address = DATA, .range = 4096};
    CHECK_EQUAL(bind(vm, bad), -EFAULT);
    struct xe_sync sync = {.type = XE_SYNC_USER_FENCE, .flags = XE_SYNC_SIGNAL, .address = 0x10001};
    struct xe_vm_bind xe_vm_bind = {.vm = vm, .count = 1, .one = good, .sync_count = 1, .syncs = (uintptr_t)&sync};
    CHECK_EQUAL(SEND(VM_BIND, xe_vm_bind), -EINVAL);
    sync.address = 0x10000;
    CHECK_EQUAL(SEND(VM_BIND, xe_vm_bind), -EFAULT);
    sync.flags = 0;
    CHECK_EQUAL(SEND(VM_BIND, xe_vm_bind), -EOPNOTSUPP);
    xe_vm_bind.sync_count = 5000;
    CHECK_EQUAL(SEND(VM_BIND, xe_vm_bind), -EINVAL);
    xe_vm_bind = (struct xe_vm_bind){.vm = vm, .count = 3, .list = 0x10};
    CHECK_EQUAL(SEND(VM_BIND, xe_vm_bind), -EFAULT);
    xe_vm_bind = (struct xe_vm_bind){.vm = vm, .queue = 1, .count = 1, .one = good};
    CHECK_EQUAL(SEND(VM_BIND, xe_vm_bind), -ENOENT);
    close_handle(handle);
    CHECK_EQUAL(destroy_space(vm), 0);
    CHECK_EQUAL(destroy_space(vm), -ENOENT);
}

/* Bindings over bindings, holes in bindings: what each page shows, against an array. */
static void cuts_bindings(void)
{
    enum { PAGES = 64, ROUNDS = 4000 };
    static uint8_t memory[2][PAGES * 4096];
    const uint8_t *shown[PAGES] = {NULL};
    struct xe_space *space = xe_space_create(false);
    uint64_t random = 7;
    for (int round = 0; round < ROUNDS; round++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        unsigned first = random >> 40 & (PAGES - 1), count = 1 + (random >> 50) % (PAGES - first);
        unsigned source = (random >> 20 & 63) % (PAGES - count + 1);
        uint8_t *host = random >> 33 & 3 ? &memory[random >> 32 & 1][source * 4096] : NULL;
        if (host)
            CHECK_EQUAL(xe_space_map(space, DATA + first * 4096, count * 4096, host, NULL), 0);
        else
            CHECK_EQUAL(xe_space_unmap(space, DATA + first * 4096, count * 4096), 0);
        for (unsigned i = 0; i < count; i++)
            shown[first + i] = host ? host + i * 4096 : NULL;
        struct xe_version *version = xe_space_newest(space);
        for (unsigned i = 0; i < PAGES; i++)
            CHECK(sim_space_map(xe_version_space(version), DATA + i * 4096, 4096) == shown[i]);
        CHECK(!sim_space_map(xe_version_space(version), DATA - 4096, 4096));
        xe_version_release(version);
    }
    xe_space_release(space);
}

/* A mapping keeps its contents when the address space or handles are destroyed. */
static void keeps_versions(void)
{
    struct xe_space *space = xe_space_create(false);
    struct object *object = object_create(4096);
    CHECK_EQUAL(xe_space_map(space, DATA, 4096, object->host, object), 0);
    struct xe_version *version = xe_space_newest(space);
    object->host[7] = 42;
    xe_space_unmap_object(space, object);
    object_release(object);
    xe_space_release(space);
    CHECK_EQUAL(((const uint8_t *)sim_space_map(xe_version_space(version), DATA, 4096))[7], 42);
    xe_version_release(version);
}

static int create_queue(uint32_t vm, uint16_t class, uint32_t *queue)
{
    struct xe_engine_name engine = {.engine_class = class};
    struct xe_queue_create xe_queue_create = {.width = 1, .placements = 1, .vm = vm, .instances = (uintptr_t)&engine};
    int result = SEND(EXEC_QUEUE_CREATE, xe_queue_create);
    *queue = xe_queue_create.queue;
    return result;
}

static int destroy_queue(uint32_t queue)
{
    struct xe_queue_destroy xe_queue_destroy = {.queue = queue};
    return SEND(EXEC_QUEUE_DESTROY, xe_queue_destroy);
}

static void manages_queues(void)
{
    uint32_t vm = create_space(), queue, other;
    CHECK_EQUAL(create_queue(99, XE_CLASS_RENDER, &queue), -ENOENT);
    CHECK_EQUAL(create_queue(vm, 2, &queue), -EINVAL); /* video */
    CHECK_EQUAL(create_queue(vm, XE_CLASS_RENDER, &queue), 0);
    CHECK_EQUAL(create_queue(vm, XE_CLASS_COMPUTE, &other), device.platform->id == PLATFORM_DG2 ? 0 : -EINVAL);
    struct xe_queue_get_property xe_queue_get_property = {.queue = queue, .value = 5};
    CHECK_EQUAL(SEND(EXEC_QUEUE_GET_PROPERTY, xe_queue_get_property), 0);
    CHECK_EQUAL(xe_queue_get_property.value, 0);
    xe_queue_get_property.property = 9;
    CHECK_EQUAL(SEND(EXEC_QUEUE_GET_PROPERTY, xe_queue_get_property), -EINVAL);
    struct xe_set_property property = {.property = XE_QUEUE_PRIORITY, .value = 3};
    struct xe_engine_name engine = {.engine_class = XE_CLASS_RENDER};
    struct xe_queue_create xe_queue_create = {
        .extensions = (uintptr_t)&property, .width = 1, .placements = 1, .vm = vm, .instances = (uintptr_t)&engine};
    CHECK_EQUAL(SEND(EXEC_QUEUE_CREATE, xe_queue_create), -EINVAL);
    property.value = 2;
    CHECK_EQUAL(SEND(EXEC_QUEUE_CREATE, xe_queue_create), 0);
    CHECK_EQUAL(destroy_queue(xe_queue_create.queue), 0);
    property.base.next = (uintptr_t)&property; /* a chain without an end */
    CHECK_EQUAL(SEND(EXEC_QUEUE_CREATE, xe_queue_create), -E2BIG);
    CHECK_EQUAL(destroy_space(vm), -EBUSY);
    CHECK_EQUAL(destroy_queue(queue), 0);
    CHECK_EQUAL(destroy_queue(queue), -ENOENT);
    if (device.platform->id == PLATFORM_DG2)
        CHECK_EQUAL(destroy_queue(other), 0);
    CHECK_EQUAL(destroy_space(vm), 0);
}

static int wait_for(const volatile uint64_t *address, uint64_t value, int64_t timeout)
{
    struct xe_wait_user_fence xe_wait_user_fence = {.address = (uintptr_t)address,
                                                    .operation = XE_WAIT_AT_LEAST,
                                                    .value = value,
                                                    .mask = UINT64_MAX,
                                                    .timeout = timeout};
    return SEND(WAIT_USER_FENCE, xe_wait_user_fence);
}

static int execute(uint32_t queue, uint64_t address, uint64_t fence, uint64_t value)
{
    struct xe_sync sync = {.type = XE_SYNC_USER_FENCE, .flags = XE_SYNC_SIGNAL, .address = fence, .value = value};
    struct xe_exec xe_exec = {.queue = queue,
                              .sync_count = fence ? 1 : 0,
                              .syncs = (uintptr_t)&sync,
                              .address = address,
                              .batches = address != 0};
    return SEND(EXEC, xe_exec);
}

/* Writes MI_STORE_DATA_IMM of `value` to `address`: the next dword's place. */
static uint32_t *put_store(uint32_t *at, uint32_t address, uint32_t value)
{
    const uint32_t words[4] = {STORE, address, 0, value};
    memcpy(at, words, sizeof words);
    return at + 4;
}

static uint32_t *put_wait(uint32_t *at, uint32_t address, uint32_t value)
{
    const uint32_t words[4] = {SEMAPHORE, value, address, 0};
    memcpy(at, words, sizeof words);
    return at + 4;
}

/* State that the tests of batches share: a space with a batch, data and fences in it, and a queue. */
static struct world {
    uint32_t vm, queue, handles[3];
    uint32_t *batch, *data;
    volatile uint64_t *fences;
} world;

static void make_world_with(uint32_t flags)
{
    world.vm = create_space_with(flags);
    CHECK_EQUAL(create_queue(world.vm, XE_CLASS_RENDER, &world.queue), 0);
    world.batch = create_mapped(4096, &world.handles[0]);
    world.data = create_mapped(4096, &world.handles[1]);
    world.fences = (volatile uint64_t *)(void *)create_mapped(4096, &world.handles[2]);
    CHECK_EQUAL(bind_object(world.vm, world.handles[0], BATCH, 4096), 0);
    CHECK_EQUAL(bind_object(world.vm, world.handles[1], DATA, 4096), 0);
    CHECK_EQUAL(bind_object(world.vm, world.handles[2], FENCES, 4096), 0);
}

static void make_world(void)
{
    make_world_with(0);
}

static void unmake_world(void)
{
    CHECK_EQUAL(destroy_queue(world.queue), 0);
    CHECK_EQUAL(destroy_space(world.vm), 0);
    for (int i = 0; i < 3; i++)
        close_handle(world.handles[i]);
    munmap(world.batch, 4096);
    munmap(world.data, 4096);
    munmap((void *)(uintptr_t)world.fences, 4096);
}

static const int64_t LONG_TIME = INT64_C(20000000000);

static void runs_batches(void)
{
    static uint32_t own[1024] __attribute__((aligned(4096)));
    make_world();
    uint32_t *end = put_store(world.batch, DATA, 11);
    *put_store(end, LATE + 8, 12) = END;
    CHECK_EQUAL(bind(world.vm, (struct xe_bind_operation){.operation = XE_BIND_MAP_USER,
                                                          .source = (uintptr_t)own,
                                                          .address = LATE,
                                                          .range = sizeof own}),
                0);
    CHECK_EQUAL(execute(world.queue, BATCH, FENCES, 1), 0);
    CHECK_EQUAL(wait_for(&world.fences[0], 1, LONG_TIME), 0);
    CHECK(world.data[0] == 11 && own[2] == 12);
    CHECK_EQUAL(execute(world.queue, 0, FENCES, 2), 0); /* no batch: a fence after those before */
    CHECK_EQUAL(wait_for(&world.fences[0], 2, LONG_TIME), 0);
    CHECK_EQUAL(wait_for(&world.fences[0], 3, 1000000), -ETIME);
    CHECK_EQUAL(wait_for(&world.fences[0], 3, 0), -ETIME);
    CHECK_EQUAL(wait_for((const volatile uint64_t *)0x10000, 3, 1000), -EFAULT);
    CHECK_EQUAL(execute(999, BATCH, FENCES, 1), -ENOENT);
    CHECK_EQUAL(execute(world.queue, UINT64_C(1) << 50, FENCES, 1), -EINVAL);
    CHECK_EQUAL(execute(world.queue, BATCH, FENCES + 4, 1), -EINVAL);
    unmake_world();
}

/* A ring: it waits for numbers in memory, and between them the program binds what the next part writes to, and unbinds
 * what the platform before used. */
static void feeds_a_running_batch(void)
{
    enum { PARTS = 50 };
    uint32_t handles[PARTS], *memory[PARTS], *at;
    make_world();
    at = world.batch;
    for (uint32_t part = 0; part < PARTS; part++) {
        at = put_wait(at, DATA, part + 1);
        at = put_store(at, LATE, 100 + part);
        at = put_store(at, FENCES + 8, part + 1);
    }
    *at = END;
    CHECK_EQUAL(execute(world.queue, BATCH, FENCES, 1), 0);
    for (uint32_t part = 0; part < PARTS; part++) {
        memory[part] = create_mapped(4096, &handles[part]);
        CHECK_EQUAL(bind_object(world.vm, handles[part], LATE, 4096), 0);
        CHECK_EQUAL(world.fences[0], 0);
        __atomic_store_n(&world.data[0], part + 1, __ATOMIC_SEQ_CST);
        CHECK_EQUAL(wait_for(&world.fences[1], part + 1, LONG_TIME), 0);
        CHECK_EQUAL(memory[part][0], 100 + part);
        if (part % 2) {
            CHECK_EQUAL(
                bind(world.vm, (struct xe_bind_operation){.operation = XE_BIND_UNMAP, .address = LATE, .range = 4096}),
                0);
            close_handle(handles[part]);
        }
    }
    CHECK_EQUAL(wait_for(&world.fences[0], 1, LONG_TIME), 0);
    for (uint32_t part = 0; part < PARTS; part++)
        CHECK_EQUAL(memory[part][0], 100 + part);
    for (uint32_t part = 0; part < PARTS; part++)
        munmap(memory[part], 4096);
    for (uint32_t part = 0; part < PARTS; part += 2)
        close_handle(handles[part]);
    unmake_world();
}

/* A queue that is destroyed while its batch waits ends; its fence is signalled, and the file can be closed. */
static void kills_a_waiting_queue(void)
{
    make_world();
    *put_store(put_wait(world.batch, DATA, 1), DATA + 4, 1) = END;
    CHECK_EQUAL(execute(world.queue, BATCH, FENCES, 1), 0);
    CHECK_EQUAL(wait_for(&world.fences[0], 1, 20000000), -ETIME);
    CHECK_EQUAL(destroy_queue(world.queue), 0);
    CHECK_EQUAL(wait_for(&world.fences[0], 1, LONG_TIME), 0);
    CHECK_EQUAL(world.data[1], 0);
    CHECK_EQUAL(create_queue(world.vm, XE_CLASS_RENDER, &world.queue), 0);
    unmake_world();
}

/* Submits a batch that waits, hides the memory of its fence, and lets the batch end. */
static void hide_fence_before_the_end(void)
{
    *put_wait(world.batch, DATA, 1) = END;
    CHECK_EQUAL(bind_object(world.vm, world.handles[2], LATE, 4096), 0);
    CHECK_EQUAL(execute(world.queue, BATCH, LATE + 8, 1), 0);
    CHECK_EQUAL(bind(world.vm, (struct xe_bind_operation){.operation = XE_BIND_UNMAP, .address = LATE, .range = 4096}),
                0);
    __atomic_store_n(&world.data[0], 1, __ATOMIC_SEQ_CST);
}

/* A scratch page takes a fence whose memory was unbound while its batch ran: the fence is lost, nothing else. */
static void loses_unbound_fence(void)
{
    make_world_with(XE_VM_SCRATCH_PAGE);
    hide_fence_before_the_end();
    CHECK_EQUAL(execute(world.queue, 0, FENCES, 1), 0);
    CHECK_EQUAL(wait_for(&world.fences[0], 1, LONG_TIME), 0);
    CHECK_EQUAL(world.fences[1], 0);
    unmake_world();
}

static void wait_for_ever(void)
{
    struct timespec pause = {30, 0};
    nanosleep(&pause, NULL);
}

static void send_madvise(void)
{
    uint64_t structure[16] = {0};
    xe_interface.ioctl(&file, DRM_IOWR(DRM_COMMAND_BASE + XE_MADVISE, structure), structure);
}

static void send_unknown_request(void)
{
    uint64_t structure[4] = {0};
    xe_interface.ioctl(&file, DRM_IOWR(0x9f, structure), structure);
}

static void create_short_space(void)
{
    struct xe_vm_create xe_vm_create = {.flags = 0};
    SEND(VM_CREATE, xe_vm_create);
}

static void send_sync_object(void)
{
    uint32_t vm = create_space();
    struct xe_sync sync = {.type = XE_SYNC_OBJECT, .flags = XE_SYNC_SIGNAL};
    struct xe_vm_bind xe_vm_bind = {.vm = vm,
                                    .count = 1,
                                    .one = {.operation = XE_BIND_UNMAP, .address = DATA, .range = 4096},
                                    .sync_count = 1,
                                    .syncs = (uintptr_t)&sync};
    SEND(VM_BIND, xe_vm_bind);
}

static void run_unbound_batch(void)
{
    make_world();
    execute(world.queue, LATE, FENCES, 1);
    wait_for_ever();
}

static void signal_unbound_fence(void)
{
    make_world_with(XE_VM_SCRATCH_PAGE);
    world.batch[0] = END;
    execute(world.queue, BATCH, LATE, 1);
    wait_for_ever();
}

static void signal_hidden_fence(void)
{
    make_world();
    hide_fence_before_the_end();
    wait_for_ever();
}

static void use_after_unbinding(void)
{
    make_world();
    *put_store(put_wait(world.batch, FENCES + 16, 1), DATA, 1) = END;
    execute(world.queue, BATCH, FENCES, 1);
    struct xe_bind_operation unmapping = {.operation = XE_BIND_UNMAP, .address = DATA, .range = 4096};
    CHECK_EQUAL(bind(world.vm, unmapping), 0);
    world.fences[2] = 1;
    wait_for_ever();
}

/* The action must end the process with status 126 and one line that has `pattern`. */
static void stops_with(void (*action)(void), const char *pattern)
{
    int ends[2], status;
    char text[4096] = "";
    size_t used = 0;
    CHECK_EQUAL(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
        struct sim_options options = {.platform = device.platform, .threads = 1};
        dup2(ends[1], STDERR_FILENO);
        CHECK_EQUAL(kernel_device_create(&device, &options, &xe_interface), 0);
        CHECK_EQUAL(kernel_file_open(&file, &device), 0);
        action();
        _exit(0);
    }
    close(ends[1]);
    for (ssize_t got; used < sizeof text - 1 && (got = read(ends[0], text + used, sizeof text - 1 - used)) > 0;)
        used += (size_t)got;
    close(ends[0]);
    CHECK_EQUAL(waitpid(child, &status, 0), child);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 126 || !strstr(text, pattern)) {
        fprintf(stderr, "status 0x%x, expected '%s' in: %s\n", (unsigned)status, pattern, text);
        exit(1);
    }
}

static void stops_loudly(void)
{
    stops_with(send_madvise, "xe: ioctl MADVISE (0x4c) is not implemented");
    stops_with(send_unknown_request, "xe: ioctl 0x9f");
    stops_with(create_short_space, "VM_CREATE");
    stops_with(send_sync_object, "sync objects");
    stops_with(run_unbound_batch, "0x400000");
    stops_with(signal_unbound_fence, "user fence of EXEC");
    stops_with(signal_hidden_fence, "user fence of EXEC");
    stops_with(use_after_unbinding, "0x200000");
}

static const struct platform *const platforms[] = {&platform_table[PLATFORM_TGLLP], &platform_table[PLATFORM_DG2]};

int main(void)
{
    cuts_bindings();
    keeps_versions();
    for (size_t i = 0; i < sizeof platforms / sizeof platforms[0]; i++) {
        struct sim_options options = {.platform = platforms[i], .threads = 1};
        device.platform = platforms[i];
        stops_loudly(); /* first: the children have no other threads to copy */
        CHECK_EQUAL(kernel_device_create(&device, &options, &xe_interface), 0);
        CHECK_EQUAL(kernel_file_open(&file, &device), 0);
        tells_the_facts_of_the_platform();
        tells_the_hardware_constants();
        tells_the_topology();
        tells_the_time();
        refuses_bad_questions();
        manages_objects();
        refuses_bad_bindings();
        manages_queues();
        runs_batches();
        feeds_a_running_batch();
        kills_a_waiting_queue();
        loses_unbound_fence();
        kernel_file_close(&file);
        kernel_device_destroy(&device);
    }
    return 0;
}
