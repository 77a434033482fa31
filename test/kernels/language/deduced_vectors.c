/* Computes in scalar C what the kernel of deduced_vectors.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* Elements `step` apart, the first one included, times `factor`. */
static u32 summed(const u32 *v, int n, int step, u32 factor)
{
    u32 sum = 0;
    EACH(k, n) sum += v[k * step] * factor;
    return sum;
}

static void deduced_vectors(const void *in, void *out, unsigned thread)
{
    IN(u32, m, 64, thread * 256);
    u32 t[64] = {0}, v[16];
    EACH(k, 16) v[k] = m[32 + k];
    t[0] = summed(v, 16, 1, 3);
    t[1] = summed(v + 1, 8, 2, 3);
    t[2] = summed(m + 24, 8, 1, 3);
    EACH(k, 8) t[8] += m[k * 8] * (u32)(8 + k);
    EACH(k, 3) t[9] += m[(1 + 2 * k) * 8 + 1] * (u32)(4 + k);
    EACH(k, 2) t[10] += m[k * 4] * (u32)(4 + k);
    t[16] = v[15] + 5;
    t[17] = m[56 + 6] + 9;
    t[24] = 1000 + v[0];
    EACH(k, 8) m[16 + k] += 1;
    t[25] = 2000 + m[16];
    EACH(k, 4) m[20 + k] += 1;
    t[26] = 2000 + m[20];
    EACH(k, 16) v[k] += m[k] * 2;
    t[32] = summed(m, 16, 1, 1);
    EACH(k, 8) m[48 + k] += m[40 + k] * 3;
    t[33] = summed(m + 40, 8, 1, 1);
    memcpy(t + 40, m + 48, 32);
    memcpy(t + 48, m + 16, 32);
    memcpy(t + 56, v + 4, 32);
    OUT(thread * 256, t);
}

REFERENCE(deduced_vectors)
