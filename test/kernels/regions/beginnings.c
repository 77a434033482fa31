/* Computes in scalar C what the kernel of beginnings.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void beginnings(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, from, 1088, 0);
    u32 numbers[64];
    EACH(k, 64) numbers[k] = from[16 * k + 6 + k % 8];
    OUT(0, numbers);
}

REFERENCE(beginnings)
