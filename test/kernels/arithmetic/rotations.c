/* Computes in scalar C what the kernel of rotations.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void rotations(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 16, 0);
    IN(u32, b, 16, 64);
    IN(u16, c, 32, 0);
    IN(u16, d, 32, 64);
    EACH(k, 16)
    {
        u32 n = b[k] & 31;
        a[k] = (a[k] << n | a[k] >> ((32 - n) & 31)) + (b[k] >> 7 | b[k] << 25);
    }
    EACH(k, 32) c[k] = (u16)(c[k] >> (d[k] & 15) | c[k] << (16 - (d[k] & 15)));
    OUT(0, a);
    OUT(64, c);
}

REFERENCE(rotations)
