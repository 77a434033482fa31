/* Computes in scalar C what the kernel of widened_divisors.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void widened_divisors(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i16, w, 32, 0);
    IN(u16, u, 32, 64);
    IN(u8, bytes, 64, 64);
    i32 r[6][16];
    EACH(k, 16)
    {
        i32 all = u[k] | 1, some = k % 2 == 0 ? w[1 + k] | 1 : all, a = w[k], b = w[16 + k];
        r[0][k] = a / all;
        r[1][k] = ~a % ((w[20] & 127) | 1);
        r[2][k] = b / ((u[3] & 255) | 1);
        r[3][k] = b % some;
        a = k >= 8 && k < 12 ? u[k - 3] : a;
        r[4][k] = a / 7;
        a = k % 2 == 1 ? bytes[20 + k / 2 * 3] : a;
        r[5][k] = a / (b | 1);
    }
    OUT(0, r);
}

REFERENCE(widened_divisors)
