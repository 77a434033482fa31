/* Sends hostile requests: structures of every i915 ioctl with random, often nearly right contents, in random order.
 * Each must be answered, or stop the program with its name. Built with sanitizers, so that memory errors show. Usage:
 * fuzz_requests ROUNDS */
#include <drm.h>
#include <i915_drm.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "requests.h"
#include "test/unit/shard.h"

enum { STRETCH = 1000 }; /* rounds; what they leave is there in the next one */
static uint64_t random_state;

static uint32_t random_bits(void)
{
    return requests_random(&random_state);
}

static uint64_t random_value(void)
{
    switch (random_bits() % 8) {
    case 0: return 0;
    case 1: return 1 + random_bits() % 8; /* handles, contexts, spaces */
    case 2: return 4096ull << random_bits() % 8;
    case 3: return (uintptr_t)requests_arena + random_bits() % REQUESTS_ARENA;
    case 4: return ((uintptr_t)requests_arena + random_bits() % REQUESTS_ARENA) & ~UINT64_C(4095);
    case 5: return UINT64_C(1) << random_bits() % 64;
    case 6: return (uint64_t)random_bits() << 32 | random_bits();
    default: return random_bits() % 64;
    }
}

static const unsigned long requests[] = {
    DRM_IOCTL_VERSION,
    DRM_IOCTL_GEM_CLOSE,
    DRM_IOCTL_PRIME_HANDLE_TO_FD,
    DRM_IOCTL_I915_GETPARAM,
    DRM_IOCTL_I915_QUERY,
    DRM_IOCTL_I915_GEM_MMAP_OFFSET,
    DRM_IOCTL_I915_GEM_SET_DOMAIN,
    DRM_IOCTL_I915_GEM_SET_TILING,
    DRM_IOCTL_I915_GEM_GET_TILING,
    DRM_IOCTL_I915_GEM_BUSY,
    DRM_IOCTL_I915_GEM_EXECBUFFER2,
    DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT,
    DRM_IOCTL_I915_GEM_CONTEXT_DESTROY,
    DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM,
    DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM,
    DRM_IOCTL_I915_GEM_VM_CREATE,
    DRM_IOCTL_I915_GEM_VM_DESTROY,
    DRM_IOCTL_I915_REG_READ,
    DRM_IOCTL_I915_GET_RESET_STATS,
    DRM_IOCTL_I915_GEM_PREAD,
    DRM_IOCTL_GET_CAP,
};

/* An object full of MI_BATCH_BUFFER_END, so that any batch that gets through ends. */
static void create_object(void)
{
    struct drm_i915_gem_create create = {.size = random_bits() % 4 ? 1 + random_bits() % 65536 : random_value()};
    if (requests_send(DRM_IOCTL_I915_GEM_CREATE, &create))
        return;
    CHECK(requests_fill(create.handle) || create.size > 65536);
}

/* Wrapped memory is the arena's; waits do not last. */
static void create_wrapped(void)
{
    struct drm_i915_gem_userptr user = {.user_ptr = ((uintptr_t)requests_arena + random_bits() % REQUESTS_ARENA) &
                                                    ~UINT64_C(4095),
                                        .user_size = random_value(),
                                        .flags = random_bits() % 4 ? 0 : (uint32_t)random_value()};
    if (user.user_ptr + user.user_size <= (uintptr_t)requests_arena + REQUESTS_ARENA || random_bits() % 2)
        if (requests_send(DRM_IOCTL_I915_GEM_USERPTR, &user) == 0) {
            struct drm_gem_close close_request = {.handle = user.handle};
            CHECK_EQUAL(requests_send(DRM_IOCTL_GEM_CLOSE, &close_request), 0);
        }
}

static void map_object(void)
{
    struct drm_i915_gem_mmap map = {
        .handle = 1 + random_bits() % 8, .size = random_value(), .offset = random_value(), .flags = random_bits() % 3};
    if (requests_send(DRM_IOCTL_I915_GEM_MMAP, &map) == 0)
        munmap((void *)(uintptr_t)map.addr_ptr, map.size);
}

