/* Computes in scalar C what the kernel of simd_loop_nested.cm must write. */
#include "test/kernels/elements.h"
#include "test/kernels/reference.h"

static void simd_loop_nested(const void *in, void *out, unsigned thread)
{
    (void)thread;
    IN(i32, v, 16, 0);
    i32 steps[16] = {0}, last[16];
    EACH(k, 16)
    {
        int outer = 0, inner;
        v[k] &= 15;
        do {
            inner = 0;
            do {
                inner++;
                steps[k]++;
                if (inner > v[k])
                    break;
            } while (inner < 6);
            outer++;
            if (outer + inner > 8)
                break;
            do
                steps[k] += 16;
            while ((steps[k] & 16) == 0);
        } while (outer < 5);
        last[k] = outer + inner * 256;
    }
    OUT(0, steps);
    OUT(64, last);
}

REFERENCE(simd_loop_nested)
