/* Sends hostile requests to the xe interface: structures of every ioctl with random, often nearly right contents, in
 * random order. Each must be answered, or stop the program with its name; built with sanitizers. Meanwhile batches run
 * in a space that only this program's own functions change: bindings are added and removed while a ring waits. Usage:
 * fuzz_xe ROUNDS */
#include <drm.h>
#include <string.h>
#include <unistd.h>
#include "requests.h"
#include "sim/kernel/xe/space.h"
#include "sim/kernel/xe/uapi.h"
#include "test/unit/shard.h"

enum { STRETCH = 1000 }; /* rounds; what they leave is there in the next one */
static uint64_t random_state;

static uint32_t random_bits(void)
{
    return requests_random(&random_state);
}

/* Number 1 is the handle, space and queue of the batches: only their own functions name it. */
static uint64_t random_value(void)
{
    switch (random_bits() % 8) {
    case 0: return 0;
    case 1: return 2 + random_bits() % 8; /* handles, spaces, queues */
    case 2: return 4096ull << random_bits() % 8;
    case 3: return (uintptr_t)requests_arena + random_bits() % REQUESTS_ARENA;
    case 4: return ((uintptr_t)requests_arena + random_bits() % REQUESTS_ARENA) & ~UINT64_C(4095);
    case 5: return UINT64_C(2) << random_bits() % 63;
    case 6: return (uint64_t)random_bits() << 32 | random_bits() | 2;
    default: return 2 + random_bits() % 64;
    }
}

#define REQUEST(NAME, STRUCTURE) DRM_IOWR(DRM_COMMAND_BASE + XE_##NAME, struct STRUCTURE)
#define SEND(NAME, STRUCTURE)    requests_send(REQUEST(NAME, STRUCTURE), &STRUCTURE)

static const unsigned long requests[] = {
    DRM_IOCTL_VERSION,
    DRM_IOCTL_GEM_CLOSE,
    DRM_IOCTL_PRIME_HANDLE_TO_FD,
    REQUEST(DEVICE_QUERY, xe_device_query),
    REQUEST(GEM_MMAP_OFFSET, xe_gem_mmap_offset),
    REQUEST(VM_CREATE, xe_vm_create),
    REQUEST(VM_DESTROY, xe_vm_destroy),
    REQUEST(VM_BIND, xe_vm_bind),
    REQUEST(EXEC_QUEUE_CREATE, xe_queue_create),
    REQUEST(EXEC_QUEUE_DESTROY, xe_queue_destroy),
    REQUEST(EXEC_QUEUE_GET_PROPERTY, xe_queue_get_property),
    REQUEST(MADVISE, xe_vm_destroy),
    DRM_IOCTL_GET_CAP,
};

static void anything(void)
{
    uint64_t structure[32];
    unsigned long number = requests[random_bits() % (sizeof requests / sizeof requests[0])];
    for (unsigned i = 0; i < 32; i++)
        structure[i] = random_bits() % 2 ? 0 : random_bits() % 2 ? random_value() : random_value() << 32;
    if (random_bits() % 8 == 0) /* another version of the structure */
        number = _IOC(_IOC_DIR(number), _IOC_TYPE(number), _IOC_NR(number), random_bits() % 256);
    int result = requests_send(number, random_bits() % 16 ? (void *)structure : (void *)(uintptr_t)random_value());
    const struct drm_prime_handle *prime = (const void *)structure;
    if (number == DRM_IOCTL_PRIME_HANDLE_TO_FD && result == 0 && prime->fd > 2)
        close(prime->fd);
}

static void create_object(void)
{
    struct xe_gem_create xe_gem_create = {.size = random_bits() % 4 ? 4096ull << random_bits() % 5 : random_value(),
                                          .placement = random_bits() % 4 ? 1 + random_bits() % 3 : random_bits(),
                                          .vm = random_bits() % 4 ? 0 : (uint32_t)random_value(),
                                          .cpu_caching = (uint16_t)(random_bits() % 4),
                                          .flags = random_bits() % 4 ? 0 : random_bits()};
    if (SEND(GEM_CREATE, xe_gem_create) == 0)
        CHECK(requests_fill(xe_gem_create.handle) || xe_gem_create.size > 65536);
}

