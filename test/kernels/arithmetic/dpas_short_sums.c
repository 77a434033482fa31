/* Computes in scalar C what the kernel of dpas_short_sums.cm must write. */
#include <math.h>
#include "test/kernels/elements.h"
#include "test/kernels/flat.h"
#include "test/kernels/reference.h"

static u16 brain_bits(double x)
{
    enum { DIGITS = 8 };
    int exponent;
    double size = frexp(x, &exponent);
    float value = (float)ldexp(nearbyint(ldexp(size, DIGITS)), exponent - DIGITS);
    u32 bits;
    memcpy(&bits, &value, sizeof bits);
    return (u16)(bits >> 16);
}

static void dpas_short_sums(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u16, b, 128, 0);
    IN(u16, a, 128, 256);
    u16 halves[64], brains[64];
    float wide[64], wider[64];
    EACH(r, 8) EACH(c, 8)
    {
        double half_sum = 0.125, brain_sum = 0.125;
        EACH(k, 16)
        {
            u16 x = b[(k / 2 * 8 + c) * 2 + k % 2], y = a[16 * r + k];
            half_sum += half_of((x & 0x8300) | 0x3800) * half_of((y & 0x8300) | 0x3800);
            brain_sum += brain_of((x & 0x8060) | 0x3f00) * brain_of((y & 0x8060) | 0x3f00);
        }
        halves[8 * r + c] = half_bits(half_sum);
        brains[8 * r + c] = brain_bits(brain_sum);
        wide[8 * r + c] = (float)half_sum;
        wider[8 * r + c] = (float)brain_sum;
    }
    OUT(0, halves);
    OUT(128, brains);
    OUT(256, wide);
    OUT(512, brains);
    memcpy((u8 *)out + 640, wider, 192);
}

REFERENCE(dpas_short_sums)
