/* Computes in scalar C what the kernel of split_lanes.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* Three rounds of an if for 16 lanes, and a loop that all leave together. */
static void split_lanes(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u16, a, 32, 0);
    IN(u8, b, 32, 64);
    IN(u8, c, 8 * 64, 96);
    IN(u8, d, 2 * 16, 608);
    IN(int, e, 32 * 16, 640);
    EACH(k, 32) b[k] &= 15;
    EACH(k, 8 * 64) c[k] &= 7;
    unsigned s0 = a[0], s1 = b[0], s2 = c[64 + 1], s3 = (u8)(s0 * 86), s4 = s1;
    EACH(round, 3)
    {
        u8 first[16], other[16];
        EACH(k, 16) first[k] = a[s0 % 9 + 2 + (unsigned)k] < d[k / 8 * 16 + (int)(s2 & 1) + 2 * (k % 8)];
        EACH(k, 16)
        if (first[k])
            d[k / 8 * 16 + 5 + k % 8] = (u8)(d[k / 8 * 16 + 5 + k % 8] * a[s4 % 32]);
        EACH(k, 16)
        other[k] = c[((int)(s3 % 7) + k / 8) * 64 + 13 + 2 * (k % 8)] | d[k / 8 * 16 + (int)(s4 % 6) + k % 8];
        EACH(k, 16)
        if (!first[k])
            d[(int)(s1 & 1) * 16 + k] |= other[k];
    }
    u8 factor[16];
    EACH(k, 16)
    {
        int i = e[(int)(s2 % 497) + k / 8 + 2 * (k % 8)], j = a[(int)(s1 % 4) + k];
        factor[k] = (u8)((u32)b[a[10 + k] & 31] >> ((i < j ? i : j) & 31));
    }
    EACH(k, 16) b[(int)(s4 % 11) + k] = (u8)(b[(int)(s4 % 11) + k] * factor[k]);
    EACH(k, 16) a[10 + k] = (u16)(a[10 + k] * b[9 + k]);
    OUT(0, a);
    OUT(64, d);
}

REFERENCE(split_lanes)
