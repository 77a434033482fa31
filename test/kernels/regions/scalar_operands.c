/* Computes in scalar C what the kernel of scalar_operands.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void scalar_operands(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(u32, a, 16, 4);
    IN(u32, b, 16, 20);
    IN(u8, u, 32, 92);
    i32 n = (i32)a[3] >> 20;
    EACH(k, 16) a[k] += (u32)n + 128 + u[1 + 2 * k];
    EACH(k, 16) b[k] *= (u32)(n * n - 3);
    EACH(k, 8) b[1 + 2 * k] -= (u32)(i32)(i16)(n + 1);
    OUT(0, a);
    OUT(64, b);
}

REFERENCE(scalar_operands)