static struct xe_bind_operation random_operation(void)
{
    return (struct xe_bind_operation){.operation = random_bits() % 6,
                                      .object = random_bits() % 3 ? (uint32_t)random_value() : 0,
                                      .source = random_bits() % 2 ? 0 : random_value(),
                                      .address = random_bits() % 8 ? (random_bits() % 64) << 12 : random_value(),
                                      .range = random_bits() % 8 ? (1 + random_bits() % 16) << 12 : random_value(),
                                      .flags = random_bits() % 8 ? 0 : random_bits(),
                                      .pat_index = (uint16_t)random_bits(),
                                      .pad = random_bits() % 16 == 0};
}

static struct xe_sync random_fence(void)
{
    return (struct xe_sync){.type = random_bits() % 8 ? XE_SYNC_USER_FENCE : random_bits() % 4,
                            .flags = random_bits() % 8 ? XE_SYNC_SIGNAL : random_bits() % 4,
                            .address = random_bits() % 8 ? (uintptr_t)requests_arena + 8 * (random_bits() % 512)
                                                         : random_value(),
                            .value = random_bits()};
}

static void bind_anything(void)
{
    struct xe_bind_operation list[4];
    struct xe_sync fences[4];
    for (int i = 0; i < 4; i++) {
        list[i] = random_operation();
        fences[i] = random_fence();
    }
    struct xe_vm_bind xe_vm_bind = {.vm = 2 + random_bits() % 8,
                                    .count = random_bits() % 5,
                                    .sync_count = random_bits() % 8 ? random_bits() % 5 : random_bits(),
                                    .syncs = (uintptr_t)fences};
    if (xe_vm_bind.count == 1)
        xe_vm_bind.one = list[0];
    else
        xe_vm_bind.list = random_bits() % 8 ? (uintptr_t)list : random_value();
    SEND(VM_BIND, xe_vm_bind);
}

static void wait_for_anything(void)
{
    struct xe_wait_user_fence xe_wait_user_fence = {.address =
                                                        random_bits() % 4 ? (uintptr_t)requests_arena : random_value(),
                                                    .operation = (uint16_t)(random_bits() % 7),
                                                    .flags = random_bits() % 3 == 0,
                                                    .value = random_value(),
                                                    .mask = random_value(),
                                                    .timeout = random_bits() % 1000,
                                                    .queue = random_bits() % 4 ? 0 : (uint32_t)random_value()};
    SEND(WAIT_USER_FENCE, xe_wait_user_fence);
}

/* Batches that must be rejected: nonexistent queues, invalid addresses and fields. */
static void execute_nothing(void)
{
    struct xe_sync fence = random_fence();
    struct xe_exec xe_exec = {.queue = random_bits() % 2 ? 0 : 1u << (16 + random_bits() % 16),
                              .sync_count = random_bits() % 3,
                              .syncs = random_bits() % 2 ? (uintptr_t)&fence : random_value(),
                              .address = random_value(),
                              .batches = (uint16_t)(random_bits() % 3)};
    CHECK(SEND(EXEC, xe_exec) != 0);
}

enum { BATCH = 0x100000, ROOM = 0x200000, RINGS = 3 };
enum { STORE = 0x10000002, SEMAPHORE = 0x0e001002, BATCH_END = 0x05000000 };

static uint32_t *batch; /* the object of handle 1: commands from 0, data from 2048 bytes on */
static uint64_t fence_value;

static int bind(uint32_t operation, uint32_t object, uint64_t address, uint64_t range)
{
    struct xe_vm_bind xe_vm_bind = {
        .vm = 1, .count = 1, .one = {.operation = operation, .object = object, .address = address, .range = range}};
    return SEND(VM_BIND, xe_vm_bind);
}

static void make_world(void)
{
    struct xe_engine_name engine = {.engine_class = XE_CLASS_RENDER};
    struct xe_gem_create xe_gem_create = {.size = 4096, .placement = 1, .cpu_caching = 1};
    struct xe_vm_create xe_vm_create = {.flags = XE_VM_LONG_RUNNING};
    CHECK_EQUAL(SEND(GEM_CREATE, xe_gem_create), 0);
    CHECK_EQUAL(SEND(VM_CREATE, xe_vm_create), 0);
    struct xe_queue_create xe_queue_create = {.width = 1, .placements = 1, .vm = 1, .instances = (uintptr_t)&engine};
    CHECK_EQUAL(SEND(EXEC_QUEUE_CREATE, xe_queue_create), 0);
    CHECK(xe_gem_create.handle == 1 && xe_vm_create.vm == 1 && xe_queue_create.queue == 1);
    CHECK_EQUAL(bind(XE_BIND_MAP, 1, BATCH, 4096), 0);
    struct object *object = object_find(&requests_file.objects, 1);
    batch = (uint32_t *)(void *)object->host;
    object_release(object);
}

