/* Computes in scalar C what the kernel of chosen_elements.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static i32 sum_of(const u32 *n, i32 *last)
{
    u32 sum = 0, x[4], y[8];
    EACH(k, 4) x[k] = n[1 + k];
    EACH(k, 8) y[k] = n[5 + k];
    const u32 *p = n[0] & 1 ? x : y + 1;
    EACH(k, (int)n[15])
    {
        sum = sum * 3 + p[k & 3];
        if (k == (int)(n[14] & 7))
            p = n[13] & 1 ? x : y + (n[13] >> 1 & 3);
    }
    *last = (i32)p[n[12] & 3];
    return (i32)sum;
}

static void chosen_elements(const void *in, void *out, unsigned thread)
{
    (void)thread;
    static const i32 table[8] = {5, -70, 600, 1 << 20, 9, -10, 11, 12};
    IN(u16, a, 64, 0);
    IN(i32, b, 32, 128);
    IN(i32, c, 16, 256);
    IN(u32, n, 16, 320);
    IN(u16, small, 32, 384);
    i32 r[32] = {0};
    EACH(k, 16) n[k] &= 255;
    r[0] = n[0] & 1 ? a[(n[1] & 7) * 8 + 6] : (u16)(a[(n[2] & 7) * 8 + 5] * 3);
    r[1] = n[0] & 2 ? a[(n[3] & 7) * 8 + 4] : (u16)(a[(n[3] & 7) * 8 + 4] * 3);
    r[2] = n[0] & 4 ? b[n[4] & 31] : c[n[5] & 15];
    r[3] = n[0] & 8 ? a[(n[6] & 7) * 8 + (n[7] & 7)] : small[(n[8] & 3) * 8 + (n[9] & 7)];
    r[4] = n[0] & 16 ? b[n[10] & 31] : n[0] & 32 ? c[n[11] & 15] : (i32)n[12];
    r[5] = n[0] & 64 ? table[n[13] & 7] : n[0] & 128 ? b[n[14] & 31] : c[n[15] & 15];
    r[7] = sum_of(n, &r[6]);
    EACH(k, 4)
    {
        r[16 + k] = n[0] & 2 ? b[(n[1] & 15) + 2 * k] : c[(n[2] & 7) + 2 * k];
        r[28 + k] = n[0] & 4 ? c[(n[5] & 3) + 3 * k] : (i32)n[(n[5] & 3) + 3 * k];
    }
    EACH(k, (int)(n[3] & 7))
    {
        u32 at = k / 2 + (n[4] & 7);
        r[20 + k] = k & 1 ? c[at] : (i32)n[at];
    }
    OUT(0, r);
}

REFERENCE(chosen_elements)
