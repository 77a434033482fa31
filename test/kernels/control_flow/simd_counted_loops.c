/* Computes in scalar C what the kernel of simd_counted_loops.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void simd_counted_loops(const void *in, void *out, unsigned thread)
{
    IN(i32, a, 16, thread * 128);
    IN(i32, b, 16, thread * 128 + 64);
    i32 v[5][16], s[16] = {0}, m[4][16], sum = 0;
    EACH(k, 16)
    {
        a[k] &= 15;
        b[k] &= 7;
        v[0][k] = a[k] > 3 ? a[k] + 6 * b[k] : a[k];
    }
    EACH(k, 16)
    {
        s[k] = a[k] > 7 ? a[0] + a[1] + a[2] + a[3] : 2 - 5 * b[k];
        v[1][k] = s[k];
        EACH(i, 4) m[i][k] = 1;
        for (int i = 3; i >= 0 && a[k] != b[k]; i--) {
            m[i][k] = a[k] + i;
            for (int j = i; j < 4; j++)
                if (a[k] > i + j) {
                    m[j][k] += b[k];
                    s[k] += 1 + 3;
                } else if (b[k] == j) {
                    s[k] -= 100;
                }
        }
        v[2][k] = s[k] + m[0][k] * 3 + m[1][k] * 5 + m[2][k] * 7 + m[3][k] * 11;
    }
    EACH(k, 16)
    {
        i32 x = a[k];
        do {
            EACH(i, 3) x += i + (b[k] > i);
            if (x > 60) {
                x += 2000;
                break;
            }
            if (x == 33) {
                x += 2;
                continue;
            }
            x += 1;
            x += b[k];
            x ^= 1;
            x += b[k];
        } while (x < 90);
        v[3][k] = x;
        sum += a[k] < 12 ? a[k] : 0;
    }
    EACH(k, 16)
    {
        i32 rounds = thread & 1 ? v[3][0] + v[3][2] + v[3][4] + 3 * sum : 0;
        v[4][k] = a[k] < 12 ? rounds + 1 : 0;
    }
    OUT(thread * 320, v);
}

REFERENCE(simd_counted_loops)
