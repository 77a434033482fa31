/* Computes in scalar C what the kernel of simd_groups.cm must write. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include "test/kernels/arithmetic.h"
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void simd_groups(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, condition, 16, 0);
    IN(i32, ij, 32, 64);
    const i32 *i = ij, *j = ij + 16;
    float a[16], b[16], row[4][16];
    i32 numbers[4][16];
    EACH(k, 16)
    {
        a[k] = (float)(i[k] >> 20) * 0.0625f;
        b[k] = (float)(j[k] >> 21) * 0.03125f;
    }
    EACH(k, 16)
    {
        int index = condition[k] & 15, four = k & ~3, pair = k & ~1;
        bool on = condition[k] > 0;
        float dot = 0, weight = b[k] + 1;
        EACH(n, 4) dot += (a[four + n] + b[four + n]) * (b[four + n] * 2);
        row[0][k] = on ? dot : 2;
        row[1][k] = on ? (a[4] + 1) * b[k] + (a[7] + 1) : 2;
        row[2][k] = on ? a[k % 4] * weight + (a[4 + k % 8] - b[4 + k % 8]) * (1 - weight) : 2;
        row[3][k] = on ? 2 : (float)(i[8] >> 20) * (a[k] + b[k]) + (float)(i[9] >> 20) * b[k] + (float)(i[11] >> 20);
        int sum = abs((u8)i[pair] - (u8)j[pair]) + abs((u8)i[pair + 1] - (u8)j[pair + 1]);
        int first = k % 2 ? 0 : sum, sums = on ? first : 1;
        numbers[0][k] = on ? ij[8 + index] : (i32)(2 * (u32)ij[2 * index]);
        numbers[1][k] = on ? ij[1 + 2 * (3 + k / 4)] : 4;
        numbers[2][k] = on ? (i32)((u32)i[index] + (u32)j[index] + (u32)i[1 + pair] - (u32)j[1 + pair]) : 5;
        numbers[3][k] = sums + (on ? first + sums + 2 : 6) * 1000;
    }
    OUT(0, row);
    OUT(256, numbers);
}

REFERENCE(simd_groups)
