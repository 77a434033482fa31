/* Checks the i915 interface, called like by the preloaded library: its answers, and the errors of refused requests. The
 * errors are those of Linux's i915 driver. */
#include <drm.h>
#include <errno.h>
#include <fcntl.h>
#include <i915_drm.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include "check.h"
#include "sim/kernel/kernel.h"

static struct kernel_device device;
static struct kernel_file file;

static int request(unsigned long number, void *argument)
{
    return i915_interface.ioctl(&file, number, argument);
}

/* True if the platform has memory of its own. */
static bool has_compute_walker(void)
{
    return platform_has(device.platform, FEATURE_PAYLOAD_IN_MEMORY);
}

static bool is_discrete(void)
{
    return device.platform->id == PLATFORM_DG2;
}

static int parameter(int number)
{
    int value = -1;
    struct drm_i915_getparam get = {.param = number, .value = &value};
    CHECK_EQUAL(request(DRM_IOCTL_I915_GETPARAM, &get), 0);
    return value;
}

enum { BATCH = 0x100000, DATA = 0x200000 };

static void tells_the_facts_of_the_platform(void)
{
    const struct platform *platform = device.platform;
    int value;
    struct drm_i915_getparam unknown = {.param = 9999, .value = &value}, nowhere = {.param = I915_PARAM_CHIPSET_ID};
    CHECK_EQUAL(parameter(I915_PARAM_CHIPSET_ID), platform->pci_id);
    CHECK_EQUAL(parameter(I915_PARAM_REVISION), platform->revision);
    CHECK_EQUAL(parameter(I915_PARAM_CS_TIMESTAMP_FREQUENCY), platform->timestamp_hz);
    CHECK_EQUAL(parameter(I915_PARAM_HAS_EXEC_SOFTPIN), 1);
    CHECK_EQUAL(request(DRM_IOCTL_I915_GETPARAM, &unknown), -EINVAL);
    CHECK_EQUAL(request(DRM_IOCTL_I915_GETPARAM, &nowhere), -EFAULT);
    CHECK_EQUAL(request(DRM_IOCTL_I915_GETPARAM, NULL), -EFAULT);
    CHECK_EQUAL(request(DRM_IOCTL_I915_GETPARAM, (void *)0x10), -EFAULT);
}

static void tells_the_topology(void)
{
    union {
        struct drm_i915_query_topology_info info;
        uint8_t bytes[1024];
    } answer = {.bytes = {0}};
    struct drm_i915_query_item item = {.query_id = DRM_I915_QUERY_TOPOLOGY_INFO};
    struct drm_i915_query query = {.num_items = 1, .items_ptr = (uintptr_t)&item};
    CHECK_EQUAL(request(DRM_IOCTL_I915_QUERY, &query), 0);
    CHECK(item.length > 0 && item.length <= (int)sizeof answer);
    item.data_ptr = (uintptr_t)&answer;
    CHECK_EQUAL(request(DRM_IOCTL_I915_QUERY, &query), 0);
    unsigned eus = 0;
    for (int i = answer.info.eu_offset; i < item.length - (int)sizeof answer.info; i++)
        eus += (unsigned)__builtin_popcount(answer.info.data[i]);
    const struct platform *platform = device.platform;
    CHECK_EQUAL(eus, platform->slices * platform->subslices * platform->eus);
    CHECK_EQUAL(eus, parameter(I915_PARAM_EU_TOTAL));

    item.length -= 1; /* too little room, as an answer for the item */
    CHECK_EQUAL(request(DRM_IOCTL_I915_QUERY, &query), 0);
    CHECK_EQUAL(item.length, -EINVAL);
    item = (struct drm_i915_query_item){.query_id = 12345};
    CHECK_EQUAL(request(DRM_IOCTL_I915_QUERY, &query), 0);
    CHECK_EQUAL(item.length, -EINVAL);
    query.flags = 1;
    CHECK_EQUAL(request(DRM_IOCTL_I915_QUERY, &query), -EINVAL);
}

