/* Computes in scalar C what the kernel of random_rounding.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* A half of the bits of a float, by integers: the significand with 13 random bits added, cut at the half's last bit. */
static u16 rounded(u32 word, u32 random)
{
    u32 sign = word >> 16 & 0x8000, magnitude = word & 0x7fffffff;
    if (magnitude == 0x7f800000)
        return (u16)(sign | 0x7c00);
    magnitude += random & 0x1fff;
    int exponent = (int)(magnitude >> 23) - 127;
    u32 significand = (magnitude & 0x7fffff) | 0x800000;
    if (exponent > 15)
        return (u16)(sign | 0x7c00);
    if (exponent >= -14)
        return (u16)(sign | (u32)(exponent + 15) << 10 | (significand >> 13 & 0x3ff));
    int shift = 13 + (-14 - exponent);
    return (u16)(sign | (magnitude >> 23 == 0 || shift > 23 ? 0 : significand >> shift));
}

static void random_rounding(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, bits, 64, 0);
    IN(u32, random, 64, 256);
    u16 r[256];
    EACH(k, 64)
    {
        bits[k] = (bits[k] & 0x807fffff) | (u32)(100 + k) << 23;
    }
    bits[50] = 0x7f800000;
    bits[51] = 0xff800000;
    bits[52] = 0x3fffffff;
    bits[53] = 0x477fefff;
    bits[54] = 0;
    bits[55] = 0x80000000;
    EACH(k, 64)
    {
        r[k] = r[64 + k] = r[192 + k] = rounded(bits[k], random[k]);
    }
    EACH(k, 32)
    {
        r[128 + k] = rounded(bits[1 + 2 * k], random[1 + 2 * k]);
        r[160 + k] = rounded(bits[20], random[20]);
        if (random[k] & 1)
            r[192 + k] = rounded(bits[32 + k], bits[k]);
    }
    r[161] = rounded(bits[21], bits[22]);
    memcpy((u8 *)out, r, 512);
}

REFERENCE(random_rounding)
