/* Computes in scalar C what the kernel of shared_large.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void shared_large(const void *in, void *out, unsigned thread)
{
    IN(u32, other, 16, (thread / 4 * 4 + 3 - thread % 4) * 64);
    u32 r[16];
    EACH(k, 16) r[k] = other[k] * 2 + other[k] + 1000;
    OUT(thread * 64, r);
}

REFERENCE(shared_large)
