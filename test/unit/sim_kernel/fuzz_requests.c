/* Hostile requests: structures of every i915 ioctl with random, often nearly right contents, in random order. Each must
 * be answered, or stop the program by name; built with sanitizers, so that memory errors show. Usage: fuzz_requests
 * ROUNDS */
#include <drm.h>
#include <errno.h>
#include <i915_drm.h>
#include <setjmp.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include "check.h"
#include "sim/kernel/kernel.h"
#include "sim/process.h"

static struct kernel_device device;
static struct kernel_file file;
static jmp_buf stopped;
static unsigned long answered, refused, stops;

/* In place of sim/process.c: a request that is named and refused comes back here instead of ending the process. */
_Noreturn void sim_process_fault(const struct sim_fault *fault, const char *where)
{
    (void)fault, (void)where;
    longjmp(stopped, 1);
}

_Noreturn void sim_process_stop(const char *format, ...)
{
    CHECK(format && *format);
    longjmp(stopped, 1);
}

void sim_process_continue_on_faults(void) {}

int sim_process_continues(void)
{
    return 0;
}

int sim_process_count_dropped(const struct sim_fault *fault, uint64_t kernel)
{
    (void)fault, (void)kernel;
    return 0;
}

static uint64_t random_state = 20261122;

static uint32_t random_bits(void)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 16);
}

/* What pointers in structures mostly name. There is nothing around it: what is written past its end (a query writes an
 * answer into every item of its list) must not change the program itself. */
enum { ARENA = 1 << 16 };
static uint8_t *arena;

static void create_arena(void)
{
    uint8_t *room = mmap(NULL, 3 * ARENA, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(room != MAP_FAILED);
    arena = room + ARENA;
    CHECK_EQUAL(mprotect(arena, ARENA, PROT_READ | PROT_WRITE), 0);
}

static uint64_t random_value(void)
{
    switch (random_bits() % 8) {
    case 0: return 0;
    case 1: return 1 + random_bits() % 8; /* handles, contexts, spaces */
    case 2: return 4096ull << random_bits() % 8;
    case 3: return (uintptr_t)arena + random_bits() % ARENA;
    case 4: return ((uintptr_t)arena + random_bits() % ARENA) & ~UINT64_C(4095);
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

static int send(unsigned long number, void *argument)
{
    if (setjmp(stopped)) {
        stops++;
        return -ENOSYS;
    }
    int result = kernel_i915.ioctl(&file, number, argument);
    CHECK(result <= 0 && result > -4096);
    if (result)
        refused++;
    else
        answered++;
    return result;
}

/* An object full of MI_BATCH_BUFFER_END, so that any batch that gets through ends. */
static void create_object(void)
{
    struct drm_i915_gem_create create = {.size = random_bits() % 4 ? 1 + random_bits() % 65536 : random_value()};
    if (send(DRM_IOCTL_I915_GEM_CREATE, &create))
        return;
    struct object *object = object_find(&file.objects, create.handle);
    CHECK(object && object->size == create.size);
    if (object->size <= 65536) {
        for (size_t i = 0; i < object->size / 4; i++)
            ((uint32_t *)(void *)object->host)[i] = 0x05000000;
    } else {
        object_handle_close(&file.objects, create.handle);
    }
    object_release(object);
}

/* Wrapped memory is the arena's; waits do not last. */
static void create_wrapped(void)
{
    struct drm_i915_gem_userptr user = {.user_ptr = ((uintptr_t)arena + random_bits() % ARENA) & ~UINT64_C(4095),
                                        .user_size = random_value(),
                                        .flags = random_bits() % 4 ? 0 : (uint32_t)random_value()};
    if (user.user_ptr + user.user_size <= (uintptr_t)arena + ARENA || random_bits() % 2)
        if (send(DRM_IOCTL_I915_GEM_USERPTR, &user) == 0) {
            struct drm_gem_close close_request = {.handle = user.handle};
            CHECK_EQUAL(send(DRM_IOCTL_GEM_CLOSE, &close_request), 0);
        }
}

static void map_object(void)
{
    struct drm_i915_gem_mmap map = {
        .handle = 1 + random_bits() % 8, .size = random_value(), .offset = random_value(), .flags = random_bits() % 3};
    if (send(DRM_IOCTL_I915_GEM_MMAP, &map) == 0)
        munmap((void *)(uintptr_t)map.addr_ptr, map.size);
}

/* Any descriptor, also ones of other files and closed ones. */
static void import_object(void)
{
    struct drm_prime_handle prime = {.fd = (int)(random_bits() % 64) - 2,
                                     .flags = random_bits() % 4 ? 0 : random_bits()};
    if (send(DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime) == 0) {
        struct drm_gem_close close_request = {.handle = prime.handle};
        CHECK_EQUAL(send(DRM_IOCTL_GEM_CLOSE, &close_request), 0);
    }
}

static void wait_object(void)
{
    struct drm_i915_gem_wait wait = {.bo_handle = 1 + random_bits() % 8, .timeout_ns = random_bits() % 1000};
    send(DRM_IOCTL_I915_GEM_WAIT, &wait);
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
    send(DRM_IOCTL_I915_GEM_EXECBUFFER2, &request);
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
    int result = send(number, random_bits() % 16 ? (void *)structure : (void *)(uintptr_t)random_value());
    const struct drm_prime_handle *prime = (const void *)structure;
    if (number == DRM_IOCTL_PRIME_HANDLE_TO_FD && result == 0 && prime->fd > 2)
        close(prime->fd);
}

int main(int count, char **arguments)
{
    static void (*const actions[])(void) = {create_object, create_wrapped, map_object, wait_object, import_object,
                                            execute,       execute,        anything,   anything};
    struct sim_options options = {.platform = platform_find("icllp"), .threads = 1};
    CHECK_EQUAL(count, 2);
    unsigned long rounds = strtoul(arguments[1], NULL, 10);
    create_arena();
    CHECK_EQUAL(kernel_device_create(&device, &options, &kernel_i915), 0);
    CHECK_EQUAL(kernel_file_open(&file, &device), 0);
    for (unsigned long round = 0; round < rounds; round++)
        actions[random_bits() % (sizeof actions / sizeof actions[0])]();
    printf("%lu answered, %lu refused, %lu stopped by name\n", answered, refused, stops);
    CHECK(rounds < 1000 || (answered > rounds / 20 && refused > rounds / 20 && stops > 0));
    return 0;
}
