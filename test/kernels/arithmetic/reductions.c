/* Computes in scalar C what the kernel of reductions.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void reductions(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, v, 48, 0);
    u32 r[16] = {0};
    i16 m[48];
    EACH(k, 48) m[k] = (i16)(v[k] >> 16);
    EACH(k, 48) r[0] += (u32)v[k];
    EACH(row, 3) EACH(c, 5) r[1] += (u32)(i32)m[2 * row * 8 + 1 + c];
    r[2] = 1;
    EACH(k, 7) r[2] *= (u32)v[2 + 3 * k] | 1;
    i32 least = v[0], greatest = m[16];
    EACH(k, 48) least = v[k] < least ? v[k] : least;
    EACH(k, 8) greatest = m[16 + k] > greatest ? m[16 + k] : greatest;
    r[3] = (u32)least;
    r[4] = (u32)greatest;
    const u8 *bytes = in;
    EACH(k, 11) r[5] = bytes[3 + 4 * k] > r[5] ? bytes[3 + 4 * k] : r[5];
    EACH(k, 16) r[6] |= (u32)(v[4 + k] > 0) << k;
    EACH(k, 32) r[7] += (u32)v[0] >> k & 1;
    u8 sum = 0;
    EACH(k, 16) sum = (u8)(sum + bytes[k]);
    r[8] = sum;
    OUT(0, r);
}

REFERENCE(reductions)
