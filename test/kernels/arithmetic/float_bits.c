/* Computes in scalar C what the kernel of float_bits.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void float_bits(const void *in, void *out, unsigned thread)
{
    static const u32 first[6] = {0, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000, 1};
    IN(u32, bits, 16, thread * 64);
    u32 found[16];
    float sums[16] = {0};
    memcpy(bits, first, sizeof first);
    EACH(i, 16)
    {
        u32 size = bits[i] & 0x7fffffff;
        found[i] = (bits[i] == 0) + (bits[i] == 0x80000000) * 2u + (size == 0x7f800000) * 4u +
                   (size <= 0x7f800000) * 8u + ((bits[i] & 0x7f800000) == 0) * 16u;
    }
    EACH(i, 7)
    sums[i] = (float)(bits[8 + i] & 0xff) * 0.25f + 0.5f;
    EACH(i, 3)
    sums[8 + 2 * i] = sums[2 + i] * 2.0f + (float)(bits[9 + i] & 0xff);
    OUT(0, found);
    OUT(64, sums);
}

REFERENCE(float_bits)