static uint32_t create(uint64_t size)
{
    struct drm_i915_gem_create object = {.size = size};
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CREATE, &object), 0);
    CHECK(object.handle != 0);
    return object.handle;
}

static int close_object(uint32_t handle)
{
    struct drm_gem_close close_request = {.handle = handle};
    return request(DRM_IOCTL_GEM_CLOSE, &close_request);
}

static void manages_handles(void)
{
    struct drm_i915_gem_create empty = {.size = 0}, enormous = {.size = UINT64_MAX};
    uint32_t first = create(1), second = create(4096);
    CHECK(first != second);
    CHECK_EQUAL(close_object(first), 0);
    CHECK_EQUAL(close_object(first), -EINVAL);
    CHECK_EQUAL(close_object(0), -EINVAL);
    CHECK_EQUAL(close_object(UINT32_MAX), -EINVAL);
    CHECK_EQUAL(create(4096), first); /* the lowest free handle comes next */
    CHECK_EQUAL(close_object(first), 0);
    CHECK_EQUAL(close_object(second), 0);
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CREATE, &empty), -EINVAL);
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CREATE, &enormous), -EINVAL);
}

static void wraps_user_memory(void)
{
    void *memory = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    struct drm_i915_gem_userptr user = {.user_ptr = (uintptr_t)memory, .user_size = 8192};
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_USERPTR, &user), 0);
    struct drm_i915_gem_mmap_offset map = {.handle = user.handle, .flags = I915_MMAP_OFFSET_WB};
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_MMAP_OFFSET, &map), -ENODEV); /* the program has it mapped already */
    CHECK_EQUAL(close_object(user.handle), 0);
    user.user_ptr += 16;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_USERPTR, &user), -EINVAL);
    user.user_ptr -= 16;
    user.user_size = 100;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_USERPTR, &user), -EINVAL);
    user.user_size = 0;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_USERPTR, &user), -EINVAL);
    user.user_size = UINT64_MAX & ~UINT64_C(4095);
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_USERPTR, &user), -EFAULT);
    user.user_size = 8192;
    user.flags = 4;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_USERPTR, &user), -EINVAL);
    uint32_t batch = create(4096); /* before its mapping could fill the gap */
    CHECK_EQUAL(munmap((char *)memory + 4096, 4096), 0);
    user.flags = I915_USERPTR_PROBE;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_USERPTR, &user), -EFAULT); /* its second page is gone */
    user.flags = 0;                                                   /* it is only checked when it is used */
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_USERPTR, &user), 0);
    struct drm_i915_gem_exec_object2 list[2] = {{.handle = user.handle, .offset = DATA, .flags = EXEC_OBJECT_PINNED},
                                                {.handle = batch, .offset = BATCH, .flags = EXEC_OBJECT_PINNED}};
    struct drm_i915_gem_execbuffer2 execute = {.buffers_ptr = (uintptr_t)list, .buffer_count = 2, .batch_len = 8};
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_EXECBUFFER2, &execute), -EFAULT);
    CHECK_EQUAL(close_object(user.handle), 0);
    CHECK_EQUAL(close_object(batch), 0);
    munmap(memory, 4096);
}

