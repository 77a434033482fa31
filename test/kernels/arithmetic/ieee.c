/* Computes in scalar C what the kernel of ieee.cm must write. */
#include <math.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static float float_of(u32 bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static u32 bits_of(float x)
{
    u32 bits;
    memcpy(&bits, &x, sizeof x);
    return bits;
}

static u32 one_nan(float x)
{
    return isnan(x) ? 0x7fc00000 : bits_of(x);
}

static void ieee(const void *in, void *out, unsigned thread)
{
    static const u32 special[8] = {0x00000000, 0x7f800000, 0x3f800000, 0x7dffffff,
                                   0x00800000, 0xbf800000, 0x80000000, 0xff800000};
    IN(u32, a, 16, thread * 128);
    IN(u32, b, 16, thread * 128 + 64);
    u32 row[3][16];
    EACH(k, 16)
    {
        u32 x = (a[k] & 0x807fffff) | ((a[k] >> 23 & 63) + 96) << 23;
        row[0][k] = bits_of(float_of(x) / float_of((b[k] & 0x807fffff) | ((b[k] >> 23 & 63) + 96) << 23));
        row[1][k] = bits_of(sqrtf(float_of(x & 0x7fffffff)));
    }
    EACH(k, 8)
    {
        float q = float_of(special[thread * 2]) / float_of(special[k]);
        row[2][k] = one_nan(q);
        row[2][8 + k] = one_nan(sqrtf(float_of(special[k])));
    }
    OUT(thread * 192, row);
}

REFERENCE(ieee)
