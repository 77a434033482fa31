/* Computes in scalar C what the kernel of byte_dot_products.cm must write. */
#include "test/kernels/arithmetic.h"
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void byte_dot_products(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, sum, 16, 0);
    IN(u32, a, 16, 64);
    IN(u32, b, 16, 128);
    u32 row[4][16];
    EACH(k, 16)
    {
        row[0][k] = sum[k] + (u32)byte_dot(a[k], b[k], 1);
        row[1][k] = sum[k] + (u32)byte_dot(a[k], b[k], 0);
        row[2][k] = (u32)clamp((i32)(sum[k] | 0x7fff8000) + byte_dot(a[k], b[k], 0), INT32_MIN, INT32_MAX);
        row[3][k] = 7 + (u32)byte_dot(a[k], b[2], 1);
    }
    OUT(0, row);
}

REFERENCE(byte_dot_products)
