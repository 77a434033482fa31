/* Computes in scalar C what the kernel of replicate_longs.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void replicate_longs(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, v, 16, 0);
    IN(u32, wide, 32, 64);
    IN(int64_t, whole, 16, 64);
    u32 r[16], shifted[8];
    EACH(k, 16) r[k] = wide[2 * ((v[0] & 3) + k / 2 + 2 * (k % 2))];
    EACH(k, 8) shifted[k] = (u32)(whole[2 * k] >> (whole[6 + k] & 63)) & 31;
    OUT(0, r);
    OUT(64, shifted);
}

REFERENCE(replicate_longs)
