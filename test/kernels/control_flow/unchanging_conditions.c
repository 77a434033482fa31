/* Computes in scalar C what the kernel of unchanging_conditions.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void unchanging_conditions(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 32, thread * 128);
    u32 kind = (v[0] & 3) + thread, limit = v[1] & 15, scale = v[2] & 255, odd = v[3] & 1;
    for (int i = 4; i < 16; i++) {
        if (kind == 1)
            v[i] *= scale;
        else if (kind == 2)
            v[i] = (i32)v[i] > 0 ? v[i] : -v[i];
        else if (kind == 3 && odd)
            v[i] ^= scale;
    }
    for (u32 round = 0; round < limit; round++) {
        for (int i = 16; i < 20; i++)
            if (odd && kind != 2)
                v[i] += v[i - 1] * round;
        u32 before[8];
        EACH(i, 8)
        before[i] = v[16 + i];
        EACH(i, 8)
        {
            if (scale < 128)
                v[20 + i] += round;
            else
                v[24 + i] -= before[i];
        }
        if (kind == 4)
            break;
    }
    OUT(thread * 128, v);
}

REFERENCE(unchanging_conditions)
