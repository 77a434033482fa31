/* Computes in scalar C what the kernel of masked_mads.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void masked_mads(const void *in, void *out, unsigned thread)
{
    static const struct {
        int lanes, at, result;
    } part[] = {{1, 0, 0}, {2, 1, 0}, {3, 4, 0}, {7, 7, 0}, {3, 0, 1}, {5, 3, 1}, {6, 8, 1}, {1, 15, 1}};
    (void)thread;
    const u8 *a = in, *b = a + 64, *old = a + 128;
    IN(i32, m, 16, 256);
    float r[2][16];
    EACH(k, 16) r[0][k] = r[1][k] = old[k];
    EACH(n, 8)
    EACH(k, part[n].lanes)
    if (m[part[n].at + k] < 0)
        r[part[n].result][part[n].at + k] = (float)(a[1 + k] * b[2 + k] + 3);
    OUT(0, r);
}

REFERENCE(masked_mads)