static void maps_objects(void)
{
    uint32_t handle = create(16384);
    struct drm_i915_gem_mmap_offset map = {.handle = handle,
                                           .flags = is_discrete() ? I915_MMAP_OFFSET_WB : I915_MMAP_OFFSET_FIXED};
    uint64_t inside;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_MMAP_OFFSET, &map), -ENODEV);
    map.flags = is_discrete() ? I915_MMAP_OFFSET_FIXED : I915_MMAP_OFFSET_WB;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_MMAP_OFFSET, &map), 0);
    struct object *object = i915_interface.map(&file, map.offset + 4096, 8192, &inside);
    CHECK(object && inside == 4096 && object->size == 16384);
    object_release(object);
    CHECK(!i915_interface.map(&file, map.offset + 4096, 16384, &inside)); /* beyond the object's end */
    CHECK(!i915_interface.map(&file, 0, 4096, &inside));
    struct drm_i915_gem_mmap direct = {.handle = handle, .size = 4096, .offset = 8192};
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_MMAP, &direct), 0);
    object = object_find(&file.objects, handle);
    *(volatile uint32_t *)(uintptr_t)direct.addr_ptr = 0x12345678;
    CHECK_EQUAL(*(volatile uint32_t *)(object->host + 8192), 0x12345678);
    object_release(object);
    direct.offset = 16384;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_MMAP, &direct), -EINVAL);
    CHECK_EQUAL(close_object(handle), 0);
    CHECK(!i915_interface.map(&file, map.offset, 4096, &inside));
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_MMAP_OFFSET, &map), -ENOENT);
}

static void shares_objects(void)
{
    uint32_t handle = create(4096);
    struct drm_prime_handle out = {.handle = handle, .flags = DRM_CLOEXEC | DRM_RDWR}, in = {0};
    CHECK_EQUAL(request(DRM_IOCTL_PRIME_HANDLE_TO_FD, &out), 0);
    in.fd = out.fd;
    CHECK_EQUAL(request(DRM_IOCTL_PRIME_FD_TO_HANDLE, &in), 0);
    struct object *a = object_find(&file.objects, handle), *b = object_find(&file.objects, in.handle);
    a->host[17] = 99;
    CHECK_EQUAL(b->host[17], 99);
    object_release(a);
    object_release(b);
    CHECK_EQUAL(close_object(handle), 0);
    CHECK_EQUAL(close_object(in.handle), 0);
    CHECK_EQUAL(ftruncate(out.fd, 0), -1); /* the memory cannot be taken away */
    close(out.fd);
    in.fd = -1;
    CHECK_EQUAL(request(DRM_IOCTL_PRIME_FD_TO_HANDLE, &in), -EINVAL);
    in.fd = memfd_create("no object", MFD_CLOEXEC);
    CHECK_EQUAL(ftruncate(in.fd, 4096), 0);
    CHECK_EQUAL(request(DRM_IOCTL_PRIME_FD_TO_HANDLE, &in), -EINVAL);
    close(in.fd);
}

/* Sends a query and writes its reply to `answer`; returns the reply's length or the error. */
static int ask(uint64_t question, void *answer, int room)
{
    struct drm_i915_query_item item = {.query_id = question};
    struct drm_i915_query query = {.num_items = 1, .items_ptr = (uintptr_t)&item};
    CHECK_EQUAL(request(DRM_IOCTL_I915_QUERY, &query), 0);
    CHECK(item.length <= room);
    item.data_ptr = (uintptr_t)answer;
    CHECK_EQUAL(request(DRM_IOCTL_I915_QUERY, &query), 0);
    return item.length;
}

static void tells_of_memory_and_engines(void)
{
    union {
        struct drm_i915_query_memory_regions regions;
        struct drm_i915_query_engine_info engines;
        uint8_t bytes[4096];
    } answer = {.bytes = {0}};
    int length = ask(DRM_I915_QUERY_MEMORY_REGIONS, &answer, sizeof answer);
    if (!is_discrete()) {
        CHECK_EQUAL(length, -EINVAL);
        if (device.platform->id != PLATFORM_PVC) /* it has engines, and no memory that the driver could use */
            CHECK_EQUAL(ask(DRM_I915_QUERY_ENGINE_INFO, &answer, sizeof answer), -EINVAL);
        return;
    }
    CHECK_EQUAL(length, sizeof answer.regions + 2 * sizeof answer.regions.regions[0]);
    CHECK_EQUAL(answer.regions.num_regions, 2);
    CHECK_EQUAL(answer.regions.regions[0].region.memory_class, I915_MEMORY_CLASS_SYSTEM);
    CHECK_EQUAL(answer.regions.regions[1].region.memory_class, I915_MEMORY_CLASS_DEVICE);
    CHECK(answer.regions.regions[1].probed_size >= UINT64_C(1) << 30);
    memset(&answer, 0, sizeof answer);
    CHECK_EQUAL(ask(DRM_I915_QUERY_ENGINE_INFO, &answer, sizeof answer),
                sizeof answer.engines + 3 * sizeof answer.engines.engines[0]);
    CHECK_EQUAL(answer.engines.engines[1].engine.engine_class, I915_ENGINE_CLASS_COPY);
}

