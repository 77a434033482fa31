/* Computes in scalar C what the kernel of untyped.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void untyped(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 256, 0);
    EACH(k, 16)
    {
        put32((u8 *)out + 16 * k, a[4 * k]);
        put32((u8 *)out + 16 * k + 4, a[4 * k + 1] + a[4 * k + 2]);
        put32((u8 *)out + 16 * k + 8, a[4 * k + 2]);
    }
    EACH(k, 8)
    {
        unsigned from = (unsigned)(k + 3) * 4 ^ 5;
        put32((u8 *)out + 16 * (16 + k), a[from + 1]);
        put32((u8 *)out + 16 * (16 + k) + 8, a[from + 3]);
    }
    EACH(k, 32) put32((u8 *)out + 16 * (32 + k) + 12, 4 * k + 150 < 256 ? a[4 * k + 150] : 0);
}

REFERENCE(untyped)
