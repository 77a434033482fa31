/* Computes in scalar C what the kernel of flat_channels.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void flat_channels(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 512, 0);
    EACH(k, 32) EACH(c, 4)
    {
        put32((u8 *)out + 16 * k + 4 * c, c == 2 ? a[4 * k + 2] + a[4 * k + 3] : a[4 * k + c]);
    }
    EACH(k, 8)
    {
        unsigned from = 128 + ((unsigned)(k + 3) * 5 & 31) * 4, to = 128 + ((unsigned)k * 5 & 31) * 4;
        put32((u8 *)out + 4 * to, a[from + 1] ^ 1);
        put32((u8 *)out + 4 * to + 12, a[from + 2] ^ 1);
    }
    EACH(k, 16) put32((u8 *)out + 1536 + (k - 8) * 16 + 256 + 4, a[384 + (k - 8) * 4 + 2]);
}

REFERENCE(flat_channels)