/* A table of entries {key, 1, value}: an A770 has 32 Xe cores of 16 EUs, a Max 1100 is cut from 64
 * of 8; both have 8 threads in an EU. Other parts here have no table. */
static void tells_the_hardware_constants(void)
{
    enum { XE_CORES = 2, EUS = 3, THREADS = 15, KEYS = 128 };
    uint32_t words[64] = {0}, values[KEYS] = {0};
    int length = ask(DRM_I915_QUERY_HWCONFIG_BLOB, words, sizeof words);
    bool pvc = device.platform->id == PLATFORM_PVC;
    if (!is_discrete() && !pvc) {
        CHECK_EQUAL(length, -EINVAL);
        return;
    }
    CHECK(length > 0 && length % 12 == 0);
    for (int at = 0; at < length / 4; at += 3) {
        CHECK_EQUAL(words[at + 1], 1);
        CHECK(words[at] < KEYS);
        values[words[at]] = words[at + 2];
    }
    CHECK_EQUAL(values[XE_CORES], pvc ? 64 : 32);
    CHECK_EQUAL(values[EUS], pvc ? 8 : 16);
    CHECK_EQUAL(values[THREADS], 8);
}

static void places_objects(void)
{
    struct drm_i915_gem_memory_class_instance places[2] = {{.memory_class = I915_MEMORY_CLASS_DEVICE},
                                                           {.memory_class = I915_MEMORY_CLASS_SYSTEM}};
    struct drm_i915_gem_create_ext_memory_regions regions = {
        .base = {.name = I915_GEM_CREATE_EXT_MEMORY_REGIONS}, .num_regions = 1, .regions = (uintptr_t)places};
    struct drm_i915_gem_create_ext object = {.size = 5000};
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CREATE_EXT, &object), 0);
    CHECK_EQUAL(object.size, 8192);
    CHECK_EQUAL(close_object(object.handle), 0);
    object = (struct drm_i915_gem_create_ext){.size = 5000, .extensions = (uintptr_t)&regions};
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CREATE_EXT, &object), is_discrete() ? 0 : -EINVAL);
    if (!is_discrete())
        return;
    CHECK_EQUAL(object.size, 65536);
    CHECK_EQUAL(close_object(object.handle), 0);
    regions.num_regions = 0;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CREATE_EXT, &object), -EINVAL);
    regions.num_regions = 1, places[0].memory_instance = 3;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CREATE_EXT, &object), -EINVAL);
    places[0].memory_instance = 0, object.size = UINT64_C(1) << 40;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CREATE_EXT, &object), -E2BIG);
    object.size = 4096, regions.base.next_extension = (uintptr_t)&regions;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CREATE_EXT, &object), -EINVAL); /* placed twice */
    regions.base.next_extension = 0, regions.base.name = 77;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CREATE_EXT, &object), -EINVAL);
    object.extensions = 16;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CREATE_EXT, &object), -EFAULT);
}

