/* Computes in scalar C what the kernel of internals.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void internals(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 16, 0);
    u32 r[16] = {v[2], 7, 0, 1, 1, 1, 1, 1, 4};
    OUT(0, r);
}

REFERENCE(internals)
