/* Computes in scalar C what the kernel of four_channels.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void four_channels(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 128, 0);
    u32 r[128];
    EACH(k, 32) EACH(c, 4) r[(31 - k) * 4 + c] = a[k * 4 + c] + (u32)c;
    OUT(0, r);
}

REFERENCE(four_channels)
