/* Computes in scalar C what the kernel of cxx_references.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void cxx_references(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 16, 0);
    IN(u32, b, 16, 64);
    u32 sum[16];
    EACH(k, 16) sum[k] = (1 + a[k] + 2 * b[k]) * 2 + 3;
    OUT(0, sum);
    EACH(r, 2) EACH(c, 2) b[r * 4 + c] = 0;
    OUT(64, b);
}

REFERENCE(cxx_references)
