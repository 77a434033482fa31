/* Computes in scalar C what the kernel of short_floats.cm must write. */
#include <stdbool.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* The nearest multiple of 2^bits of a float's bits, the even one of two. */
static u32 shortened(u32 word, unsigned bits)
{
    u32 below = word >> bits << bits, rest = word - below, half_way = 1u << (bits - 1);
    bool up = rest > half_way || (rest == half_way && below >> bits & 1);
    return below + (up ? 1u << bits : 0);
}

static void short_floats(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 64, 0);
    u32 r[256] = {0};
    for (int k = 0; k < 64; k += 4) {
        a[k] = (a[k] & 0xffff0000) | 0x8000;
        a[k + 1] = (a[k + 1] & 0xffffe000) | 0x1000;
    }
    a[2] = 0x7f7fffff;
    a[3] = 0xff800000;
    EACH(k, 64)
    {
        a[k] &= ~(u32)0x04000000;
        put16((u8 *)r + 2 * k, (u16)(shortened(a[k], 16) >> 16));
        r[64 + k] = shortened(a[k], 13);
        r[128 + k] = shortened(a[k], 16);
        r[192 + k] = 0x3f808000;
    }
    r[193] = 256;
    memcpy((u8 *)out, r, 128);
    memcpy((u8 *)out + 256, r + 64, 768);
}

REFERENCE(short_floats)