/* A context with a list of engines runs its batches on the engine of the list. */
static void lists_engines(void)
{
    struct {
        uint64_t extensions;
        struct i915_engine_class_instance engine;
    } list = {0, {I915_ENGINE_CLASS_COPY, 0}};
    struct drm_i915_gem_context_create context = {0};
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &context), 0);
    struct drm_i915_gem_context_param set = {.ctx_id = context.ctx_id,
                                             .param = I915_CONTEXT_PARAM_ENGINES,
                                             .size = sizeof list.extensions + sizeof list.engine,
                                             .value = (uintptr_t)&list};
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &set),
                (is_discrete() || device.platform->id == PLATFORM_PVC) ? 0 : -ENOENT);
    list.engine.engine_class = I915_ENGINE_CLASS_VIDEO;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &set), -ENOENT);
    set.size = 9;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &set), -EINVAL);
    struct drm_i915_gem_context_destroy destroy = {.ctx_id = context.ctx_id};
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &destroy), 0);
}

static void manages_contexts_and_spaces(void)
{
    struct drm_i915_gem_vm_control vm = {0};
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_VM_CREATE, &vm), 0);
    CHECK(vm.vm_id != 0);
    struct drm_i915_gem_context_create_ext_setparam set = {
        .base = {.name = I915_CONTEXT_CREATE_EXT_SETPARAM},
        .param = {.param = I915_CONTEXT_PARAM_VM, .value = vm.vm_id}};
    struct drm_i915_gem_context_create_ext context = {.flags = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS,
                                                      .extensions = (uintptr_t)&set};
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &context), 0);
    struct drm_i915_gem_context_param get = {.ctx_id = context.ctx_id, .param = I915_CONTEXT_PARAM_VM};
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &get), 0);
    CHECK_EQUAL(get.value, vm.vm_id);
    set.param.value = 4711;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &context), -ENOENT);
    context.flags = 0x80;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &context), -EINVAL);

    get.param = I915_CONTEXT_PARAM_GTT_SIZE;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &get), 0);
    CHECK_EQUAL(get.value, INT64_C(1) << 48);
    get.param = 0x7777;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &get), -EINVAL);
    struct drm_i915_gem_context_destroy destroy = {.ctx_id = get.ctx_id};
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &destroy), 0);
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &destroy), -ENOENT);
    get.param = I915_CONTEXT_PARAM_GTT_SIZE;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &get), -ENOENT);
    struct drm_i915_reset_stats stats = {.ctx_id = get.ctx_id};
    CHECK_EQUAL(request(DRM_IOCTL_I915_GET_RESET_STATS, &stats), -ENOENT);
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_VM_DESTROY, &vm), 0);
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_VM_DESTROY, &vm), -ENOENT);
}

static int wait_for(uint32_t handle, int64_t timeout)
{
    struct drm_i915_gem_wait wait_request = {.bo_handle = handle, .timeout_ns = timeout};
    return request(DRM_IOCTL_I915_GEM_WAIT, &wait_request);
}

/* A batch that waits until DATA[0] is 1 and then stores 0x1234 to DATA[1]. */
static void write_batch(uint32_t handle)
{
    static const uint32_t skl[] = {0x0e00c002, 1, DATA, 0, 0x10000002, DATA + 4, 0, 0x1234, 0x05000000, 0};
    static const uint32_t tgl[] = {0x0e00c003, 1, DATA, 0, 0, 0x10000002, DATA + 4, 0, 0x1234, 0x05000000};
    struct object *object = object_find(&file.objects, handle);
    if (device.platform->generation == 12)
        memcpy(object->host, tgl, sizeof tgl);
    else
        memcpy(object->host, skl, sizeof skl);
    object_release(object);
}