static void wait_for(unsigned place, uint64_t value)
{
    struct xe_wait_user_fence xe_wait_user_fence = {.address = (uintptr_t)(batch + 512 + 2 * place),
                                                    .operation = XE_WAIT_EQUAL,
                                                    .value = value,
                                                    .mask = UINT64_MAX,
                                                    .timeout = -1};
    CHECK_EQUAL(SEND(WAIT_USER_FENCE, xe_wait_user_fence), 0);
}

/* A ring of three parts. Each writes to a page that is bound after the ring began, and unbound after it. */
static void feed_a_ring(void)
{
    uint32_t *at = batch, offset = 16 + random_bits() % 64 * 4096;
    struct xe_sync fence = {
        .type = XE_SYNC_USER_FENCE, .flags = XE_SYNC_SIGNAL, .address = BATCH + 2048, .value = ++fence_value};
    struct xe_exec xe_exec = {.queue = 1, .sync_count = 1, .syncs = (uintptr_t)&fence, .address = BATCH, .batches = 1};
    for (uint32_t part = 0; part < RINGS; part++) {
        const uint32_t words[] = {SEMAPHORE, part + 1, BATCH + 2056, 0, STORE,   ROOM + offset, 0,
                                  part,      STORE,    BATCH + 2064, 0, part + 1};
        memcpy(at, words, sizeof words);
        at += sizeof words / 4;
    }
    *at = BATCH_END;
    batch[514] = batch[516] = batch[517] = 0;
    CHECK_EQUAL(SEND(EXEC, xe_exec), 0);
    for (uint32_t part = 0; part < RINGS; part++) {
        struct xe_gem_create xe_gem_create = {.size = 4096, .placement = 1, .cpu_caching = 1};
        CHECK_EQUAL(SEND(GEM_CREATE, xe_gem_create), 0);
        CHECK_EQUAL(bind(XE_BIND_MAP, xe_gem_create.handle, ROOM + (offset & ~UINT32_C(4095)), 4096), 0);
        struct drm_gem_close close_request = {.handle = xe_gem_create.handle};
        CHECK_EQUAL(requests_send(DRM_IOCTL_GEM_CLOSE, &close_request), 0);
        __atomic_store_n(&batch[514], part + 1, __ATOMIC_SEQ_CST);
        wait_for(2, part + 1);
        CHECK_EQUAL(bind(XE_BIND_UNMAP, 0, ROOM + (offset & ~UINT32_C(4095)), 4096), 0);
    }
    wait_for(0, fence_value);
}

int main(int count, char **arguments)
{
    static void (*const actions[])(void) = {create_object,     bind_anything,   bind_anything, bind_anything,
                                            wait_for_anything, execute_nothing, anything,      anything};
    const struct shard all = {0, 1}, shard = shard_take(&count, arguments);
    CHECK_EQUAL(count, 2);
    unsigned long rounds = strtoul(arguments[1], NULL, 10), played = 0;
    requests_start("dg2", &xe_interface);
    CHECK_EQUAL(kernel_file_open(&requests_file, &requests_device), 0);
    shard_plays(&all, 0, STRETCH, &random_state);
    make_world();
    for (unsigned long round = 0; round < rounds; round++) {
        if (!shard_plays(&shard, round, STRETCH, &random_state))
            continue;
        played++;
        actions[random_bits() % (sizeof actions / sizeof actions[0])]();
        if (round % 64 == 0)
            feed_a_ring();
    }
    struct requests_count n = requests_count;
    printf("%lu answered, %lu refused, %lu stopped by name\n", n.answered, n.refused, n.stopped);
    CHECK(played < 1000 || (n.answered > played / 20 && n.refused > played / 20 && n.stopped > 0));
    return 0;
}
