/* Computes in scalar C what the kernels of named_barriers.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void named_barriers(const void *in, void *out, unsigned thread)
{
    u32 sum[16] = {0};
    unsigned local = thread % 8, group = thread / 8;
    for (unsigned round = 0; round < 4 && local >= 2; round++) {
        unsigned writer = group * 8 + local % 2;
        IN(u32, x, 16, 64 * ((writer + 7 * round) & 63));
        EACH(k, 16) sum[k] = sum[k] * 3 + x[k];
    }
    OUT(64 * thread, sum);
}

static void halves(const void *in, void *out, unsigned thread)
{
    unsigned first = thread / 4 * 4;
    IN(u32, next, 16, 64 * (first + (thread + 1) % 4));
    IN(u32, other, 16, 64 * (thread ^ 4));
    u32 y[16];
    EACH(k, 16) y[k] = next[k] * 5 + other[k];
    OUT(64 * thread, y);
}

REFERENCE(named_barriers)
REFERENCE(halves)
