/* Computes in scalar C what the kernel of dot_rounding.cm must write. */
#include <math.h>
#include <stdlib.h>
#include "test/kernels/arithmetic.h"
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void dot_rounding(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, i, 32, 0);
    IN(u32, j, 32, 128);
    float a[32], b[32], row[6][32] = {{0}}, sums[16];
    EACH(k, 32)
    {
        u32 p = (i[k] & 0x7fffff) | 0x3f800000, q = (j[k] & 0x7fffff) | 0x3f800000;
        memcpy(a + k, &p, sizeof p);
        memcpy(b + k, &q, sizeof q);
    }
    EACH(k, 32)
    {
        int four = k & ~3, late = (k - 20) & ~3;
        row[0][k] = k < 12 ? (float)dot(a + 1 + four, 1, b + 3 + 2 * four, 2, 2) : 0;
        row[1][k] = k < 20 ? (float)dot(a + 12 + four, 1, b + 3, 0, 3) : 0;
        row[2][k] =
            (float)(k < 20 ? dot(a + four, 1, b + four, 1, 4) : dot(a + 7 + late, 1, b + late, 1, 3) + b[late + 3]);
        row[3][k] = k < 24 ? (float)((double)a[5] * b[2 + k] + a[8]) : 0;
        row[4][k] = k < 24 ? (float)((double)b[9] * a[1 + k] + (double)b[10] * b[8 + k] + b[12]) : 0;
        double weight = (double)a[k] - 1;
        row[5][k] = k < 20 ? (float)(b[4 + k] * weight + 1.25 * (1 - weight)) : 0;
    }
    OUT(0, row);
    EACH(k, 8)
    {
        int pair = 2 * k + 2;
        int sum = abs((signed char)i[5 + pair] - (signed char)j[pair]) +
                  abs((signed char)i[6 + pair] - (signed char)j[pair + 1]);
        sums[k] = (float)(i16)(sum - clamp(sum + (i16)(sum * 90), INT16_MIN, INT16_MAX));
        sums[k + 8] = 0;
    }
    memcpy((u8 *)out + 768, sums, 32);
    memset((u8 *)out + 800, 0, 32);
}

REFERENCE(dot_rounding)
