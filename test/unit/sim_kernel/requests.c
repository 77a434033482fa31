#include "requests.h"

#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdbool.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include "sim/base/process.h"

uint8_t *requests_arena;
struct kernel_device requests_device;
struct kernel_file requests_file;
struct requests_count requests_count;
enum { CALLERS_STACK = 1 << 16 }; /* bytes above a frame in which its callers keep structures */
static jmp_buf stopped;
static pthread_t sender;

/* The structure of the current request, unless its address is spoiled too. */
static struct {
    const void *at;
    size_t bytes;
} argument_now;

/* Replaces sim/base/process.c: an unsupported request returns to requests_send() instead of ending the process. The
 * batches here are all supported. */
static _Noreturn void come_back(void)
{
    CHECK(pthread_equal(pthread_self(), sender));
    longjmp(stopped, 1);
}

_Noreturn void sim_process_fault(const struct sim_fault *fault, const char *where)
{
    sim_fault_print(fault, where, stderr);
    come_back();
}

_Noreturn void sim_process_stop(const char *format, ...)
{
    CHECK(format && *format);
    come_back();
}

void sim_process_at_fault(sim_process_last *run)
{
    (void)run;
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

static bool is_inside(const struct iovec *place, const void *start, size_t bytes)
{
    uintptr_t offset = (uintptr_t)place->iov_base - (uintptr_t)start;
    return offset < bytes && place->iov_len <= bytes - offset;
}

/* Stands for the C library's function, with which the simulator writes to addresses of the program. A corrupted
 * pointer may name mapped memory that is not the program's: the sanitizer's shadow, or this program's stack. Here,
 * addresses outside of the arena and of the request's structure count as unmapped. */
ssize_t process_vm_writev(pid_t process, const struct iovec *local, unsigned long local_count,
                          const struct iovec *remote, unsigned long remote_count, unsigned long flags)
{
    if (is_inside(remote, requests_arena, REQUESTS_ARENA) || is_inside(remote, argument_now.at, argument_now.bytes))
        return syscall(SYS_process_vm_writev, process, local, local_count, remote, remote_count, flags);
    errno = EFAULT;
    return -1;
}

/* The arena is separate from the program's data: writes past its end (a query writes to every item of its list) must
 * not change the program. */
void requests_start(const char *device, const struct kernel_interface *interface)
{
    struct sim_options options = {.platform = platform_find(device), .threads = 1};
    uint8_t *room = mmap(NULL, 3 * REQUESTS_ARENA, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    CHECK(room != MAP_FAILED);
    requests_arena = room + REQUESTS_ARENA;
    CHECK_EQUAL(mprotect(requests_arena, REQUESTS_ARENA, PROT_READ | PROT_WRITE), 0);
    sender = pthread_self();
    CHECK_EQUAL(kernel_device_create(&requests_device, &options, interface), 0);
}

int requests_send(unsigned long number, void *argument)
{
    const struct iovec structure = {argument, 0};
    argument_now.at = is_inside(&structure, __builtin_frame_address(0), CALLERS_STACK) ? argument : NULL;
    argument_now.bytes = argument_now.at ? _IOC_SIZE(number) : 0;
    if (setjmp(stopped)) {
        requests_count.stopped++;
        return -ENOSYS;
    }
    int result = requests_device.interface->ioctl(&requests_file, number, argument);
    CHECK(result <= 0 && result > -4096);
    if (result)
        requests_count.refused++;
    else
        requests_count.answered++;
    return result;
}

int requests_fill(uint32_t handle)
{
    struct object *object = object_find(&requests_file.objects, handle);
    CHECK(object);
    int fits = object->size <= 65536;
    for (size_t i = 0; fits && i < object->size / 4; i++)
        ((uint32_t *)(void *)object->host)[i] = 0x05000000;
    object_release(object);
    if (!fits)
        object_handle_close(&requests_file.objects, handle);
    return fits;
}

uint32_t requests_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t)(*state >> 16);
}
