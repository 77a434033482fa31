/* Computes in scalar C what the kernel of replicate.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void replicate(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 16, 0);
    u32 r[8][16];
    EACH(k, 16)
    {
        int group8 = k / 8, group4 = k / 4, in4 = k % 4;
        r[0][k] = v[2 + in4];
        r[1][k] = v[3 + k % 2];
        r[2][k] = v[1 + 3 * group4 + in4];
        r[3][k] = v[4 + 8 * group8];
        r[4][k] = v[1 + 4 * group4];
        r[5][k] = v[2 + 4 * in4];
        /* rows 1 and 3 of the 4x4 matrix are the eight elements; group 0 repeats the first, group 1 the fifth */
        r[6][k] = v[group8 == 0 ? 4 : 12] + v[1 + 4 * in4];
        r[7][k] = v[(v[0] & 3) + k / 2 + 2 * (k % 2)];
    }
    memcpy(out, r, sizeof r);
}

REFERENCE(replicate)
