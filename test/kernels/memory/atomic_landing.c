/* Computes in scalar C what the kernel of atomic_landing.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void atomic_landing(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, w, 64, 0);
    u32 sums[32], after[64];
    EACH(k, 32)
    {
        sums[k] = w[32 + k] + w[k];
        after[k] = k < 16 ? w[k] : w[16 + k]; /* the old numbers are those of w from 32 on */
        after[32 + k] = k < 16 ? w[48 + k] : w[32 + k];
    }
    OUT(0, sums);
    OUT(256, after);
}

REFERENCE(atomic_landing)