static void runs_batches(void)
{
    uint32_t batch = create(4096), data = create(4096);
    struct drm_i915_gem_exec_object2 list[2] = {
        {.handle = data, .offset = DATA, .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_WRITE},
        {.handle = batch, .offset = BATCH, .flags = EXEC_OBJECT_PINNED}};
    struct drm_i915_gem_execbuffer2 execute = {
        .buffers_ptr = (uintptr_t)list, .buffer_count = 2, .batch_len = 40, .flags = I915_EXEC_NO_RELOC};
    write_batch(batch);
    struct object *object = object_find(&file.objects, data);
    volatile uint32_t *words = (volatile uint32_t *)object->host;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_EXECBUFFER2, &execute), 0);
    CHECK_EQUAL(close_object(batch), 0); /* in flight: it must live on */
    CHECK_EQUAL(wait_for(data, 0), -ETIME);
    CHECK_EQUAL(wait_for(data, 1000000), -ETIME);
    CHECK_EQUAL(words[1], 0);
    __atomic_store_n(&words[0], 1, __ATOMIC_SEQ_CST);
    CHECK_EQUAL(wait_for(data, -1), 0);
    CHECK_EQUAL(words[1], 0x1234);
    CHECK_EQUAL(wait_for(data, 0), 0);
    CHECK_EQUAL(wait_for(batch, 0), -ENOENT);
    object_release(object);
    CHECK_EQUAL(close_object(data), 0);
}

static void refuses_bad_batches(void)
{
    uint32_t a = create(8192), b = create(4096);
    struct drm_i915_gem_exec_object2 list[2] = {{.handle = a, .offset = DATA, .flags = EXEC_OBJECT_PINNED},
                                                {.handle = b, .offset = BATCH, .flags = EXEC_OBJECT_PINNED}};
    const struct drm_i915_gem_execbuffer2 good = {.buffers_ptr = (uintptr_t)list, .buffer_count = 2, .batch_len = 8};
    struct drm_i915_gem_execbuffer2 bad = good;
    bad.buffer_count = 0;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_EXECBUFFER2, &bad), -EINVAL);
    bad = good, bad.buffers_ptr = 8;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_EXECBUFFER2, &bad), -EFAULT);
    bad = good, bad.batch_len = 8192;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_EXECBUFFER2, &bad), -EINVAL);
    bad = good, bad.batch_start_offset = 4096;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_EXECBUFFER2, &bad), -EINVAL);
    bad = good, bad.batch_start_offset = 4;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_EXECBUFFER2, &bad), -EINVAL);
    bad = good, bad.rsvd1 = 4711; /* the context */
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_EXECBUFFER2, &bad), -ENOENT);
    bad = good;
    list[0].handle = 4711;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_EXECBUFFER2, &bad), -ENOENT);
    list[0].handle = a;
    list[0].offset = BATCH - 4096; /* overlaps the batch */
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_EXECBUFFER2, &bad), -EINVAL);
    list[0].offset = DATA + 16;
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_EXECBUFFER2, &bad), -EINVAL);
    list[0].offset = UINT64_C(1) << 50; /* not canonical */
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_EXECBUFFER2, &bad), -EINVAL);
    list[0].offset = UINT64_C(0xfffffffffffff000); /* canonical, but the object does not fit below 2^48 */
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_EXECBUFFER2, &bad), -ENOSPC);
    CHECK_EQUAL(wait_for(a, 0), 0); /* nothing refused is left busy */
    CHECK_EQUAL(close_object(a), 0);
    CHECK_EQUAL(close_object(b), 0);
}

/* Runs `action` in a child process; its report must hold `text` and its status be 126. */
static void stops_with(void (*action)(void), const char *text)
{
    int ends[2], status;
    char report[1024] = "";
    CHECK_EQUAL(pipe(ends), 0);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        dup2(ends[1], 2);
        action();
        _exit(0);
    }
    close(ends[1]);
    for (size_t length = 0, more; (more = (size_t)read(ends[0], report + length, sizeof report - 1 - length)) > 0;)
        length += more;
    close(ends[0]);
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status));
    CHECK_EQUAL(WEXITSTATUS(status), 126);
    CHECK(strncmp(report, "gensim: fault: ", 15) == 0);
    CHECK(strstr(report, text));
}

