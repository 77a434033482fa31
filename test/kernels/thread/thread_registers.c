/* Computes in scalar C what the kernel of thread_registers.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void thread_registers(const void *in, void *out, unsigned thread)
{
    u32 result[8] = {thread / 4, 0, 1};
    (void)in;
    OUT(thread * 32, result);
}

REFERENCE(thread_registers)
