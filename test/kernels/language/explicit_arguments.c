/* Computes in scalar C what the kernel of explicit_arguments.cm must write. */
#include <math.h>
#include <stdlib.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static int to_range(int64_t x, int64_t low, int64_t high)
{
    return (int)(x < low ? low : x > high ? high : x);
}

/* A half that is not subnormal. */
static float of_half(u16 bits)
{
    return ldexpf((bits & 0x3ff) | 0x400, (bits >> 10 & 31) - 25);
}

static void explicit_arguments(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(int32_t, a, 32, 0);
    const int32_t *b = a + 16;
    int32_t row[16][16];
    int sum = 0;
    EACH(k, 16) sum += a[k] >> 5;
    EACH(k, 16)
    {
        u32 x = (u32)a[k], y = (u32)b[k], four = (unsigned)k % 4;
        uint64_t wide = ((uint64_t)x << 32 | y) >> (k * 4);
        row[0][k] = k == 7 || wide == 0 ? 64 : __builtin_clzll(wide);
        int v = k == 3 ? 0 : k == 5 ? -1 : a[k] >> 24, none = v == 0 || v == -1;
        row[1][k] = none ? 99 : __builtin_clz((u32)(v < 0 ? ~v : v));
        int16_t s = k ? (int16_t)a[k] : -32768, t = k ? (int16_t)(b[k] | 1) : -1;
        row[2][k] = (int16_t)(s / t) * 3 + (int16_t)(s % t);
        u32 p = (u32)a[8 + four], q = (u32)b[8 + four], one = (u32)a[4 * four + 1];
        u32 rows[4] = {p + q, p + q < p, one - 12345, one < 12345};
        row[3][k] = (int32_t)rows[k / 4];
        int even = k & ~1;
        u32 alone = 0, both = 0;
        for (int lane = even; lane < even + 2 && k % 2 == 0; lane++) {
            alone += (u32)abs((a[lane] & 255) - 44);
            both += (u32)abs((b[lane] & 255) - (a[lane] & 255));
        }
        row[4][k] = (int32_t)(alone + both * 65536);
        row[5][k] = (int)both + 7;
        float small = (float)(a[k] & 255), weight = (float)(b[k] & 3) * 0.25f;
        float line = small * 2 + 3, mix = small * 0.015625f * weight + 0.5f * (1 - weight);
        memcpy(&row[6][k], &line, 4);
        mix = mix > 1 ? 1 : mix;
        memcpy(&row[7][k], &mix, 4);
        row[8][k] = (int32_t)((y & 255) + (x & 255) * 256 + ((u16)s | (u32)(u16)t << 16));
        float half_value = of_half((u16)((a[k] & 0x3bff) | 0x400));
        memcpy(&row[9][k], &half_value, 4);
        float rest = k / 4 == 2 ? fmodf((float)a[4 + four], (float)b[4 + four]) : fmodf((float)a[k], 7.25f);
        memcpy(&row[10][k], &rest, 4);
        int most = a[k] > b[k] ? a[k] : b[k];
        row[11][k] = to_range((int64_t)a[k] + b[k], -32768, 32767) * 3 + to_range(most, 0, 255);
        int64_t product = (int64_t)a[k] * b[k];
        row[12][k] = (int32_t)((u32)(product >> 32) ^ (u32)product);
        row[13][k] = (int32_t)((u32)abs(a[k] >> 3) + (u32)__builtin_popcount(y));
        row[14][k] = (int32_t)(y + (u32)k);
        row[15][k] = b[k];
    }
    EACH(k, 4)
    {
        u32 n = a[4 * k + 3] & 255, top = n ? 32 - (u32)__builtin_clz(n) : 0;
        row[9][4 + k] = n ? (int32_t)((14 + top) << 10 | ((n << (11 - top)) & 0x3ff)) : 0;
    }
    row[13][0] = sum;
    row[13][1] = b[3] != 0;
    row[13][2] = 5 + ((int32_t)((u32)a[4] << 24) >> 27);
    OUT(0, row);
}

REFERENCE(explicit_arguments)