static void send_unknown_request(void)
{
    uint32_t nothing = 0;
    request(DRM_IOWR(DRM_COMMAND_BASE + 0x5f, uint32_t), &nothing);
}

static void send_unmodelled_request(void)
{
    struct drm_i915_gem_pread pread_request = {0};
    request(DRM_IOCTL_I915_GEM_PREAD, &pread_request);
}

static void send_unpinned_object(void)
{
    struct drm_i915_gem_exec_object2 list[1] = {{.handle = create(4096)}};
    struct drm_i915_gem_execbuffer2 execute = {.buffers_ptr = (uintptr_t)list, .buffer_count = 1, .batch_len = 8};
    request(DRM_IOCTL_I915_GEM_EXECBUFFER2, &execute);
}

static void run_words(const uint32_t *words, size_t count)
{
    uint32_t batch = create(4096);
    struct drm_i915_gem_exec_object2 list[1] = {{.handle = batch, .offset = BATCH, .flags = EXEC_OBJECT_PINNED}};
    struct drm_i915_gem_execbuffer2 execute = {.buffers_ptr = (uintptr_t)list, .buffer_count = 1, .batch_len = 8};
    struct object *object = object_find(&file.objects, batch);
    memcpy(object->host, words, count * sizeof *words);
    CHECK_EQUAL(request(DRM_IOCTL_I915_GEM_EXECBUFFER2, &execute), 0);
    wait_for(batch, -1);
}

static void run_unknown_command(void)
{
    run_words((const uint32_t[]){0x1f800000, 0}, 2);
}
static void run_unmodelled_command(void)
{
    run_words((const uint32_t[]){0x03800000, 0}, 2);
}
static void run_long_command(void)
{
    run_words((const uint32_t[]){0x7a000008, 0}, 2);
}
static void run_wild_store(void)
{
    run_words((const uint32_t[]){0x10000002, 0x700000, 0, 1}, 4);
}
static void run_wild_jump(void)
{
    run_words((const uint32_t[]){0x18800001, 0x700000, 0}, 3);
}
static void run_unknown_register(void)
{
    run_words((const uint32_t[]){0x11000001, 0x9990, 0}, 3);
}
static void run_walker_without_state(void)
{
    run_words((const uint32_t[]){has_compute_walker() ? 0x72080025 : 0x7105000d}, 1);
}

static void stops_loudly(void)
{
    stops_with(send_unknown_request, "0x9f");
    stops_with(send_unmodelled_request, "I915_GEM_PREAD");
    stops_with(send_unpinned_object, "not pinned");
    stops_with(run_unknown_command, "opcode 0x3f");
    stops_with(run_unmodelled_command, "MI_REPORT_HEAD");
    stops_with(run_long_command, "PIPE_CONTROL: 10 dwords");
    stops_with(run_wild_store, "0x700000");
    stops_with(run_wild_jump, "0x700000");
    stops_with(run_unknown_register, "register 0x9990");
    stops_with(run_walker_without_state, "pipeline 0");
}

int main(void)
{
    for (size_t i = 0; i < platform_count; i++) {
        struct sim_options options = {.platform = &platform_table[i], .threads = 1};
        if (!options.platform->simulated || options.platform->needs_current)
            continue;
        CHECK_EQUAL(kernel_device_create(&device, &options, &i915_interface), 0);
        CHECK_EQUAL(kernel_file_open(&file, &device), 0);
        stops_loudly(); /* first: the children have no other threads to copy */
        tells_the_facts_of_the_platform();
        tells_the_topology();
        tells_of_memory_and_engines();
        tells_the_hardware_constants();
        places_objects();
        lists_engines();
        manages_handles();
        wraps_user_memory();
        maps_objects();
        shares_objects();
        manages_contexts_and_spaces();
        refuses_bad_batches();
        runs_batches();
        kernel_file_close(&file);
        kernel_device_destroy(&device); /* all batches have run */
    }
    return 0;
}
