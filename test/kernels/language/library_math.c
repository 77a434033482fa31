/* Computes in scalar C what the kernels of library_math.cm must write. */
#include <math.h>
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void library_math(const void *in, void *out, unsigned thread)
{
    IN(i32, i, 16, thread * 128);
    IN(i32, j, 16, thread * 128 + 64);
    static const int classes[] = {[FP_NAN] = 0, [FP_INFINITE] = 1, [FP_SUBNORMAL] = 2, [FP_ZERO] = 3, [FP_NORMAL] = 4};
    i32 row[8][16];
    u32 bits[16];
    float x[16], any[16], first;
    EACH(k, 16)
    {
        x[k] = (float)(i[k] >> 10) * 0.25f;
        row[0][k] = (i[k] < 1000000000 ? i[k] : 1000000000) > j[k] ? (i[k] < 1000000000 ? i[k] : 1000000000) : j[k];
        row[1][k] = (i32)(x[k] + (x[k] < 0 ? -0.5f : 0.5f));
    }
    EACH(k, 16)
    {
        float h = (float)(j[k] >> 22) * 0.5f;
        row[2][k] = (i32)(h + (h < 0 ? -0.5f : 0.5f)) + row[1][1];
    }
    memcpy(bits, j, sizeof bits);
    bits[1] = 0;
    first = -x[0] * 0;
    memcpy(bits + 2, &first, sizeof first);
    static const u32 special[] = {0xff800000, 0x7f800001, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff};
    memcpy(bits + 3, special, sizeof special);
    memcpy(any, bits, sizeof any);
    EACH(k, 16)
    {
        row[3][k] = classes[fpclassify(any[k])];
        row[4][k] = (isnan(any[k]) != 0) + (isinf(any[k]) != 0) * 2 + (isnormal(any[k]) != 0) * 4 +
                    (fpclassify(any[k]) == FP_SUBNORMAL) * 8;
        if (k == 5 || k == 6)
            any[k] = 0;
        int power = 0;
        float fraction = fpclassify(any[k]) == FP_NORMAL ? frexpf(any[k], &power) : any[k];
        memcpy(&row[5][k], &fraction, sizeof fraction);
        if (isnan(any[k]))
            memcpy(&row[5][k], &bits[k], sizeof fraction);
        row[6][k] = power;
    }
    int one;
    float part = frexpf(x[0] + 0.25f, &one);
    EACH(k, 16) row[7][k] = (i32)(part * 64) + one * 256 + classes[fpclassify(x[1])] * 65536;
    OUT(thread * 512, row);
}

static const u32 special_bits[12] = {0x7f800000, 0xff800000, 0x7fc00000, 0,          0x80000000, 0x447a0000,
                                     0xc47a0000, 1,          0x3f800000, 0x7f7fffff, 0x00800000, 0xff7fffff};

static float special_float(int k, float ordinary)
{
    if (k < 12)
        memcpy(&ordinary, special_bits + k, sizeof ordinary);
    return ordinary;
}

static float flushed(double x)
{
    return fabs(x) < 0x1p-126 ? copysignf(0, (float)x) : (float)x;
}

static void library_exponentials(const void *in, void *out, unsigned thread)
{
    IN(i32, i, 16, thread * 128);
    IN(i32, j, 16, thread * 128 + 64);
    float row[6][16];
    EACH(k, 16)
    {
        double x = (i[k] >> 8) * 0x1p-17, near = (j[k] >> 12) * 0x1p-23 + 1;
        u32 bits = (u32)j[k] & 0x7fffffff;
        bits += bits >= 0x7f000000 ? -0x01000000u : bits < 0x01000000 ? 0x01000000 : 0;
        float any, special = special_float(k, (float)x * 0.01f), other = flushed(special_float(k, (float)near));
        memcpy(&any, &bits, sizeof any);
        row[0][k] = (float)ldexp(exp(x), -((i[k] >> 25) * 1477 >> 10));
        row[1][k] = flushed(exp(special));
        row[2][k] = (float)log(any);
        row[3][k] = (float)(log(near) * 16);
        row[4][k] = (float)log(other);
        row[5][k] = (float)exp(1.5);
    }
    row[5][1] = (float)log((double)((float)((i[0] >> 8) * 0x1p-17) * (float)((i[0] >> 8) * 0x1p-17)) + 1);
    OUT(thread * 384, row);
}

static void library_half_exponentials(const void *in, void *out, unsigned thread)
{
    IN(i16, i, 16, 0);
    float row[2][16];
    (void)thread;
    EACH(k, 16)
    {
        row[0][k] = expf((float)(i[k] >> 6) * 0x1p-8f);
        row[1][k] = logf((float)(_Float16)(fabsf((float)(i[k] >> 6)) + 0.25f));
    }
    OUT(0, row);
}

static void library_places(const void *in, void *out, unsigned thread)
{
    static const i32 some[] = {42, 41, 40, 39, 38, 37, 36, 35, -1, -2, -3}, few[] = {7, -7, 700, 4};
    IN(u32, i, 16, 0);
    i32 r[16];
    (void)thread;
    EACH(k, 16) r[k] = some[i[k] % 11] + few[i[k] & 3];
    OUT(0, r);
}

static void library_masks(const void *in, void *out, unsigned thread)
{
    IN(i32, i, 16, 0);
    IN(i32, j, 16, 64);
    u32 a = 0, b = 0, count = 0, result[16] = {0}, sum = 0;
    (void)thread;
    EACH(k, 16)
    {
        a |= (u32)(i[k] > 0) << k;
        b |= (u32)(j[k] > i[k]) << k;
        count += i[k] > 0;
        sum += (u32)((i[k] > 0 ? i[k] : 0) >> 8);
    }
    result[0] = a & b;
    result[1] = a | b;
    result[2] = ~(a ^ b) & 0xffff;
    result[3] = count + (b == 0xffff) * 256u + (b != 0) * 512u + 1024 + (a == b) * 2048u + (a != b) * 4096u;
    EACH(k, 12) result[4 + k] = (a | b) >> (k + 4) & 1 ? 77 : 0;
    result[15] = sum;
    OUT(0, result);
}

REFERENCE(library_math)
REFERENCE(library_masks)
REFERENCE(library_exponentials)
REFERENCE(library_half_exponentials)
REFERENCE(library_places)
