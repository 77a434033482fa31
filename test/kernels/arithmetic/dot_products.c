/* Computes in scalar C what the kernel of dot_products.cm must write. */
#include <math.h>
#include <stdlib.h>
#include "test/kernels/arithmetic.h"
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void dot_products(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, i, 16, 0);
    IN(i32, j, 16, 64);
    float a[16], b[16], row[11][16];
    EACH(k, 16)
    {
        a[k] = (float)(i[k] >> 20) * 0.0625f;
        b[k] = (float)(j[k] >> 21) * 0.03125f;
    }
    EACH(k, 16)
    {
        const float *p = a + k / 4 * 4, *q = b + k / 4 * 4;
        row[0][k] = p[0] * q[0] + p[1] * q[1];
        row[1][k] = row[0][k] + p[2] * q[2];
        row[2][k] = row[1][k] + p[3] * q[3];
        row[3][k] = row[1][k] + q[3];
        float small = (p[0] + p[1] + p[2] + p[3]) * 0.0009765625f;
        row[4][k] = small < 0 ? 0 : small > 1 ? 1 : small;
        row[5][k] = a[4] * b[k] + a[7];
        row[6][k] = a[4] * a[k] + a[5] * b[k] + a[7];
        row[7][k] = a[k] * b[k] + a[3] * (1 - b[k]);
        int pair = k % 8 * 2, sum = abs((u8)i[pair] - (u8)j[pair]) + abs((u8)i[pair + 1] - (u8)j[pair + 1]);
        row[8][k] = (float)(sum * 2 + sum * 2);
        u16 bits;
        row[9][k] = to_half_and_back(a[k], &bits);
        row[9][k] += bits;
        row[10][k] = row[6][k];
    }
    OUT(0, row);
}

REFERENCE(dot_products)
