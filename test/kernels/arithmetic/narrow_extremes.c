/* Computes in scalar C what the kernel of narrow_extremes.cm must write. */
#include <stdint.h>
#include <stdlib.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

static void narrow_extremes(const void *in, void *out, unsigned thread)
{
    IN(u8, a, 32, thread * 16);
    IN(u8, b, 32, 64 + thread * 16);
    IN(i16, s, 32, 128 + thread * 16);
    IN(i16, t, 32, 256 + thread * 16);
    IN(u16, u, 32, 384 + thread * 16);
    IN(i16, many, 128, 512 + thread * 16);
    i16 first[32], apart[32], mixed[32], with[32];
    u16 sum[32], floor[32];
    u8 clamped[32];
    int8_t low[128], rest[96];
    EACH(k, 32)
    {
        first[k] = (i16)(larger(8 - (abs(a[k] - b[k]) >> 3), 0) * a[k]);
        sum[k] = (u16)smaller(s[k] + t[k], 1000);
        apart[k] = (i16)(larger(s[k], t[k]) - smaller(s[k], t[k]));
        mixed[k] = (i16)larger(smaller(a[k] - b[k], s[k]), u[k] & 0x7ff);
        with[k] = (i16)larger(u[k], s[k]);
        clamped[k] = (u8)smaller(larger((a[k] * 3 - b[k] * 2) >> 1, 0), 255);
        floor[k] = u[k] + 1u < 60000 ? (u16)(u[k] + 1u) : 60000;
    }
    EACH(k, 128)
    {
        int weight = many[k] < 60 && many[k] > -20000 ? many[k] >> 1 : 1;
        low[k] = (int8_t)(many[k] == 61 || many[k] > 9000 ? 3 : weight);
    }
    EACH(k, 96) rest[k] = many[30 + k] > 100 ? (int8_t)many[20 + k] : 7;
    OUT(thread * 640, first);
    OUT(thread * 640 + 64, sum);
    OUT(thread * 640 + 128, apart);
    OUT(thread * 640 + 192, mixed);
    OUT(thread * 640 + 256, with);
    OUT(thread * 640 + 320, clamped);
    OUT(thread * 640 + 352, floor);
    OUT(thread * 640 + 416, low);
    OUT(thread * 640 + 544, rest);
}

REFERENCE(narrow_extremes)
