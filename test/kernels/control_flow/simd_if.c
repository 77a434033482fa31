/* Computes in scalar C what the kernel of simd_if.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void simd_if(const void *in, void *out, unsigned thread)
{
    IN(u32, v, 16, thread * 128);
    IN(u32, w, 16, thread * 128 + 64);
    int less = 0, rest = 0;
    EACH(k, 16)
    {
        if ((i32)v[k] < (i32)w[k]) {
            v[k] += 1;
            w[k] = v[k] * 2;
            less = 1;
        } else {
            v[k] *= 3;
            rest = 2;
        }
    }
    EACH(k, 16) w[k] -= (v[k] & 3) == 2 ? v[k] : 0;
    EACH(k, 16) w[k] += less + rest; /* a side that no lane takes does not run */
    OUT(thread * 128, v);
    OUT(thread * 128 + 64, w);
}

REFERENCE(simd_if)
