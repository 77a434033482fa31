/* Computes in scalar C what the kernels of elementary.cm must write. */
#include <math.h>
#include "test/kernels/arithmetic.h"
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* Computes one lane of `functions`. */
static void elementary_lane(double x, double y, float row[][16], int k)
{
    const double value[] = {sin(x),
                            cos(x),
                            exp2(x),
                            log2(y),
                            1 / y,
                            sqrt(y),
                            1 / sqrt(y),
                            pow(y, x),
                            exp2(x),
                            x - floor(x),
                            unit_clamped(exp2(x)),
                            unit_clamped(sin(x)),
                            unit_clamped(y * y)};
    EACH(f, 13) row[f][k] = (float)value[f];
}

static void elementary(const void *in, void *out, unsigned thread)
{
    IN(i32, i, 16, thread * 128);
    IN(u32, j, 16, thread * 128 + 64);
    float row[13][16];
    EACH(k, 16)
    elementary_lane((double)((float)i[k] * 0x1p-31f), (double)((float)(j[k] >> 8) * 0x1.4p-23f + 0.5f), row, k);
    OUT(thread * 832, row);
}

/* x and y are halves; only the last sum is rounded. */
static void elementary_halves(const void *in, void *out, unsigned thread)
{
    IN(i16, i, 16, 0);
    IN(u16, j, 16, 32);
    float row[13][16];
    (void)thread;
    EACH(k, 16) elementary_lane((i[k] >> 6) / 512.0, (j[k] >> 6) * 2.5 / 1024 + 0.5, row, k);
    OUT(0, row);
}

static void remainders(const void *in, void *out, unsigned thread)
{
    IN(u32, a, 16, thread * 128);
    IN(u32, b, 16, thread * 128 + 64);
    float x[16], y[16], row[2][16];
    EACH(k, 16)
    {
        a[k] |= 0x800000;
        b[k] |= 0x10000000;
    }
    a[3] = 0x7f800000;
    b[4] = 0xff800000;
    a[5] = b[6] = 0x7fc00001;
    b[7] = 0x80000000;
    a[8] = 0;
    a[9] = 0x7f7fffff;
    b[10] = 0x7f7ffffe;
    a[11] = b[11];
    memcpy(x, a, sizeof x);
    memcpy(y, b, sizeof y);
    EACH(k, 16)
    {
        u32 bits = 0x7fc00000; /* the one NaN that comes out */
        row[0][k] = fmodf(x[k], y[k]);
        row[1][k] = fmodf(fabsf(x[k]), 0x1.8p-20f) + 1.5f;
        EACH(r, 2) if (isnan(row[r][k])) memcpy(&row[r][k], &bits, sizeof bits);
    }
    OUT(thread * 128, row);
}

static void roundings(const void *in, void *out, unsigned thread)
{
    IN(i32, i, 16, thread * 128);
    IN(i32, j, 16, thread * 128 + 64);
    float row[9][16], first = (float)(i[0] >> 16) * 0.125f, second = (float)(i[1] >> 16) * 0.125f,
                      third = (float)(i[2] >> 16) * 0.125f;
    EACH(k, 16)
    {
        float x = (float)(i[k] >> 16) * 0.125f, h = (float)(j[k] >> 20) * 0.25f;
        row[0][k] = floorf(x);
        row[1][k] = ceilf(x);
        row[2][k] = rintf(x);
        row[3][k] = truncf(x);
        row[4][k] = (float)((int)floorf(x) + (int)ceilf(h) * 2);
        row[5][k] = fminf(fmaxf(rintf(x), 0), 255);
        row[6][k] = truncf(h) + rintf(h);
        row[7][k] = (x - floorf(x)) + (h - floorf(h));
        row[8][k] = floorf(first) + truncf(second) + (third - floorf(third));
    }
    OUT(thread * 576, row);
}

REFERENCE(elementary)
REFERENCE(elementary_halves)
REFERENCE(roundings)
REFERENCE(remainders)