/* Any descriptor, also ones of other files and closed ones. */
static void import_object(void)
{
    struct drm_prime_handle prime = {.fd = (int)(random_bits() % 64) - 2,
                                     .flags = random_bits() % 4 ? 0 : random_bits()};
    if (requests_send(DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime) == 0) {
        struct drm_gem_close close_request = {.handle = prime.handle};
        CHECK_EQUAL(requests_send(DRM_IOCTL_GEM_CLOSE, &close_request), 0);
    }
}

static void wait_object(void)
{
    struct drm_i915_gem_wait wait = {.bo_handle = 1 + random_bits() % 8, .timeout_ns = random_bits() % 1000};
    requests_send(DRM_IOCTL_I915_GEM_WAIT, &wait);
}

/* A list of objects at addresses that often fit. */
static void execute(void)
{
    struct drm_i915_gem_exec_object2 list[4];
    struct drm_i915_gem_execbuffer2 request = {.buffers_ptr = (uintptr_t)list, .buffer_count = 1 + random_bits() % 4};
    memset(list, 0, sizeof list);
    for (unsigned i = 0; i < 4; i++) {
        list[i].handle = 1 + random_bits() % 8;
        list[i].offset = random_bits() % 4 ? (i + 1) * UINT64_C(0x100000) : random_value();
        list[i].flags = EXEC_OBJECT_PINNED | (random_bits() % 4 ? 0 : random_value());
    }
    request.batch_start_offset = random_bits() % 2 ? 0 : random_value();
    request.batch_len = random_bits() % 2 ? 8 : (uint32_t)random_value();
    request.flags = random_bits() % 4 ? I915_EXEC_RENDER : random_value();
    request.rsvd1 = random_bits() % 2 ? 0 : random_value();
    requests_send(DRM_IOCTL_I915_GEM_EXECBUFFER2, &request);
}

static void anything(void)
{
    uint64_t structure[32];
    unsigned long number = requests[random_bits() % (sizeof requests / sizeof requests[0])];
    for (unsigned i = 0; i < 32; i++)
        structure[i] = random_bits() % 2 ? random_value() : (random_value() & UINT32_MAX) | random_value() << 32;
    if (random_bits() % 8 == 0) /* another version of the structure */
        number = _IOC(_IOC_DIR(number), _IOC_TYPE(number), _IOC_NR(number), random_bits() % 256);
    if (random_bits() % 8 == 0)
        number = random_bits();
    if (_IOC_NR(number) == DRM_COMMAND_BASE + DRM_I915_GEM_USERPTR ||
        _IOC_NR(number) == DRM_COMMAND_BASE + DRM_I915_GEM_WAIT ||
        _IOC_NR(number) == DRM_COMMAND_BASE + DRM_I915_GEM_MMAP ||
        _IOC_NR(number) == DRM_COMMAND_BASE + DRM_I915_GEM_CREATE ||
        _IOC_NR(number) == _IOC_NR(DRM_IOCTL_PRIME_FD_TO_HANDLE))
        return; /* these have functions of their own: they would map or wait */
    int result = requests_send(number, random_bits() % 16 ? (void *)structure : (void *)(uintptr_t)random_value());
    const struct drm_prime_handle *prime = (const void *)structure;
    if (number == DRM_IOCTL_PRIME_HANDLE_TO_FD && result == 0 && prime->fd > 2)
        close(prime->fd);
}

int main(int count, char **arguments)
{
    static void (*const actions[])(void) = {create_object, create_wrapped, map_object, wait_object, import_object,
                                            execute,       execute,        anything,   anything};
    const struct shard shard = shard_take(&count, arguments);
    CHECK_EQUAL(count, 2);
    unsigned long rounds = strtoul(arguments[1], NULL, 10), played = 0;
    requests_start("icllp", &i915_interface);
    CHECK_EQUAL(kernel_file_open(&requests_file, &requests_device), 0);
    for (unsigned long round = 0; round < rounds; round++)
        if (shard_plays(&shard, round, STRETCH, &random_state)) {
            actions[random_bits() % (sizeof actions / sizeof actions[0])]();
            played++;
        }
    struct requests_count n = requests_count;
    printf("%lu answered, %lu refused, %lu stopped by name\n", n.answered, n.refused, n.stopped);
    CHECK(played < 1000 || (n.answered > played / 20 && n.refused > played / 20 && n.stopped > 0));
    return 0;
}
