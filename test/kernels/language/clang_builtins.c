/* Computes in scalar C what the kernel of clang_builtins.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void clang_builtins(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 16, 0);
    u32 r[16][8] = {0};
    EACH(k, 16)
    {
        int ones = 0;
        EACH(i, 32) ones += v[k] >> i & 1;
        r[k][0] = (u32)ones;
        r[k][1] = v[k] << 24 | (v[k] << 8 & 0xff0000) | (v[k] >> 8 & 0xff00) | v[k] >> 24;
        r[k][2] = v[k] << 5 | v[k] >> 27;
        r[k][3] = v[k] + v[k] < v[k]; /* wraps */
        r[k][4] = v[k] > 7 ? 5 : 6;
        r[k][5] = (v[k] + 63) / 64 * 64;
        r[k][6] = v[k] % 16 == 0;
        r[k][7] = v[(k * 3 + 8) / 4 * 4 % 16];
    }
    OUT(0, r);
}

REFERENCE(clang_builtins)
