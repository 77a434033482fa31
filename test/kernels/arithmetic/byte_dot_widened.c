/* Computes in scalar C what the kernel of byte_dot_widened.cm must write. */
#include "test/kernels/arithmetic.h"
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void byte_dot_widened(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 16, 0);
    IN(u16, b, 16, 64);
    IN(int8_t, c, 16, 128);
    u32 row[5][16];
    EACH(k, 16)
    {
        row[0][k] = a[k] + (u32)byte_dot(b[k], a[k], 0);
        row[1][k] = (u32)c[k] + (u32)byte_dot(a[k], (u32)c[k], 1);
        row[2][k] = b[k] + (u32)byte_dot(a[k], 7, 0);
        row[3][k] = a[k] + (u32)byte_dot(0x102, b[3], 0);
        row[4][k] = row[0][k] > INT32_MAX ? INT32_MAX : row[0][k];
    }
    OUT(0, row);
}

REFERENCE(byte_dot_widened)
