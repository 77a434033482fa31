/* Computes in scalar C what the kernel of deduced_references.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

/* The sum of n elements and the byte of them with the number n. */
static u32 folded(const u32 *v, int n)
{
    u32 sum = v[n / 4] >> (n % 4 * 8) & 0xff;
    EACH(k, n) sum += v[k];
    return sum;
}

static void deduced_references(const void *in, void *out, unsigned thread)
{
    IN(u32, m, 64, thread * 256);
    u32 t[64], v[16];
    EACH(k, 64) t[k] = m[k % 8 * 8 + k / 8];
    EACH(k, 16) v[k] = m[k] + 5;
    EACH(k, 8) m[16 + k] += 3;
    EACH(k, 16) t[k / 4 * 8 + 4 + k % 4] = m[(4 + k % 4) * 8 + 4 + k / 4];
    t[0] += folded(v, 16);
    t[9] += folded(m + 16, 8) + 100;
    t[18] = 88 + (t[0] & 1);
    t[27] = 164 + (m[0] & 1);
    t[45] = folded(v, 16) + 7 + 1 + 2;
    t[54] = 88;
    t[56] += 3;
    EACH(k, 64) t[56 + k % 8] += m[k];
    OUT(thread * 256, t);
}

REFERENCE(deduced_references)
