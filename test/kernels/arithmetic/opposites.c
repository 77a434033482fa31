/* Computes in scalar C what the kernel of opposites.cm must write. */
#include "test/kernels/arithmetic.h"
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static i32 least_of(i32 a, i32 b)
{
    return a < b ? a : b;
}

static void opposites(const void *in, void *out, unsigned thread)
{
    const u8 *b = (const u8 *)in + thread * 256;
    IN(i32, v, 16, thread * 256 + 64);
    IN(i32, many, 32, thread * 256 + 64);
    i32 sum[24], answer[16], wide[16], less[16], long_ones[16], at20 = many[20], at3;
    i16 narrow[16];
    float f[16], g[16];
    EACH(k, 24) sum[k] = 1000;
    EACH(k, 32)
    {
        u32 shifted = (u32)many[k] << ((b[k] | 28) & 31);
        many[k] ^= (i16)least_of(opposite_of((i32)shifted), at20);
    }
    EACH(k, 16) if ((v[k] & 3) == 0) v[k] = INT32_MIN;
    at3 = v[3];
    EACH(k, 16)
    {
        u8 chosen = b[b[16 + k] & 15];
        i32 opposite = opposite_of(v[k]);
        sum[(b[31] & 7) + k] -= b[chosen & 31];
        narrow[k] = (i16)(3 - chosen);
        answer[k] = (opposite < 0) + opposite / 3;
        answer[k] ^= (i16)least_of(opposite, at3);
        answer[k] ^= (i32)((u32)many[k] + (u32)many[16 + k] * 3);
        f[k] = (float)opposite;
        i16 s = (v[k] & 5) == 0 ? INT16_MIN : (i16)v[k];
        wide[k] = (i16)-s;
        less[k] = wide[k] < 0;
        int8_t c = (v[k] & 6) == 0 ? INT8_MIN : (int8_t)chosen;
        long_ones[k] = (int8_t)-c;
        g[k] = (float)long_ones[k];
    }
    memcpy((u8 *)out + thread * 512, sum + 4, 64);
    OUT(thread * 512 + 64, narrow);
    OUT(thread * 512 + 128, answer);
    OUT(thread * 512 + 192, f);
    OUT(thread * 512 + 256, wide);
    OUT(thread * 512 + 320, less);
    OUT(thread * 512 + 384, long_ones);
    OUT(thread * 512 + 448, g);
}

REFERENCE(opposites)
