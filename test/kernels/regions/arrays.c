/* Computes in scalar C what the kernel of arrays.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void arrays(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 16, thread * 64);
    static const u32 table[8] = {1, 3, 5, 7, 2, 4, 6, 8};
    u32 local[8], parts[3][8], r[32];
    EACH(k, 16) v[k] += k;
    EACH(k, 8) v[2 * k] *= table[k];
    EACH(i, 8) local[i] = v[i] & 7;
    EACH(i, 8) local[local[i] & 7] += i;
    EACH(i, 3) EACH(k, 8) parts[i][k] = v[i * 4 + k];
    parts[1][2] = local[0] & 15;
    EACH(k, 8) parts[thread + 1][k] += parts[0][k];
    EACH(i, 3) EACH(k, 8) r[i * 8 + k] = parts[i][k];
    EACH(i, 8) r[24 + i] = local[i];
    OUT(thread * 128, r);
}

REFERENCE(arrays)
